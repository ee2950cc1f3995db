import type { GraphModel } from "./graph-model.ts";
import type { PageState } from "./page-state.ts";
import type { Theme } from "./theme.ts";
import { formatMonth, monthOf, monthStart } from "./wording.ts";

/**
 * Mail comes with dates in the year 1 and in 2044. Contacts are taken for misdated beyond the span of the middle four
 * fifths, widened by this many times its length: else the sliders would spend their way on them.
 */
const FENCE = 0.5;
const LEAST_FENCE_MONTHS = 12;

export interface TimeParts {
  readonly section: HTMLElement;
  readonly from: HTMLInputElement;
  readonly to: HTMLInputElement;
  readonly text: HTMLElement;
  readonly chart: HTMLCanvasElement;
  readonly reset: HTMLElement;
}

/** Two sliders over months: contacts are shown that were seen between them. At both ends they let everything pass. */
export class TimeRange {
  private readonly parts: TimeParts;
  private readonly state: PageState;
  private readonly first: number;
  private readonly last: number;
  /** Contacts seen in each month. */
  private readonly seen: Uint32Array;

  constructor(parts: TimeParts, model: GraphModel, state: PageState) {
    this.parts = parts;
    this.state = state;
    const { firstSeen, lastSeen } = model.data.nodes;
    [this.first, this.last] = monthSpan(firstSeen, lastSeen);
    this.seen = countSeen(firstSeen, lastSeen, this.first, this.last);
    parts.section.hidden = this.last <= this.first;
    for (const slider of [parts.from, parts.to]) {
      slider.max = String(Math.max(0, this.last - this.first));
      slider.addEventListener("input", () => this.change(slider));
    }
    parts.reset.addEventListener("click", () => {
      this.reset();
      state.showSpan(null);
    });
    this.reset();
  }

  private reset(): void {
    this.parts.from.value = "0";
    this.parts.to.value = this.parts.to.max;
    this.describe();
  }

  private change(moved: HTMLInputElement): void {
    const { from, to } = this.parts;
    if (from.valueAsNumber > to.valueAsNumber) (moved === from ? to : from).value = moved.value;
    this.describe();
    const isWhole = from.valueAsNumber === 0 && to.value === to.max;
    const start = from.valueAsNumber === 0 ? Number.NEGATIVE_INFINITY : monthStart(this.first + from.valueAsNumber);
    const end = to.value === to.max ? Number.POSITIVE_INFINITY : monthStart(this.first + to.valueAsNumber + 1) - 1;
    this.state.showSpan(isWhole ? null : { from: start, to: end });
  }

  private describe(): void {
    const { from, to, text } = this.parts;
    const first = formatMonth(this.first + from.valueAsNumber);
    const last = formatMonth(this.first + to.valueAsNumber);
    from.setAttribute("aria-valuetext", first);
    to.setAttribute("aria-valuetext", last);
    text.textContent = `${first} – ${last}`;
  }

  /** Contacts seen a month, as bars; those outside the range are faint. */
  paint(theme: Theme): void {
    const { chart, from, to } = this.parts;
    const { clientWidth, clientHeight } = chart;
    if (clientWidth === 0) return;
    chart.width = clientWidth * devicePixelRatio;
    chart.height = clientHeight * devicePixelRatio;
    const context = chart.getContext("2d")!;
    context.scale(devicePixelRatio, devicePixelRatio);
    const most = this.seen.reduce((peak, count) => Math.max(peak, count), 1);
    const step = clientWidth / this.seen.length;
    context.fillStyle = theme.accent;
    for (const [month, count] of this.seen.entries()) {
      const height = (count / most) * clientHeight;
      context.globalAlpha = month >= from.valueAsNumber && month <= to.valueAsNumber ? 0.7 : 0.2;
      context.fillRect(month * step, clientHeight - height, Math.max(1, step - (step > 4 ? 1 : 0)), height);
    }
  }
}

type Seconds = readonly (number | null)[];

/** First and last month, without the contacts whose dates lie far out (Tukey's fences, over deciles). */
function monthSpan(firstSeen: Seconds, lastSeen: Seconds): readonly [number, number] {
  const months = [...firstSeen, ...lastSeen]
    .filter((seconds) => seconds !== null)
    .map(monthOf)
    .sort((a, b) => a - b);
  const low = months[Math.floor(months.length * 0.1)];
  const high = months[Math.floor((months.length - 1) * 0.9)];
  if (low === undefined || high === undefined) return [0, 0];
  const reach = Math.max(LEAST_FENCE_MONTHS, (high - low) * FENCE);
  const credible = months.filter((month) => month >= low - reach && month <= high + reach);
  return [credible[0] ?? low, credible.at(-1) ?? high];
}

function countSeen(firstSeen: Seconds, lastSeen: Seconds, first: number, last: number): Uint32Array {
  const counts = new Uint32Array(Math.max(0, last - first) + 1);
  for (const [node, start] of firstSeen.entries()) {
    const end = lastSeen[node] ?? start;
    if (start === null || end === null) continue;
    for (let month = Math.max(first, monthOf(start)); month <= Math.min(last, monthOf(end)); month++)
      counts[month - first]!++;
  }
  return counts;
}

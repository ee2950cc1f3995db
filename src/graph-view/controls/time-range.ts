import type { GraphModel } from "../model/graph-model.ts";
import type { GraphState } from "../model/graph-state.ts";
import type { Theme } from "../model/graph-theme.ts";
import { formatMonth, monthOf, monthStart, readMonth, writeMonth } from "../model/wording.ts";
import type { GraphParts } from "./graph-parts.ts";

type TimeParts = Pick<GraphParts, "time" | "timeFrom" | "timeTo" | "timeText" | "timeChart" | "allTimes">;

/**
 * Two sliders over the months of the archive: shows contacts seen between them. At both ends nothing is filtered,
 * including other dates.
 */
export class TimeRange {
  private readonly first: number;
  private readonly last: number;
  /** Contacts seen in each month. */
  private readonly seen: Uint32Array;

  constructor(
    private readonly parts: TimeParts,
    model: GraphModel,
    private readonly state: GraphState,
  ) {
    const { dates, nodes } = model.data;
    this.first = dates === null ? 0 : monthOf(dates.first);
    this.last = dates === null ? 0 : monthOf(dates.last);
    this.seen = countSeen(nodes.firstSeen, nodes.lastSeen, this.first, this.last);
    parts.time.hidden = this.last <= this.first;
    for (const slider of [parts.timeFrom, parts.timeTo]) {
      slider.max = String(Math.max(0, this.last - this.first));
      slider.addEventListener("input", () => this.change(slider));
    }
    parts.allTimes.addEventListener("click", () => this.reset());
    this.choose("", "");
  }

  /** Shows contacts of every time. */
  reset(): void {
    this.choose("", "");
  }

  /** Sets the sliders to months such as `2001-05`; to the ends of the range by default. */
  choose(from: string, to: string): void {
    const { timeFrom, timeTo } = this.parts;
    timeFrom.value = String((readMonth(from) ?? this.first) - this.first);
    timeTo.value = String((readMonth(to) ?? this.last) - this.first);
    this.change(timeFrom);
  }

  /** Returns the months of the sliders that are not at the ends of the range. */
  chosen(): { readonly from: string; readonly to: string } {
    const { timeFrom: from, timeTo: to } = this.parts;
    return {
      from: from.value === "0" ? "" : writeMonth(this.first + from.valueAsNumber),
      to: to.value === to.max ? "" : writeMonth(this.first + to.valueAsNumber),
    };
  }

  private change(moved: HTMLInputElement): void {
    const { timeFrom: from, timeTo: to } = this.parts;
    if (from.valueAsNumber > to.valueAsNumber) (moved === from ? to : from).value = moved.value;
    this.describe();
    const isWhole = from.valueAsNumber === 0 && to.value === to.max;
    const start = from.valueAsNumber === 0 ? Number.NEGATIVE_INFINITY : monthStart(this.first + from.valueAsNumber);
    const end = to.value === to.max ? Number.POSITIVE_INFINITY : monthStart(this.first + to.valueAsNumber + 1) - 1;
    this.state.showSpan(isWhole ? null : { from: start, to: end });
  }

  private describe(): void {
    const { timeFrom: from, timeTo: to, timeText: text } = this.parts;
    const first = formatMonth(this.first + from.valueAsNumber);
    const last = formatMonth(this.first + to.valueAsNumber);
    from.setAttribute("aria-valuetext", first);
    to.setAttribute("aria-valuetext", last);
    text.textContent = `${first} – ${last}`;
  }

  /** Contacts seen per month, as bars; those outside the range are faint. */
  paint(theme: Theme): void {
    const { timeChart: chart, timeFrom: from, timeTo: to } = this.parts;
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

import { useSignal } from "@preact/signals";
import type { FacetWire, TimelineWire } from "../../../http/explore-api/wire/wire.ts";
import { counted, spanOf } from "../../parts/formats.ts";
import { WORDS } from "../../words/words.ts";

export type OutlierDates = TimelineWire["strays"][number];

/** The response of `/timeline`. */
export interface TimelineAnswer {
  readonly by: "year" | "month" | "day";
  readonly total: number;
  readonly bins: readonly { readonly span: string; readonly count: number }[];
  /** Values of a facet, most frequent first, with a count for each bin. */
  readonly stacks: readonly (FacetWire["values"][number] & { readonly counts: readonly number[] })[];
  readonly stray: number;
  readonly strays: readonly OutlierDates[];
  readonly undated: number;
}

interface BarsProps {
  readonly timeline: TimelineAnswer;
  readonly onChoose: (first: number, last: number) => void;
}

/** Height in units of the drawing, which is scaled. */
const HEIGHT = 100;
/** Share of its period that a bar fills, and maximum share of the whole drawing for a single bar. */
const SHARE = 0.84;
const MOST_OF_ALL = 1 / 30;

/** Bars over time; one or a range can be selected by pointer or keys. */
export function Bars({ timeline: { bins, stacks }, onChoose }: BarsProps) {
  /** Bars where a selection began and where it is now; -1 for none. */
  const start = useSignal(-1);
  const at = useSignal(-1);
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const width = Math.min(SHARE, bins.length * MOST_OF_ALL);
  const gap = (1 - width) / 2;
  const end = Math.min(at.value, bins.length - 1);
  const [first, last] = runOf(start.value, at.value, bins.length);
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step !== undefined) {
      if (event.shiftKey && start.value < 0) start.value = Math.max(0, at.value);
      if (!event.shiftKey) start.value = -1;
      at.value = Math.max(0, Math.min(bins.length - 1, at.value + step));
    } else if (event.key === "Enter" && end >= 0) onChoose(first, last);
    else return;
    event.preventDefault();
  };
  const bar = bins[Math.max(0, end)]!;
  return (
    <div
      class="bars"
      role="slider"
      tabIndex={0}
      aria-label={WORDS.search.timeline}
      aria-valuemin={0}
      aria-valuemax={bins.length - 1}
      aria-valuenow={Math.max(0, end)}
      aria-valuetext={WORDS.search.bar(spanOf(bar.span), bar.count)}
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.value = at.value = barAt(event, bins.length);
      }}
      onPointerMove={(event) => {
        at.value = barAt(event, bins.length);
      }}
      onPointerUp={() => {
        if (start.value >= 0) onChoose(first, last);
        start.value = -1;
      }}
      onPointerCancel={() => {
        start.value = -1;
      }}
      onPointerLeave={() => {
        if (start.value < 0) at.value = -1;
      }}
    >
      <svg viewBox={`0 0 ${bins.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {first < 0 ? null : <rect class="chosen" x={first} y={0} width={last - first + 1} height={HEIGHT} />}
        {bins.map(({ span, count }, index) => {
          const height = count === 0 ? 0 : Math.max(2, (count / most) * (HEIGHT - 4));
          return <rect key={span} class="bar" x={index + gap} y={HEIGHT - height} width={width} height={height} />;
        })}
        {layersOf(bins, stacks).map((layers, index) =>
          layers.map(([from, to], value) =>
            from === to ? null : (
              <rect
                key={`${index} ${value}`}
                class={`layer-${value}`}
                x={index + gap}
                y={HEIGHT - (to / most) * (HEIGHT - 4)}
                width={width}
                height={((to - from) / most) * (HEIGHT - 4)}
              />
            ),
          ),
        )}
      </svg>
      {first < 0 ? null : (
        <output>
          {first === last ? spanOf(bar.span) : `${spanOf(bins[first]!.span)} – ${spanOf(bins[last]!.span)}`}
          {" · "}
          {counted(bins.slice(first, last + 1).reduce((sum, { count }) => sum + count, 0))}
        </output>
      )}
    </div>
  );
}

function barAt(event: PointerEvent, count: number): number {
  const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
  return Math.max(0, Math.min(count - 1, Math.floor(((event.clientX - left) / width) * count)));
}

/** First and last bar of a selection; a newer result may have fewer bars. */
function runOf(start: number, at: number, count: number): readonly [first: number, last: number] {
  const [begin, end] = [Math.min(start, count - 1), Math.min(at, count - 1)];
  return begin < 0 ? [end, end] : [Math.min(begin, end), Math.max(begin, end)];
}

type Layer = readonly [from: number, to: number];

/**
 * The values of each bar, stacked, in messages. If a message has several of them they share the bar, which never grows
 * beyond its messages.
 */
function layersOf(bins: TimelineAnswer["bins"], stacks: TimelineAnswer["stacks"]): readonly (readonly Layer[])[] {
  if (stacks.length === 0) return [];
  return bins.map(({ count }, at) => {
    const values = stacks.map(({ counts }) => counts[at] ?? 0);
    const sum = values.reduce((all, value) => all + value, 0);
    const share = sum > count ? count / sum : 1;
    let top = 0;
    return values.map((value): Layer => {
      const from = top;
      top += value * share;
      return [from, top];
    });
  });
}

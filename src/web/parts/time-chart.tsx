import { useAddress, useApplication } from "../application.ts";
import { Bars, type TimelineAnswer } from "../search/facets/bars.tsx";
import { withClause, withSpan } from "../shell/query-text.ts";
import { WORDS } from "../words/words.ts";
import { spanOf } from "./formats.ts";

interface TimeChartProps {
  readonly timeline: TimelineAnswer | null;
  /** Query of the timeline; empty for all mail. */
  readonly clause?: string;
  readonly label: string;
}

/** Messages over time; selecting bars searches that period. */
export function TimeChart({ timeline, clause = "", label }: TimeChartProps) {
  const { navigation } = useApplication();
  const address = useAddress();
  if (timeline === null) return <section class="time-chart" />;
  if (timeline.bins.length === 0) return null;
  const { bins, strays, undated } = timeline;
  const { search } = WORDS;
  const others = [
    ...strays.map((times) => ({ clause: times.clause, text: search.stray(times) })),
    ...(undated === 0 ? [] : [{ clause: "is:undated", text: search.undated(undated) }]),
  ];
  return (
    <section class="time-chart" aria-label={label}>
      <Bars
        timeline={timeline}
        onChoose={(first, last) =>
          navigation.go(address("search", {}, { q: withSpan(clause, [], bins[first]!.span, bins[last]!.span) }))
        }
      />
      <p class="ends quiet">
        <span>{spanOf(bins[0]!.span)}</span>
        <span class="hint">{label === WORDS.overview.timeline ? WORDS.overview.dragHint : label}</span>
        <span>{bins.length > 1 ? spanOf(bins.at(-1)!.span) : null}</span>
      </p>
      {others.length === 0 ? null : (
        <p class="other-times">
          {others.map(({ clause: times, text }) => (
            <a key={times} href={address("search", {}, { q: withClause(clause, times) })}>
              {text}
            </a>
          ))}
        </p>
      )}
    </section>
  );
}

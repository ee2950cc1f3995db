import { spanOf } from "../formats.ts";
import { withClause, withoutRange, withSpan } from "../query-text.ts";
import { FaultMessage } from "../states.tsx";
import { useAnswer } from "../use-answer.ts";
import { WORDS } from "../words.ts";
import { Bars, type TimelineAnswer } from "./bars.tsx";
import type { EditedQuery } from "./query-edits.ts";
import type { SearchState } from "./search-state.ts";

interface HistogramProps {
  readonly state: SearchState;
  readonly query: EditedQuery;
}

/** The results over time: dragging over bars narrows the search to them. */
export function Histogram({ state, query: { clauses, edit } }: HistogramProps) {
  const { data, fault, retry } = useAnswer<TimelineAnswer>(state.pathOf("/timeline", { by: "auto" }));
  const dates = clauses.filter(({ kind, is_excluded }) => kind === "date" && !is_excluded);
  if (fault !== null) return <FaultMessage fault={fault} onRetry={retry} />;
  if (data === null) return <div class="histogram" />;
  const choose = (first: number, last: number): void => {
    const [from, to] = [data.bins[first]!.span, data.bins[last]!.span];
    edit((q, understood) => withSpan(q, understood, from, to));
  };
  const { search } = WORDS;
  return (
    <div class="histogram">
      {data.bins.length === 0 ? null : <Bars timeline={data} onChoose={choose} />}
      <p class="ends quiet">
        <span>{spanOf(data.bins[0]?.span ?? "")}</span>
        <span class="middle">
          <span>{search.utcDays}</span>
          {dates.length === 0 ? null : (
            <button
              type="button"
              class="text"
              onClick={() => edit((q) => [...dates].reverse().reduce(withoutRange, q))}
            >
              {search.allTime}
            </button>
          )}
          {data.stray === 0 ? null : <span>{search.stray(data.stray)}</span>}
          {data.undated === 0 ? null : (
            <button type="button" class="text" onClick={() => edit((q) => withClause(q, "is:undated"))}>
              {search.undated(data.undated)}
            </button>
          )}
        </span>
        <span>{spanOf(data.bins.at(-1)?.span ?? "")}</span>
      </p>
    </div>
  );
}

import { useParameters } from "../../application.ts";
import { counted, spanOf } from "../../parts/formats.ts";
import { FaultMessage } from "../../parts/states.tsx";
import { valueNames } from "../../parts/value-names.ts";
import { withChoice, withClause, withoutRange, withSpan } from "../../shell/query-text.ts";
import { useAnswer } from "../../shell/use-answer.ts";
import { WORDS } from "../../words/words.ts";
import { Choice } from "../query/choice.tsx";
import type { EditedQuery } from "../state/query-edits.ts";
import { type SearchState, STACKS } from "../state/search-state.ts";
import { Bars, type TimelineAnswer } from "./bars.tsx";

interface HistogramProps {
  readonly state: SearchState;
  readonly query: EditedQuery;
}

/** The results over time: dragging over bars narrows the search to them. */
export function Histogram({ state, query: { clauses, edit } }: HistogramProps) {
  const change = useParameters();
  const { stack } = state;
  const stacked: Readonly<Record<string, string>> = stack === "none" ? {} : { stack };
  const { data, fault, retry } = useAnswer<TimelineAnswer>(state.pathOf("/timeline", { by: "auto", ...stacked }));
  const dates = clauses.filter(({ kind, is_excluded }) => kind === "date" && !is_excluded);
  if (fault !== null) return <FaultMessage fault={fault} onRetry={retry} />;
  const shape = stack === "none" ? "histogram" : "histogram stacked";
  if (data === null) return <div class={shape} />;
  const choose = (first: number, last: number): void => {
    const [from, to] = [data.bins[first]!.span, data.bins[last]!.span];
    edit((q, understood) => withSpan(q, understood, from, to));
  };
  const { search } = WORDS;
  const names = stack === "none" ? [] : valueNames(stack, data.stacks);
  return (
    <div class={shape}>
      {data.bins.length === 0 ? null : <Bars timeline={data} onChoose={choose} />}
      <p class="ends quiet">
        <span>{spanOf(data.bins[0]?.span ?? "")}</span>
        <span class="middle">
          {data.bins.length === 0 ? null : (
            <>
              <span>{search.utcDays}</span>
              <Choice
                label={search.stack}
                value={stack}
                choices={STACKS.map((name) => [name, name === "none" ? search.unstacked : search.facetNames[name]])}
                onChoose={(name) => change({ stack: name === "none" ? null : name })}
              />
            </>
          )}
          {dates.length === 0 ? null : (
            <button
              type="button"
              class="text"
              onClick={() => edit((q) => [...dates].reverse().reduce(withoutRange, q))}
            >
              {search.allTime}
            </button>
          )}
          {data.strays.map((times) => (
            <button
              key={times.side}
              type="button"
              class="text"
              onClick={() => edit((q) => withClause(q, times.clause))}
            >
              {search.stray(times)}
            </button>
          ))}
          {data.undated === 0 ? null : (
            <button type="button" class="text" onClick={() => edit((q) => withClause(q, "is:undated"))}>
              {search.undated(data.undated)}
            </button>
          )}
        </span>
        <span>{data.bins.length > 1 ? spanOf(data.bins.at(-1)!.span) : null}</span>
      </p>
      {stack === "none" ? null : (
        <ul class="layers" aria-label={search.stack}>
          {data.stacks.map(({ clause, count }, at) => (
            <li key={clause}>
              <button type="button" class="text" onClick={() => edit((q, own) => withChoice(q, own, clause, stack))}>
                <span class={`spot layer-${at}`} />
                <bdi>{names[at]}</bdi> <span class="count">{counted(count)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

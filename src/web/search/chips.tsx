import { counted } from "../formats.ts";
import { Icon } from "../icon.tsx";
import { negated, type WrittenClause, withoutRange } from "../query-text.ts";
import { WORDS } from "../words.ts";
import type { EditedQuery } from "./query-edits.ts";

/** How the query was understood, clause by clause: each can be removed or turned around. */
export function Chips({ query: { q, clauses, edit } }: { readonly query: EditedQuery }) {
  const { search } = WORDS;
  if (clauses.length === 0) return q.trim() === "" ? null : <div class="chips" />;
  return (
    <div class="chips">
      <ul aria-label={search.conditions}>
        {clauses.map((clause) => (
          <li key={clause.start} class={chipClass(clause)}>
            <button
              type="button"
              class="what"
              title={`${search.negate(clause.text)} · ${search.alone(clause.count)}`}
              onClick={() => edit((q) => negated(q, clause))}
            >
              {clause.is_excluded ? <em>{search.excluded} </em> : null}
              <bdi>{clause.is_excluded ? clause.text.replace(/^-/, "") : clause.text}</bdi>
              <span class="count">{counted(clause.count)}</span>
            </button>
            <button
              type="button"
              class="out"
              aria-label={search.remove(clause.text)}
              onClick={() => edit((q) => withoutRange(q, clause))}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What looks like an operator and is none. It stands in the results: what comes with them moves nothing. */
export function NoOperators({ query: { clauses } }: { readonly query: EditedQuery }) {
  const strange = clauses.filter(({ is_no_operator }) => is_no_operator);
  if (strange.length === 0) return null;
  return (
    <div class="no-operators">
      {strange.map(({ start, text }) => (
        <p key={start} class="warned">
          <Icon name="warning" /> {WORDS.search.noOperator(text)}
        </p>
      ))}
    </div>
  );
}

function chipClass({ is_excluded, is_no_operator, count }: WrittenClause): string {
  return ["chip", is_excluded ? "excluded" : "", is_no_operator ? "strange" : "", count === 0 ? "none" : ""]
    .filter((name) => name !== "")
    .join(" ");
}

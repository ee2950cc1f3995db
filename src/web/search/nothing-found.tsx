import { writtenParameters } from "../addresses.ts";
import { useAddress, useApi } from "../application.ts";
import { counted } from "../formats.ts";
import { type WrittenClause, withoutRange } from "../query-text.ts";
import { EmptyState } from "../states.tsx";
import { useAnswer } from "../use-answer.ts";
import { WORDS } from "../words.ts";
import type { MessagePage } from "./search-page.ts";
import type { SearchState } from "./search-state.ts";

interface NothingProps {
  readonly state: SearchState;
  readonly clauses: readonly WrittenClause[];
}

/** Ways on from a search that found nothing, each with what it would find. */
export function NothingFound({ state: { q, match }, clauses }: NothingProps) {
  const { search } = WORDS;
  const isSeveral = clauses.length > 1;
  return (
    <EmptyState title={search.nothing}>
      {isSeveral ? (
        <>
          <p>{search.nothingHint}</p>
          <ul class="ways">
            {clauses.map((clause) => (
              <Way
                key={clause.start}
                q={withoutRange(q, clause)}
                match={match === "all" ? null : match}
                text={search.without(clause.text)}
              />
            ))}
            {match === "all" && clauses.some(({ kind }) => kind === "words") ? (
              <Way q={q} match="any" text={search.anyWord} />
            ) : null}
          </ul>
        </>
      ) : null}
    </EmptyState>
  );
}

interface WayProps {
  readonly q: string;
  readonly match: string | null;
  readonly text: string;
}

function Way({ q, match, text }: WayProps) {
  const api = useApi();
  const address = useAddress();
  const { data } = useAnswer<MessagePage>(api(`/messages${writtenParameters({ q, match, limit: 1 })}`));
  return (
    <li>
      <a href={address("search", {}, { q, match })}>{text}</a>{" "}
      <span class="count">{data === null ? "" : counted(data.total)}</span>
    </li>
  );
}

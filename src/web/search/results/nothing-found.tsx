import { useAddress } from "../../application.ts";
import { useHitCounts } from "../../hits/use-hit-counts.ts";
import { counted } from "../../parts/formats.ts";
import { EmptyState } from "../../parts/states.tsx";
import { type ClauseText, withoutRange } from "../../shell/query-text.ts";
import { WORDS } from "../../words/words.ts";
import type { Match, SearchState } from "../state/search-state.ts";

interface NothingProps {
  readonly state: SearchState;
  readonly clauses: readonly ClauseText[];
}

/** An alternative search that may have results. */
interface Way {
  readonly q: string;
  readonly match: Match;
  readonly text: string;
}

const { search: words } = WORDS;

/** Alternatives for a search without results, each with its count; none without results. */
export function NothingFound({ state: { q, match }, clauses }: NothingProps) {
  const address = useAddress();
  const ways = waysFrom(q, match, clauses);
  // Links appear only after their counts are loaded.
  const counts = useHitCounts(ways);
  const open = ways.map((way, at) => ({ ...way, count: counts?.[at] ?? 0 })).filter(({ count }) => count > 0);
  return (
    <EmptyState title={words.nothing}>
      {open.length === 0 ? null : (
        <>
          {open.length < 2 ? null : <p>{words.nothingHint}</p>}
          <ul class="ways">
            {open.map(({ q: other, match: join, text, count }) => (
              <li key={text}>
                <a href={address("search", {}, { q: other, match: join === "all" ? null : join })}>
                  {text} <span class="count">{counted(count)}</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </EmptyState>
  );
}

/** Queries without one term each, and the remaining terms alone. */
function waysFrom(q: string, match: Match, clauses: readonly ClauseText[]): readonly Way[] {
  const asked = clauses.filter(({ is_excluded }) => !is_excluded);
  const less = clauses.map((clause) => ({ q: withoutRange(q, clause), match, text: words.without(clause.text) }));
  const any =
    clauses.some(({ kind }) => kind === "words") && match === "all"
      ? [{ q, match: "any", text: words.anyWord } as const]
      : [];
  const alone = asked.map(({ text }) => ({ q: text, match, text: words.only(text) }));
  const some = clauses.length < 2 ? any : [...less, ...any, ...(asked.length < 3 ? [] : alone)];
  return [...some, { q: "", match: "all", text: words.everything }];
}

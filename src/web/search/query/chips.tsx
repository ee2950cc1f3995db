import { useAddress } from "../../application.ts";
import { counted } from "../../parts/formats.ts";
import { Icon, IconButton } from "../../parts/icon.tsx";
import { type ClauseText, negated, singleClauseQuery, withoutRange } from "../../shell/query-text.ts";
import { WORDS } from "../../words/words.ts";
import { editInBox } from "../state/edit-in-box.ts";
import type { EditedQuery } from "../state/query-edits.ts";
import type { Match } from "../state/search-state.ts";

interface ChipsProps {
  readonly query: EditedQuery;
  readonly match: Match;
}

/** The parsed clauses of the query: each can be edited, excluded, removed, and searched alone. */
export function Chips({ query, match }: ChipsProps) {
  const { q, clauses } = query;
  if (clauses.length === 0) return q.trim() === "" ? null : <div class="chips" />;
  return (
    <div class="chips">
      <ul aria-label={WORDS.search.conditions}>
        {clauses.map((clause) => (
          <Chip key={clause.start} clause={clause} query={query} match={match} />
        ))}
      </ul>
    </div>
  );
}

function Chip({ clause, query: { edit }, match }: ChipsProps & { readonly clause: ClauseText }) {
  const address = useAddress();
  const { search } = WORDS;
  const { text, count, is_excluded: isExcluded } = clause;
  const alone = { q: singleClauseQuery(clause), match: match === "all" ? null : match };
  return (
    <li class={chipClass(clause)}>
      <button
        type="button"
        class="not"
        aria-pressed={isExcluded}
        // Voice control needs the visible text of the button.
        aria-label={isExcluded ? `${search.excluded}: ${search.negate(text)}` : search.negate(text)}
        title={search.negate(text)}
        onClick={() => edit((q) => negated(q, clause))}
      >
        {isExcluded ? search.excluded : <Icon name="minus" />}
      </button>
      <button type="button" class="what" title={search.edit(text)} onClick={() => editInBox(clause)}>
        <bdi>{isExcluded ? text.replace(/^-/, "") : text}</bdi>
      </button>
      <a class="count" href={address("search", {}, alone)} title={search.alone(count)}>
        {counted(count)}
      </a>
      <IconButton
        icon="close"
        name={search.remove(text)}
        class="out"
        onClick={() => edit((q) => withoutRange(q, clause))}
      />
    </li>
  );
}

/** Parts of the query that could not be interpreted. */
export function Problems({ sentences }: { readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <div class="no-operators">
      {sentences.map((sentence) => (
        <p key={sentence} class="warned">
          <Icon name="warning" /> {sentence}
        </p>
      ))}
    </div>
  );
}

function chipClass({ is_excluded, is_no_operator, count }: ClauseText): string {
  return ["chip", is_excluded ? "excluded" : "", is_no_operator ? "strange" : "", count === 0 ? "none" : ""]
    .filter((name) => name !== "")
    .join(" ");
}

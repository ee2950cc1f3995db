import { useSignal } from "@preact/signals";
import type { FacetWire } from "../../../http/explore-api/wire/wire.ts";
import { MENTION_KINDS } from "../../../mail/records/mention.ts";
import { useAddress, useParameters } from "../../application.ts";
import { useMarks } from "../../notebook/use-marks.ts";
import { counted } from "../../parts/formats.ts";
import { IconButton } from "../../parts/icon.tsx";
import { FaultMessage, Skeleton } from "../../parts/states.tsx";
import { valueNames } from "../../parts/value-names.ts";
import { choiceFromText, choiceOf, withChoice, withExclusion, withoutValue } from "../../shell/query-text.ts";
import { useAnswer } from "../../shell/use-answer.ts";
import { useKeys } from "../../shell/use-keys.ts";
import { WORDS } from "../../words/words.ts";
import type { EditedQuery } from "../state/query-edits.ts";
import type { SearchState } from "../state/search-state.ts";

/** Facets in display order. */
const SHOWN = [
  ...["from", "year", "topic", "mailbox", "type", "domain", "lang", "label", "source", "tag"],
  ...MENTION_KINDS,
];
const isMention = (of: string): boolean => MENTION_KINDS.some((kind) => kind === of);
/** Values of a facet before and after "more". */
const FEW = 6;
const MANY = 200;

interface FacetsProps {
  readonly state: SearchState;
  readonly query: EditedQuery;
  /** Opens the facets on a narrow screen. */
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

interface FacetsAnswer {
  readonly facets: readonly FacetWire[];
}

/** Facet counts of the results: each value can be selected alone, with others, or excluded. */
export function Facets({ state, query, onOpen, onClose }: FacetsProps) {
  const marks = useMarks();
  const { data, isStale, fault, retry } = useAnswer<FacetsAnswer>(
    state.pathOf("/facets", { of: SHOWN.join(","), limit: FEW }),
    marks?.writes.value,
  );
  useKeys({
    facets() {
      if (!document.getElementById("facets")!.checkVisibility()) onOpen();
      requestAnimationFrame(focusFacets);
    },
  });
  return (
    <section aria-label={WORDS.search.facets} aria-busy={isStale}>
      <header>
        <h2>{WORDS.search.facets}</h2>
        <IconButton icon="close" name={WORDS.actions.close} class="tool narrow" onClick={onClose} />
      </header>
      {fault === null ? null : <FaultMessage fault={fault} onRetry={retry} />}
      {data === null && fault === null ? <Skeleton rows={12} height={26} /> : null}
      {data?.facets
        .filter(({ values, none_clause: clause }) => values.length > 0 || (clause !== "" && state.q.includes(clause)))
        .map((facet) => (
          <FacetGroup key={facet.of} facet={facet} state={state} query={query} />
        ))}
    </section>
  );
}

/** Focuses the first available facet: the close button exists only on phones. */
function focusFacets(): void {
  const parts = [...document.querySelectorAll<HTMLElement>("#facets button, #facets input")];
  parts.find((part) => part.checkVisibility())?.focus();
}

interface GroupProps {
  readonly facet: FacetWire;
  readonly state: SearchState;
  readonly query: EditedQuery;
}

function FacetGroup({ facet, state, query }: GroupProps) {
  const change = useParameters();
  const address = useAddress();
  const name = WORDS.search.facetNames[facet.of];
  const isOpen = state.more === facet.of;
  const filter = useSignal("");
  const asked = { of: facet.of, limit: MANY, search: filter.value.trim() };
  const more = useAnswer<FacetsAnswer>(isOpen ? state.pathOf("/facets", asked) : null);
  const shown = (isOpen && more.data?.facets[0]) || facet;
  const names = valueNames(facet.of, shown.values);
  return (
    <fieldset class="facet">
      <legend>{isMention(facet.of) ? <a href={address("mentions", {}, { kind: facet.of })}>{name}</a> : name}</legend>
      {isOpen ? (
        <input
          type="text"
          class="small"
          aria-label={WORDS.search.filterValues}
          placeholder={WORDS.search.filterValues}
          value={filter.value}
          onInput={({ currentTarget }) => {
            filter.value = currentTarget.value;
          }}
        />
      ) : null}
      <ul class={isOpen ? "values long" : "values"}>
        {shown.values.map((value, at) => (
          <FacetValue key={value.clause || value.label} value={value} name={names[at]!} of={facet.of} query={query} />
        ))}
      </ul>
      <p class="quiet rest">
        {facet.other > 0 ? (
          <button
            type="button"
            class="text"
            aria-expanded={isOpen}
            onClick={() => change({ more: isOpen ? null : facet.of }, "replace")}
          >
            {isOpen ? WORDS.search.fewValues : WORDS.search.moreValues(facet.other)}
          </button>
        ) : null}
        {isOpen && shown.other > 0 ? <span>{WORDS.search.otherValues(shown.other)}</span> : null}
        {shown.none > 0 ? <NoValue facet={shown} query={query} /> : null}
      </p>
    </fieldset>
  );
}

/** Messages without a value, with a link to them. */
function NoValue({ facet: { of, none, none_clause: clause }, query }: Omit<GroupProps, "state">) {
  const { clauses, edit } = query;
  const text = WORDS.search.noValue(none);
  if (clause === "") return <span>{text}</span>;
  return (
    <button
      type="button"
      class="text"
      aria-pressed={clauses.some((written) => written.text === clause)}
      onClick={() => edit((q, understood) => withoutValue(q, understood, clause, of))}
    >
      {text}
    </button>
  );
}

interface ValueProps {
  readonly value: FacetWire["values"][number];
  readonly name: string;
  readonly of: FacetWire["of"];
  readonly query: EditedQuery;
}

function FacetValue({ value: { clause, label, count }, name, of, query }: ValueProps) {
  const { q, clauses, isUnderstood, edit } = query;
  const choice = isUnderstood ? choiceOf(clauses, clause) : choiceFromText(q, clause);
  const isOffered = clause !== "";
  return (
    <li class={choice ?? ""}>
      <label title={label}>
        <input
          type="checkbox"
          checked={choice === "included"}
          disabled={!isOffered}
          aria-label={`${WORDS.search.include(name)}, ${counted(count)}`}
          onChange={() => edit((written, understood) => withChoice(written, understood, clause, of))}
        />
        <bdi>{name}</bdi>
        <span class="count">{counted(count)}</span>
      </label>
      {isOffered ? (
        <IconButton
          icon="minus"
          name={WORDS.search.exclude(name)}
          class="out"
          aria-pressed={choice === "excluded"}
          onClick={() => edit((written, understood) => withExclusion(written, understood, clause))}
        />
      ) : null}
    </li>
  );
}

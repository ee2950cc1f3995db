import { useRef } from "preact/hooks";
import type { FacetWire } from "../../http/explore-api/wire/wire.ts";
import type { MentionsWire } from "../../http/explore-api/wire/wire-tables.ts";
import { MENTION_KINDS, type MentionKind } from "../../mail/records/mention.ts";
import { useApi, useRoute } from "../application.ts";
import { DataTable } from "../parts/data-table.tsx";
import { FilterBox } from "../parts/filter-box.tsx";
import { Pager, TABLE_ROWS, useChanged, useOffset } from "../parts/pager.tsx";
import { SearchLink } from "../parts/search-link.tsx";
import { EmptyState, FaultMessage, Skeleton } from "../parts/states.tsx";
import { TimeChart } from "../parts/time-chart.tsx";
import { ViewHead } from "../parts/view-head.tsx";
import type { TimelineAnswer } from "../search/facets/bars.tsx";
import { formatParameters } from "../shell/addresses.ts";
import { type Answered, useAnswer } from "../shell/use-answer.ts";
import { number } from "../words/nouns.ts";
import { TABLE_WORDS } from "../words/table-words.ts";
import { WORDS } from "../words/words.ts";

const { facetNames } = WORDS.search;

/** Mentions of a kind over time and by frequency. */
export function MentionsView() {
  const api = useApi();
  const { kind, kinds, facets } = useMentionKind();
  const search = useRoute().parameters.get("search") ?? "";
  const asked = { kind, search, offset: useOffset(), limit: TABLE_ROWS };
  const answer = useAnswer<MentionsWire>(kind === undefined ? null : api(`/mentions${formatParameters(asked)}`));
  return (
    <div class="page wide">
      <ViewHead title={WORDS.views.mentions} summary={answer.data === null ? "" : number(answer.data.total, "value")}>
        <KindTabs kind={kind} kinds={kinds} />
      </ViewHead>
      <FilterBox name="search" label={WORDS.search.filterValues} />
      {facets.fault === null ? null : <FaultMessage fault={facets.fault} onRetry={facets.retry} />}
      {kind === undefined && facets.fault === null ? <Skeleton rows={8} height={40} /> : null}
      {kinds?.length === 0 ? (
        <EmptyState title={WORDS.search.noMentions}>
          <p>{WORDS.search.noMentionsHint}</p>
        </EmptyState>
      ) : kind === undefined ? null : (
        <MentionsOfKind kind={kind} answer={answer} />
      )}
    </div>
  );
}

/** The kind that the address names, by default the first with values, and all kinds with values. */
function useMentionKind() {
  const api = useApi();
  const named = useRoute().parameters.get("kind");
  const facets = useAnswer<{ readonly facets: readonly FacetWire[] }>(
    api(`/facets?of=${MENTION_KINDS.join(",")}&limit=1`),
  );
  const kinds = facets.data?.facets.filter(({ values }) => values.length > 0).map(({ of }) => of as MentionKind);
  const kind = MENTION_KINDS.find((known) => known === named) ?? (kinds && (kinds[0] ?? MENTION_KINDS[0]));
  return { kind, kinds, facets };
}

interface KindTabsProps {
  readonly kind: MentionKind | undefined;
  /** Kinds with values; undefined until known. */
  readonly kinds: readonly MentionKind[] | undefined;
}

function KindTabs({ kind, kinds }: KindTabsProps) {
  const changed = useChanged();
  return MENTION_KINDS.map((other) =>
    other !== kind && kinds?.includes(other) === false ? (
      <button key={other} type="button" class="button" disabled>
        {facetNames[other]}
      </button>
    ) : (
      <a
        key={other}
        class="button"
        href={changed({ kind: other, search: null })}
        aria-current={other === kind ? "true" : undefined}
      >
        {facetNames[other]}
      </a>
    ),
  );
}

interface MentionsOfKindProps {
  readonly kind: MentionKind;
  readonly answer: Answered<MentionsWire>;
}

function MentionsOfKind({ kind, answer: { data, fault, retry } }: MentionsOfKindProps) {
  const api = useApi();
  const { parameters } = useRoute();
  const clause = `has:${kind}`;
  const times = useAnswer<TimelineAnswer>(api(`/timeline${formatParameters({ q: clause })}`));
  // Chart and values appear together, because loading one after the other would move the page; a search keeps the
  // chart.
  const isWaiting = fault === null && (data === null || (times.data === null && times.fault === null));
  const drawn = useRef<string | null>(null);
  if (!isWaiting) drawn.current = kind;
  const shown = isWaiting ? null : data;
  return (
    <>
      {drawn.current === kind ? <TimeChart timeline={times.data} clause={clause} label={facetNames[kind]} /> : null}
      {fault === null ? null : <FaultMessage fault={fault} onRetry={retry} />}
      {isWaiting ? <Skeleton rows={8} height={40} /> : null}
      {shown?.total === 0 ? (
        <EmptyState title={parameters.has("search") ? WORDS.states.absent : WORDS.search.noMentions} />
      ) : null}
      {shown === null || shown.total === 0 ? null : <Values values={shown.mentions} label={facetNames[kind]} />}
      {shown === null ? null : <Pager total={shown.total} rows={shown.mentions.length} />}
    </>
  );
}

interface ValuesProps {
  readonly values: MentionsWire["mentions"];
  readonly label: string;
}

function Values({ values, label }: ValuesProps) {
  return (
    <DataTable
      label={WORDS.views.mentions}
      rows={values}
      keyOf={({ clause, value }) => clause || value}
      columns={[
        { name: "value", label, cell: ({ value }) => <bdi>{value}</bdi> },
        {
          name: "messages",
          label: TABLE_WORDS.threads.messages,
          isNumber: true,
          cell: ({ clause, messages }) => <SearchLink clause={clause} count={messages} />,
        },
      ]}
    />
  );
}

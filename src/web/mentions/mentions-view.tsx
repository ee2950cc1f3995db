import { useRef } from "preact/hooks";
import type { MentionsWire } from "../../http/explore-api/wire/wire-tables.ts";
import { MENTION_KINDS } from "../../mail/records/mention.ts";
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
import { useAnswer } from "../shell/use-answer.ts";
import { number } from "../words/nouns.ts";
import { TABLE_WORDS } from "../words/table-words.ts";
import { WORDS } from "../words/words.ts";

const { facetNames } = WORDS.search;

/** Mentions of a kind over time and by frequency. */
export function MentionsView() {
  const api = useApi();
  const changed = useChanged();
  const { parameters } = useRoute();
  const kind = MENTION_KINDS.find((known) => known === parameters.get("kind")) ?? MENTION_KINDS[0];
  const asked = { kind, search: parameters.get("search") ?? "", offset: useOffset(), limit: TABLE_ROWS };
  const { data, fault, retry } = useAnswer<MentionsWire>(api(`/mentions${formatParameters(asked)}`));
  const clause = `has:${kind}`;
  const times = useAnswer<TimelineAnswer>(api(`/timeline${formatParameters({ q: clause })}`));
  // Chart and values appear together, because one after the other would move the page; a search keeps the chart.
  const isWaiting = fault === null && (data === null || (times.data === null && times.fault === null));
  const drawn = useRef<string | null>(null);
  if (!isWaiting) drawn.current = kind;
  const shown = isWaiting ? null : data;
  return (
    <div class="page wide">
      <ViewHead title={WORDS.views.mentions} said={data === null ? "" : number(data.total, "value")}>
        {MENTION_KINDS.map((other) => (
          <a
            key={other}
            class="button"
            href={changed({ kind: other, search: null })}
            aria-current={other === kind ? "true" : undefined}
          >
            {facetNames[other]}
          </a>
        ))}
      </ViewHead>
      <FilterBox name="search" label={WORDS.search.filterValues} />
      {drawn.current === kind ? <TimeChart timeline={times.data} clause={clause} label={facetNames[kind]} /> : null}
      {fault === null ? null : <FaultMessage fault={fault} onRetry={retry} />}
      {isWaiting ? <Skeleton rows={8} height={40} /> : null}
      {shown?.total === 0 ? <EmptyState title={WORDS.states.absent} /> : null}
      {shown === null || shown.total === 0 ? null : <Values values={shown.mentions} label={facetNames[kind]} />}
      {shown === null ? null : <Pager total={shown.total} rows={shown.mentions.length} />}
    </div>
  );
}

interface ValuesProps {
  readonly values: MentionsWire["mentions"];
  readonly label: string;
}

function Values({ values, label }: ValuesProps) {
  return (
    <DataTable
      label={label}
      rows={values}
      keyOf={({ clause, value }) => clause || value}
      columns={[
        { name: "value", label, cell: ({ value }) => <bdi>{value}</bdi> },
        {
          name: "messages",
          label: TABLE_WORDS.people.all,
          isNumber: true,
          cell: ({ clause, messages }) => <SearchLink clause={clause} count={messages} />,
        },
      ]}
    />
  );
}

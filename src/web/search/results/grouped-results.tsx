import type { FacetWire } from "../../../http/explore-api/wire/wire.ts";
import { useAddress } from "../../application.ts";
import { useFileColumns } from "../../files/file-columns.tsx";
import type { FilePage } from "../../files/listed-file.ts";
import { type DataColumn, DataTable } from "../../parts/data-table.tsx";
import { spanOf } from "../../parts/formats.ts";
import { Pager, TABLE_ROWS, useOffset } from "../../parts/pager.tsx";
import { SearchLink } from "../../parts/search-link.tsx";
import { EmptyState, FaultMessage, Skeleton } from "../../parts/states.tsx";
import { type ClauseText, withChoice, withClause, withSpan } from "../../shell/query-text.ts";
import { type Answered, useAnswer } from "../../shell/use-answer.ts";
import { TABLE_WORDS } from "../../words/table-words.ts";
import { WORDS } from "../../words/words.ts";
import type { TimelineAnswer } from "../facets/bars.tsx";
import type { GroupedView, SearchState } from "../state/search-state.ts";

/** Maximum people listed on either side of a result. */
const MAX_PEOPLE = 200;
const { search: words } = WORDS;

interface GroupedProps {
  readonly state: SearchState;
  readonly clauses: readonly ClauseText[];
}

const TABLES: Readonly<Record<GroupedView, (props: GroupedProps) => preact.JSX.Element>> = {
  files: ResultFiles,
  people: ResultPeople,
  timeline: ResultSpans,
};

/** Counts of a result as a table: each links to its messages. */
export function GroupedResults({ view, ...props }: GroupedProps & { readonly view: GroupedView }) {
  const Table = TABLES[view];
  return (
    <div class="rows grouped">
      <Table key={props.state.pathOf(view)} {...props} />
    </div>
  );
}

/** Placeholder for an answer that is loading or failed. */
function Waiting({ fault, retry }: Pick<Answered<unknown>, "fault" | "retry">) {
  return fault === null ? <Skeleton rows={10} height={36} /> : <FaultMessage fault={fault} onRetry={retry} />;
}

function ResultFiles({ state: { q, match, pathOf } }: GroupedProps) {
  const { data, ...rest } = useAnswer<FilePage>(pathOf("/files", { offset: useOffset(), limit: TABLE_ROWS }));
  const columns = useFileColumns(q, match);
  if (data === null) return <Waiting {...rest} />;
  if (data.total === 0) return <EmptyState title={TABLE_WORDS.files.none} />;
  return (
    <>
      <DataTable label={WORDS.views.files} rows={data.files} keyOf={({ sha256 }) => sha256} columns={columns} />
      <Pager total={data.total} rows={data.files.length} />
    </>
  );
}

type FacetValue = FacetWire["values"][number];

/** Senders and recipients of a result. */
function ResultPeople({ state: { q, match, pathOf }, clauses }: GroupedProps) {
  const asked = { of: "from,to", limit: MAX_PEOPLE };
  const address = useAddress();
  const { data, ...rest } = useAnswer<{ readonly facets: readonly FacetWire[] }>(pathOf("/facets", asked));
  if (data === null) return <Waiting {...rest} />;
  return (
    <>
      {data.facets.map(({ of, values, other }) => {
        const columns: readonly DataColumn<FacetValue>[] = [
          {
            name: "name",
            label: words.facetNames[of],
            cell: ({ clause, label }) => (
              <a href={address("person", { id: clause.slice(clause.indexOf(":") + 1) })}>
                <bdi>{label}</bdi>
              </a>
            ),
          },
          {
            name: "messages",
            label: TABLE_WORDS.about.messages,
            isNumber: true,
            cell: ({ clause, count }) => (
              <SearchLink clause={clause && withChoice(q, clauses, clause, of)} count={count} match={match} />
            ),
          },
        ];
        return (
          <section key={of} class="panel">
            <DataTable
              label={words.facetNames[of]}
              rows={values}
              keyOf={({ clause, label }) => clause || label}
              columns={columns}
            />
            {other === 0 ? null : <p class="quiet">{words.otherValues(other)}</p>}
          </section>
        );
      })}
    </>
  );
}

interface Span {
  readonly name: string;
  readonly clause: string;
  readonly count: number;
}

/** The messages of a result by year, month or day, whichever fits its range. */
function ResultSpans({ state: { q, match, pathOf }, clauses }: GroupedProps) {
  const { data, ...rest } = useAnswer<TimelineAnswer>(pathOf("/timeline", { by: "auto" }));
  if (data === null) return <Waiting {...rest} />;
  const spans: readonly Span[] = [
    ...data.bins.map(({ span, count }) => ({
      name: spanOf(span),
      clause: withSpan(q, clauses, span, span),
      count,
    })),
    ...data.strays.map((times) => ({
      name: words.strayDates(times),
      clause: withClause(q, times.clause),
      count: times.count,
    })),
    { name: words.noDate, clause: withClause(q, "is:undated"), count: data.undated },
  ];
  return (
    <DataTable
      label={words.viewNames.timeline}
      rows={spans.filter(({ count }) => count > 0)}
      keyOf={({ name }) => name}
      columns={[
        { name: "span", label: words.columns.date, cell: ({ name }) => name },
        {
          name: "messages",
          label: TABLE_WORDS.about.messages,
          isNumber: true,
          cell: ({ clause, count }) => <SearchLink clause={clause} count={count} match={match} />,
        },
      ]}
    />
  );
}

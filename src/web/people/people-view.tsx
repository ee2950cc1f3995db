import type { PeopleWire, PersonRowWire } from "../../http/explore-api/wire/wire-people.ts";
import { useAddress, useApi, useApplication, useParameters, useRoute } from "../application.ts";
import { type DataColumn, DataTable } from "../parts/data-table.tsx";
import { FilterBox } from "../parts/filter-box.tsx";
import { dayOf } from "../parts/formats.ts";
import { Pager, useChanged, useOffset } from "../parts/pager.tsx";
import { nameOf } from "../parts/person.ts";
import { SearchLink } from "../parts/search-link.tsx";
import { EmptyState, FaultMessage, Skeleton } from "../parts/states.tsx";
import { ViewHead } from "../parts/view-head.tsx";
import { formatParameters } from "../shell/addresses.ts";
import { useAnswer } from "../shell/use-answer.ts";
import { useKeys } from "../shell/use-keys.ts";
import { number } from "../words/nouns.ts";
import { TABLE_WORDS } from "../words/table-words.ts";
import { WORDS } from "../words/words.ts";

const words = TABLE_WORDS.people;
const SORTS = ["frequency", "name", "last_seen"] as const;
type Sort = (typeof SORTS)[number];

/** All people with their sent and received counts. */
export function PeopleView() {
  const api = useApi();
  const { parameters } = useRoute();
  const change = useParameters();
  const search = parameters.get("search") ?? "";
  const sort = SORTS.find((known) => known === parameters.get("sort")) ?? "frequency";
  const thread = parameters.get("thread") ?? "";
  const community = parameters.get("community") ?? "";
  const isPart = thread + community !== "";
  const shownSort = isPart ? null : sort;
  const asked = { search, thread, community, sort, offset: useOffset(), limit: PEOPLE_ROWS };
  const { data, fault, retry } = useAnswer<PeopleWire>(api(`/people${formatParameters(asked)}`));
  useKeys({
    sort: () => change({ sort: SORTS[(SORTS.indexOf(sort) + 1) % SORTS.length]!, offset: null }),
  });
  return (
    <div class="page wide">
      <ViewHead
        title={community === "" ? WORDS.views.people : words.community}
        summary={data === null ? "" : number(data.total, "person")}
      >
        <Around thread={thread} isPart={isPart} />
      </ViewHead>
      {isPart ? null : <FilterBox name="search" label={words.filter} />}
      {fault === null ? null : <FaultMessage fault={fault} onRetry={retry} />}
      {data === null && fault === null ? <Skeleton rows={12} height={36} /> : null}
      {data?.total === 0 ? <EmptyState title={words.none} /> : null}
      {data === null || data.people.length === 0 ? null : <PeopleTable people={data.people} sort={shownSort} />}
      {data === null ? null : <Pager total={data.total} rows={data.people.length} pageRows={PEOPLE_ROWS} />}
    </div>
  );
}

/** The conversation of the listed people, and a link to all people. */
function Around({ thread, isPart }: { readonly thread: string; readonly isPart: boolean }) {
  const address = useAddress();
  if (!isPart) return null;
  return (
    <>
      {thread === "" ? null : (
        <a class="button" href={address("thread", { id: thread })}>
          {words.conversation}
        </a>
      )}
      <a class="button" href={address("people")}>
        {words.everybody}
      </a>
    </>
  );
}

/** Rows per page: each costs the server three counts. */
const PEOPLE_ROWS = 50;

function PeopleTable({ people, sort }: { readonly people: readonly PersonRowWire[]; readonly sort: Sort | null }) {
  const { isUtc } = useApplication();
  const changed = useChanged();
  const address = useAddress();
  // People of a conversation are in order of appearance, those of a community the most active first.
  const sorted = (by: Sort, direction: "ascending" | "descending") =>
    sort === null ? undefined : { href: changed({ sort: by }), direction: sort === by ? direction : null };
  const day = (moment: string | null) => (moment === null ? "" : dayOf(moment, isUtc.value));
  const columns: readonly DataColumn<PersonRowWire>[] = [
    {
      name: "name",
      label: words.name,
      sorted: sorted("name", "ascending"),
      cell: (person) => (
        <a href={address("person", { id: person.contact_id })}>
          <bdi>{nameOf(person) || WORDS.noSender}</bdi>
          {/* For narrow screens without the address column. */}
          {person.name === "" ? null : <bdi class="under-name quiet">{person.email}</bdi>}
        </a>
      ),
    },
    {
      name: "email",
      label: words.email,
      isMinor: true,
      cell: ({ email, alias_count: more }) => (
        <>
          <bdi class="quiet">{email}</bdi>
          <span class="quiet">{words.addresses(more)}</span>
        </>
      ),
    },
    { name: "sent", label: words.sent, isNumber: true, cell: ({ sent }) => <Messages figures={sent} /> },
    {
      name: "received",
      label: words.received,
      isNumber: true,
      cell: ({ received }) => <Messages figures={received} />,
    },
    {
      name: "all",
      label: words.all,
      isNumber: true,
      sorted: sorted("frequency", "descending"),
      cell: ({ all }) => <Messages figures={all} />,
    },
    {
      name: "first",
      label: words.first,
      isMinor: true,
      cell: ({ all }) => <span class="nowrap">{day(all.first)}</span>,
    },
    {
      name: "last",
      label: words.last,
      isMinor: true,
      sorted: sorted("last_seen", "descending"),
      cell: ({ all }) => <span class="nowrap">{day(all.last)}</span>,
    },
  ];
  return <DataTable label={WORDS.views.people} rows={people} keyOf={({ contact_id: id }) => id} columns={columns} />;
}

function Messages({ figures }: { readonly figures: { readonly clause: string; readonly messages: number } }) {
  return <SearchLink clause={figures.clause} count={figures.messages} />;
}

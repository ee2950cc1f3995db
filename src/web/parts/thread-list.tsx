import type { ConversationsWire, ConversationWire } from "../../http/explore-api/wire/wire-people.ts";
import { useAddress, useApi, useApplication } from "../application.ts";
import type { Match } from "../search/state/search-state.ts";
import { formatParameters } from "../shell/addresses.ts";
import { useAnswer } from "../shell/use-answer.ts";
import { number } from "../words/nouns.ts";
import { TABLE_WORDS } from "../words/table-words.ts";
import { WORDS } from "../words/words.ts";
import { DataTable } from "./data-table.tsx";
import { counted, dayOf } from "./formats.ts";
import { Pager, useOffset } from "./pager.tsx";
import { SearchLink } from "./search-link.tsx";
import { FaultMessage, Skeleton } from "./states.tsx";

const words = TABLE_WORDS.threads;
const THREADS_ROWS = 50;

interface ThreadListProps {
  readonly q: string;
  readonly match?: Match;
  readonly sort?: string;
}

/** The conversations with messages that match a query, by page, each with its number of matches. */
export function ThreadList({ q, match = "all", sort = "newest" }: ThreadListProps) {
  const api = useApi();
  const asked = { q, match: match === "all" ? null : match, sort, offset: useOffset(), limit: THREADS_ROWS };
  const { data, fault, retry } = useAnswer<ConversationsWire>(api(`/threads${formatParameters(asked)}`));
  if (fault !== null) return <FaultMessage fault={fault} onRetry={retry} />;
  if (data === null) return <Skeleton rows={10} height={36} />;
  return (
    <section class="panel">
      <h2>{number(data.total, "conversation")}</h2>
      {data.threads.length === 0 ? null : <ThreadTable q={q} match={match} threads={data.threads} />}
      <Pager total={data.total} rows={data.threads.length} pageRows={THREADS_ROWS} />
    </section>
  );
}

interface ThreadTableProps {
  readonly q: string;
  readonly match: Match;
  readonly threads: readonly ConversationWire[];
}

/** Query for the matches in one conversation; the parenthesized part must match as a whole. */
function within(q: string, match: Match, id: string): string {
  return q === "" || match === "any" ? `${q} thread:${id}`.trim() : `(${q}) thread:${id}`;
}

/** Conversations with their matches and participants. */
export function ThreadTable({ q, match, threads }: ThreadTableProps) {
  const { isUtc } = useApplication();
  const address = useAddress();
  const day = (moment: string | null) => (
    <span class="nowrap">{moment === null ? WORDS.undated : dayOf(moment, isUtc.value)}</span>
  );
  return (
    <DataTable
      label={words.label}
      rows={threads}
      keyOf={({ id }) => id}
      columns={[
        {
          name: "subject",
          label: words.subject,
          cell: ({ id, subject }) => (
            <a href={address("thread", { id }, { q })}>
              <bdi>{subject || WORDS.noSubject}</bdi>
            </a>
          ),
        },
        {
          name: "hits",
          label: words.found,
          isNumber: true,
          cell: ({ id, hits }) => <SearchLink clause={within(q, match, id)} match={match} count={hits} />,
        },
        {
          name: "messages",
          label: words.messages,
          isNumber: true,
          cell: ({ id, message_count: count }) => <SearchLink clause={`thread:${id}`} count={count} />,
        },
        {
          name: "people",
          label: words.people,
          isNumber: true,
          cell: ({ id, people_count: count }) =>
            count === 0 ? counted(count) : <a href={address("people", {}, { thread: id })}>{counted(count)}</a>,
        },
        { name: "first", label: words.first, cell: ({ first }) => day(first) },
        { name: "last", label: words.last, cell: ({ last }) => day(last) },
      ]}
    />
  );
}

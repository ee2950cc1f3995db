import type { ConversationsWire, ConversationWire } from "../http/explore-api/wire-people.ts";
import { writtenParameters } from "./addresses.ts";
import { useAddress, useApi, useApplication } from "./application.ts";
import { DataTable } from "./data-table.tsx";
import { counted, dayOf } from "./formats.ts";
import { Pager, useOffset } from "./pager.tsx";
import { SearchLink } from "./search-link.tsx";
import { FaultMessage, Skeleton } from "./states.tsx";
import { useAnswer } from "./use-answer.ts";
import { number, WORDS } from "./words.ts";

const { threads: words } = WORDS;
const THREADS_ROWS = 50;

interface ThreadListProps {
  readonly q: string;
  readonly match?: string | null;
  readonly sort?: string;
}

/** The conversations that a query finds messages of, a page at a time, each with how many of it are found. */
export function ThreadList({ q, match = null, sort = "newest" }: ThreadListProps) {
  const api = useApi();
  const asked = { q, match, sort, offset: useOffset(), limit: THREADS_ROWS };
  const { data, fault, retry } = useAnswer<ConversationsWire>(api(`/threads${writtenParameters(asked)}`));
  if (fault !== null) return <FaultMessage fault={fault} onRetry={retry} />;
  if (data === null) return <Skeleton rows={10} height={36} />;
  return (
    <section class="panel">
      <h2>{number(data.total, "conversation")}</h2>
      {data.threads.length === 0 ? null : <ThreadTable q={q} threads={data.threads} />}
      <Pager total={data.total} rows={data.threads.length} pageRows={THREADS_ROWS} />
    </section>
  );
}

function ThreadTable({ q, threads }: { readonly q: string; readonly threads: readonly ConversationWire[] }) {
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
          cell: ({ id, hits }) => (
            <SearchLink clause={q === "" ? `thread:${id}` : `(${q}) thread:${id}`} count={hits} />
          ),
        },
        {
          name: "messages",
          label: words.messages,
          isNumber: true,
          cell: ({ id, message_count: count }) => <SearchLink clause={`thread:${id}`} count={count} />,
        },
        { name: "people", label: words.people, isNumber: true, cell: ({ people_count: count }) => counted(count) },
        { name: "first", label: words.first, cell: ({ first }) => day(first) },
        { name: "last", label: words.last, cell: ({ last }) => day(last) },
      ]}
    />
  );
}

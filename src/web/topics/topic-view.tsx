import type { ConversationWire, TopicDetailWire } from "../../http/explore-api/wire-people.ts";
import { useAddress, useApi, useApplication, usePlace } from "../application.ts";
import { DataTable } from "../data-table.tsx";
import { FaultPage } from "../fault-page.tsx";
import { Figure } from "../figure.tsx";
import { counted, dayOf } from "../formats.ts";
import { MarkBar } from "../notebook/mark-editor.tsx";
import { Skeleton } from "../states.tsx";
import { TABLE_WORDS } from "../table-words.ts";
import { TimeChart } from "../time-chart.tsx";
import { useAnswer } from "../use-answer.ts";
import { ValueList } from "../value-list.tsx";
import { ViewHead } from "../view-head.tsx";
import { WORDS } from "../words.ts";

const words = TABLE_WORDS.topics;

/** One topic: its course over time, who writes about it, and its largest conversations. */
export function TopicView() {
  const api = useApi();
  const address = useAddress();
  const { id } = usePlace();
  const { data, fault, retry } = useAnswer<TopicDetailWire>(api(`/topics/${encodeURIComponent(id)}`));
  if (fault !== null) return <FaultPage title={WORDS.views.topic} fault={fault} onRetry={retry} />;
  if (data === null) return <Skeleton rows={10} height={36} />;
  const { name, keywords, clause, figures, timeline, facets, threads } = data;
  return (
    <div class="page wide">
      <ViewHead title={name} said={keywords.join(", ")} />
      <MarkBar kind="topic" id={id} />
      <ul class="figures">
        <Figure count={figures.messages} name={WORDS.overview.messages} href={address("search", {}, { q: clause })} />
        <Figure count={figures.conversations} name={WORDS.overview.conversations} href={undefined} />
      </ul>
      <TimeChart timeline={timeline} clause={clause} label={words.overTime(name)} />
      <div class="lists">
        {facets
          .filter(({ values }) => values.length > 0)
          .map((facet) => (
            <ValueList key={facet.of} facet={facet} />
          ))}
      </div>
      <Conversations threads={threads} />
    </div>
  );
}

function Conversations({ threads }: { readonly threads: readonly ConversationWire[] }) {
  const { isUtc } = useApplication();
  const address = useAddress();
  if (threads.length === 0) return null;
  const day = (moment: string | null) => (moment === null ? "" : dayOf(moment, isUtc.value));
  return (
    <section class="panel">
      <h2>{words.threads}</h2>
      <DataTable
        label={words.threads}
        rows={threads}
        keyOf={({ id }) => id}
        columns={[
          {
            name: "subject",
            label: words.subject,
            cell: ({ id, subject }) => (
              <a href={address("thread", { id })}>
                <bdi>{subject || WORDS.noSubject}</bdi>
              </a>
            ),
          },
          {
            name: "messages",
            label: WORDS.about.messages,
            isNumber: true,
            cell: ({ message_count: count }) => counted(count),
          },
          { name: "people", label: words.people, isNumber: true, cell: ({ people_count: count }) => counted(count) },
          { name: "last", label: TABLE_WORDS.people.last, cell: ({ last }) => <span class="nowrap">{day(last)}</span> },
        ]}
      />
    </section>
  );
}

import type { TopicDetailWire } from "../../http/explore-api/wire/wire-people.ts";
import { useAddress, useApi, useRoute } from "../application.ts";
import { MarkBar } from "../notebook/mark-editor.tsx";
import { useMarks } from "../notebook/use-marks.ts";
import { Figure } from "../parts/figure.tsx";
import { Lazy } from "../parts/lazy.tsx";
import { Skeleton } from "../parts/states.tsx";
import { ThreadTable } from "../parts/thread-list.tsx";
import { TimeChart } from "../parts/time-chart.tsx";
import { ValueList } from "../parts/value-list.tsx";
import { ViewHead } from "../parts/view-head.tsx";
import { FaultPage } from "../shell/fault-page.tsx";
import { useAnswer } from "../shell/use-answer.ts";
import { noun } from "../words/nouns.ts";
import { TABLE_WORDS } from "../words/table-words.ts";
import { WORDS } from "../words/words.ts";

const words = TABLE_WORDS.topics;

/** A topic over time, with its people and largest conversations. */
export function TopicView() {
  const api = useApi();
  const address = useAddress();
  const { id } = useRoute();
  const marks = useMarks();
  const { data, fault, retry } = useAnswer<TopicDetailWire>(api(`/topics/${encodeURIComponent(id)}`));
  if (fault !== null) return <FaultPage title={WORDS.views.topic} fault={fault} onRetry={retry} />;
  if (data === null) return <Skeleton rows={10} height={36} />;
  const { name, keywords, mentioned, clause, figures, timeline, facets, threads } = data;
  return (
    <div class="page wide">
      <ViewHead title={name} summary={keywords.join(", ")} />
      {mentioned === null ? null : <p class="quiet">{words.mentioned(mentioned.percent, mentioned.keywords)}</p>}
      <MarkBar kind="topic" id={id} />
      {marks === null ? null : (
        <Lazy key={id} load={() => import("../people/corrections.tsx")}>
          {({ TopicCorrections }) => <TopicCorrections topic={data} />}
        </Lazy>
      )}
      <ul class="figures">
        <Figure
          count={figures.messages}
          name={noun(figures.messages, "message")}
          href={address("search", {}, { q: clause })}
        />
        <Figure
          count={figures.conversations}
          name={noun(figures.conversations, "conversation")}
          href={address("search", {}, { q: clause, group: "conversation" })}
        />
      </ul>
      <TimeChart timeline={timeline} clause={clause} label={words.overTime(name)} />
      <div class="lists">
        {facets
          .filter(({ values }) => values.length > 0)
          .map((facet) => (
            <ValueList key={facet.of} facet={facet} clause={clause} />
          ))}
      </div>
      {threads.length === 0 ? null : (
        <section class="panel">
          <h2>{words.threads}</h2>
          <ThreadTable q={clause} match="all" threads={threads} />
        </section>
      )}
    </div>
  );
}

import type { TopicRowWire, TopicsWire } from "../../http/explore-api/wire/wire-people.ts";
import { useAddress, useApi, useRoute } from "../application.ts";
import { useChanged, useOffset } from "../parts/pager.tsx";
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

const words = TABLE_WORDS.topics;
const MOST_TOPICS = 200;
/** Topic of messages without one (`OTHER_TOPIC`). */
const NO_TOPIC = "topic-000";

/** The orders of the topics, as in the URL. */
const SORTS = [
  { sort: "frequency", parameter: null, text: words.sortByCount },
  { sort: "name", parameter: "name", text: words.sortByName },
  { sort: "coherence", parameter: "coherence", text: words.sortByCoherence },
] as const;

/** The topics of the archive: each with its timeline and its coherence. */
export function TopicsView() {
  const api = useApi();
  const changed = useChanged();
  const parameter = useRoute().parameters.get("sort");
  const { sort } = SORTS.find((row) => row.parameter === parameter) ?? SORTS[0];
  const asked = { sort, offset: useOffset(), limit: MOST_TOPICS };
  const { data, fault, retry } = useAnswer<TopicsWire>(api(`/topics${formatParameters(asked)}`));
  return (
    <div class="page wide">
      <ViewHead title={WORDS.views.topics} summary={data === null ? "" : number(data.total, "topic")}>
        {SORTS.map((row) => (
          <a
            key={row.sort}
            class="button"
            href={changed({ sort: row.parameter })}
            aria-current={row.sort === sort ? "true" : undefined}
          >
            {row.text}
          </a>
        ))}
      </ViewHead>
      {fault === null ? null : <FaultMessage fault={fault} onRetry={retry} />}
      {data === null && fault === null ? <Skeleton rows={6} height={150} /> : null}
      {data?.total === 0 ? <EmptyState title={words.none} /> : null}
      <ul class="topic-cards">
        {data === null ? null : inOrder(data.topics).map((topic) => <TopicCard key={topic.id} topic={topic} />)}
      </ul>
    </div>
  );
}

/** Conversations without a topic come last, whatever their number. */
function inOrder(topics: readonly TopicRowWire[]): readonly TopicRowWire[] {
  const isTopic = ({ id }: TopicRowWire): boolean => id !== NO_TOPIC;
  return [...topics.filter(isTopic), ...topics.filter((topic) => !isTopic(topic))];
}

function TopicCard({ topic: { id, name, keywords, mentioned, messages, clause } }: { readonly topic: TopicRowWire }) {
  const api = useApi();
  const address = useAddress();
  const { data } = useAnswer<TimelineAnswer>(api(`/timeline${formatParameters({ q: clause })}`));
  return (
    <li class="panel">
      <h2>
        <a href={address("topic", { id })}>{name}</a>
      </h2>
      <p class="quiet">
        <SearchLink clause={clause} count={messages} />
        {keywords.length === 0 ? "" : ` · ${keywords.join(", ")}`}
      </p>
      {mentioned === null ? null : <p class="quiet">{words.mentioned(mentioned.percent, mentioned.keywords)}</p>}
      <TimeChart timeline={data} clause={clause} label={words.overTime(name)} />
    </li>
  );
}

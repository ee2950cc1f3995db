import type { PersonDetailWire } from "../../http/explore-api/wire/wire-people.ts";
import { useAddress, useApi, useRoute } from "../application.ts";
import { Figure } from "../parts/figure.tsx";
import { nameOf } from "../parts/person.ts";
import { Skeleton } from "../parts/states.tsx";
import { ThreadList } from "../parts/thread-list.tsx";
import { TimeChart } from "../parts/time-chart.tsx";
import { ViewHead } from "../parts/view-head.tsx";
import type { TimelineAnswer } from "../search/facets/bars.tsx";
import { formatParameters } from "../shell/addresses.ts";
import { FaultPage } from "../shell/fault-page.tsx";
import { useAnswer } from "../shell/use-answer.ts";
import { TABLE_WORDS } from "../words/table-words.ts";
import { WORDS } from "../words/words.ts";

const words = TABLE_WORDS.between;

/** Messages from one person to the other, including Cc. */
const clauseOf = (from: string, to: string): string => `from:${from} (to:${to} OR cc:${to})`;

/** All mail between two people, in both directions: amount, time, and conversations. */
export function BetweenView() {
  const api = useApi();
  const address = useAddress();
  const { id, other } = useRoute();
  const one = useAnswer<PersonDetailWire>(api(`/people/${encodeURIComponent(id)}`));
  const two = useAnswer<PersonDetailWire>(api(`/people/${encodeURIComponent(other)}`));
  const [there, back] = [clauseOf(id, other), clauseOf(other, id)];
  const both = `(${there}) OR (${back})`;
  const timeline = (q: string) => useAnswer<TimelineAnswer>(api(`/timeline${formatParameters({ q, by: "month" })}`));
  const answers = { there: timeline(there), back: timeline(back), both: timeline(both) };
  const all = [one, two, ...Object.values(answers)];
  const failed = all.filter(({ fault }) => fault !== null);
  if (failed.length > 0) {
    const retry = (): void => {
      for (const answer of failed) answer.retry();
    };
    return <FaultPage title={WORDS.views.between} fault={failed[0]!.fault!} onRetry={retry} />;
  }
  // All at once, because counts that load one by one would move the content below.
  if (one.data === null || two.data === null || all.some(({ data }) => data === null))
    return <Skeleton rows={10} height={36} />;
  const [first, second] = [nameOf(one.data), nameOf(two.data)];
  const rows = [
    { label: words.wrote(first, second), clause: there, answer: answers.there },
    { label: words.wrote(second, first), clause: back, answer: answers.back },
    { label: words.both, clause: both, answer: answers.both },
  ];
  return (
    <div class="page wide">
      <ViewHead title={words.title(first, second)}>
        <a class="button" href={address("person", { id })}>
          <bdi>{first}</bdi>
        </a>
        <a class="button" href={address("person", { id: other })}>
          <bdi>{second}</bdi>
        </a>
      </ViewHead>
      <ul class="figures">
        {rows.map(({ label, clause, answer: { data } }) =>
          data === null ? null : (
            <Figure
              key={clause}
              count={data.total}
              name={label}
              href={data.total === 0 ? undefined : address("search", {}, { q: clause, sort: "oldest" })}
            />
          ),
        )}
      </ul>
      <div class="charts">
        {rows
          .slice(0, 2)
          .map(({ label, clause, answer: { data } }) =>
            data?.total === 0 ? null : <TimeChart key={clause} timeline={data} clause={clause} label={label} />,
          )}
      </div>
      {answers.both.data!.total === 0 ? null : <ThreadList q={both} />}
    </div>
  );
}

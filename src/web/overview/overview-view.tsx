import type { FacetWire } from "../../http/explore-api/wire/wire.ts";
import type { OverviewWire } from "../../http/explore-api/wire/wire-overview.ts";
import { valuesInOrder } from "../../mail/records/topic.ts";
import { useAddress, useApi } from "../application.ts";
import { CopyLinkButton } from "../parts/copy-link-button.tsx";
import { Figure } from "../parts/figure.tsx";
import { counted, spanOf } from "../parts/formats.ts";
import { Icon } from "../parts/icon.tsx";
import { FaultMessage, Skeleton } from "../parts/states.tsx";
import { TimeChart } from "../parts/time-chart.tsx";
import { ValueList } from "../parts/value-list.tsx";
import { SearchBox } from "../search/query/search-box.tsx";
import { useAnswer } from "../shell/use-answer.ts";
import { useArchiveName } from "../shell/use-archive-name.ts";
import { useTitle } from "../shell/use-title.ts";
import { noun } from "../words/nouns.ts";
import { WORDS } from "../words/words.ts";

/** Values per list: the others are one click away. */
const SHOWN_VALUES = 10;

const LISTS = ["from", "topic", "mailbox", "domain", "type", "lang", "label", "source", "tag"] as const;

/** Overview of an archive: period, completeness, people and content. Every number is a link. */
export function OverviewView() {
  const api = useApi();
  const address = useAddress();
  const overview = useAnswer<OverviewWire>(api("/overview"));
  const facets = useAnswer<{ readonly facets: readonly FacetWire[] }>(
    api(`/facets?of=${LISTS.join(",")}&limit=${SHOWN_VALUES}`),
  );
  useTitle(WORDS.views.overview);
  const fault = overview.fault ?? facets.fault;
  return (
    <div class="overview">
      <SearchBox q="" />
      <div class="overview-body">
        <header>
          <h1>{useArchiveName()}</h1>
          <CopyLinkButton />
        </header>
        {fault === null ? null : (
          <FaultMessage
            fault={fault}
            onRetry={() => {
              overview.retry();
              facets.retry();
            }}
          />
        )}
        <Figures overview={overview.data} />
        <Completeness counts={overview.data?.counts ?? null} damaged={overview.data?.damaged_sources ?? 0} />
        <TimeChart timeline={overview.data?.timeline ?? null} label={WORDS.overview.timeline} />
        <div class="lists">
          {facets.data === null ? <Skeleton rows={8} height={24} /> : null}
          {facets.data?.facets
            .filter(({ values }) => values.length > 0)
            .map((facet) => (
              <ValueList
                key={facet.of}
                facet={{ ...facet, values: [...valuesInOrder(facet.of, facet.values)] }}
                isOfAll
              />
            ))}
        </div>
        {facets.data === null && facets.fault === null ? null : (
          <p class="related">
            {(["graph", "items", "hits"] as const).map((view) => (
              <a key={view} class="button" href={address(view)}>
                {WORDS.views[view]}
              </a>
            ))}
          </p>
        )}
      </div>
    </div>
  );
}

function Figures({ overview: figures }: { readonly overview: OverviewWire | null }) {
  const address = useAddress();
  const { overview } = WORDS;
  if (figures === null) return <Skeleton rows={1} height={64} />;
  const { timeline } = figures;
  const [first, last] = [timeline.bins[0]?.span ?? "", timeline.bins.at(-1)?.span ?? ""];
  return (
    <ul class="figures">
      <Figure count={figures.messages} name={noun(figures.messages, "message")} href={address("search")} />
      <Figure
        count={figures.threads}
        name={noun(figures.threads, "conversation")}
        href={address("search", {}, { group: "conversation" })}
      />
      <Figure count={figures.contacts} name={noun(figures.contacts, "person")} href={address("people")} />
      <Figure count={figures.topics} name={noun(figures.topics, "topic")} href={address("topics")} />
      <li>
        <span>
          <span class="figure">{first === "" ? "–" : [...new Set([first, last])].map(spanOf).join(" – ")}</span>
          <span class="quiet">{overview.dates}</span>
        </span>
      </li>
    </ul>
  );
}

interface Counts {
  readonly seen: number;
  readonly kept: number;
  readonly duplicate: number;
  readonly skipped: number;
  readonly failed: number;
}

const NAMES = ["seen", "kept", "duplicate", "skipped", "failed"] as const;

interface CompletenessProps {
  /** Null while loading. */
  readonly counts: Counts | null;
  /** Sources that may contain further items. */
  readonly damaged: number;
}

/** Reconciliation of all sources in one line: found = sum of the outcomes, and whether anything is missing. */
function Completeness({ counts: sums, damaged }: CompletenessProps) {
  const address = useAddress();
  if (sums === null) return <p class="completeness" />;
  const isWhole = sums.failed + sums.skipped + damaged === 0;
  return (
    <p class={isWhole ? "completeness whole" : "completeness"}>
      <Icon name={isWhole ? "check" : "warning"} />
      <span>
        <b>{isWhole ? WORDS.overview.complete : WORDS.overview.incomplete}</b>{" "}
        <a href={address("about")}>
          {`${counted(sums.seen)} ${WORDS.counts.seen} = `}
          {NAMES.slice(1)
            .map((name) => `${counted(sums[name])} ${WORDS.counts[name]}`)
            .join(" + ")}
        </a>
        {damaged === 0 ? null : (
          <>
            {"; "}
            <a href={address("warnings")}>{WORDS.overview.damaged(damaged)}</a>
          </>
        )}
      </span>
    </p>
  );
}

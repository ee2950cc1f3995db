import type { ComponentChildren } from "preact";
import type { FacetWire } from "../../http/explore-api/wire.ts";
import type { OverviewWire } from "../../http/explore-api/wire-overview.ts";
import type { ViewName } from "../addresses.ts";
import { useAddress, useApi, useApplication, usePlace } from "../application.ts";
import { counted, languageOf, spanOf } from "../formats.ts";
import { withSpan } from "../query-text.ts";
import { Bars, type TimelineAnswer } from "../search/bars.tsx";
import { SearchBox } from "../search/search-box.tsx";
import { FaultMessage, Skeleton } from "../states.tsx";
import { useAnswer } from "../use-answer.ts";
import { useTitle } from "../use-title.ts";
import { WORDS } from "../words.ts";
import { Completeness } from "./completeness.tsx";

/** Values of each list: the rest is one step away. */
const SHOWN_VALUES = 10;

const LISTS = ["from", "topic", "mailbox", "domain", "type", "lang", "label", "source"] as const;

/** Where all values of a list are shown, once there is such a view. */
const WHOLE_LISTS: Partial<Readonly<Record<(typeof LISTS)[number], ViewName>>> = {
  from: "people",
  topic: "topics",
  mailbox: "mailboxes",
  type: "files",
};

/** What the archive is: from when to when, how complete, and who and what is in it. Every number is a link. */
export function OverviewView() {
  const api = useApi();
  const { shell, views } = useApplication();
  const { archive } = usePlace();
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
        <h1>{shell.archive?.name ?? archive}</h1>
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
        <Completeness counts={overview.data?.counts ?? null} />
        <TimeChart timeline={overview.data?.timeline ?? null} />
        <div class="lists">
          {facets.data === null ? <Skeleton rows={8} height={24} /> : null}
          {facets.data?.facets
            .filter(({ values }) => values.length > 0)
            .map((facet) => (
              <ValueList key={facet.of} facet={facet} />
            ))}
        </div>
        {shell.server === "local" && !views.has("graph") ? (
          <p class="related">
            <a class="button" href="/graph.html">
              {WORDS.overview.graph}
            </a>
          </p>
        ) : null}
      </div>
    </div>
  );
}

function Figures({ overview: told }: { readonly overview: OverviewWire | null }) {
  const address = useAddress();
  const { views } = useApplication();
  const { overview } = WORDS;
  if (told === null) return <Skeleton rows={1} height={64} />;
  const { timeline } = told;
  const [first, last] = [timeline.bins[0]?.span ?? "", timeline.bins.at(-1)?.span ?? ""];
  return (
    <ul class="figures">
      <Figure count={told.messages} name={overview.messages} href={address("search")} />
      <Figure count={told.threads} name={overview.conversations} href={address("search", {}, { sort: "newest" })} />
      <Figure count={told.contacts} name={overview.people} href={views.has("people") ? address("people") : undefined} />
      <Figure count={told.topics} name={overview.topics} href={views.has("topics") ? address("topics") : undefined} />
      <li>
        <span class="figure">{first === "" ? "–" : `${spanOf(first)} – ${spanOf(last)}`}</span>
        <span class="quiet">{overview.dates(timeline.stray, timeline.undated)}</span>
      </li>
    </ul>
  );
}

interface FigureProps {
  readonly count: number;
  readonly name: (count: number) => string;
  readonly href: string | undefined;
}

function Figure({ count, name, href }: FigureProps) {
  const text = <span class="figure">{counted(count)}</span>;
  const words = <span class="quiet">{name(count)}</span>;
  return (
    <li>
      {href === undefined ? (
        <>
          {text}
          {words}
        </>
      ) : (
        <a href={href}>
          {text}
          {words}
        </a>
      )}
    </li>
  );
}

function TimeChart({ timeline }: { readonly timeline: TimelineAnswer | null }) {
  const { navigation } = useApplication();
  const address = useAddress();
  if (timeline === null || timeline.bins.length === 0) return <div class="time-chart" />;
  const { bins } = timeline;
  return (
    <section class="time-chart" aria-label={WORDS.overview.timeline}>
      <Bars
        timeline={timeline}
        onChoose={(first, last) =>
          navigation.go(address("search", {}, { q: withSpan("", [], bins[first]!.span, bins[last]!.span) }))
        }
      />
      <p class="ends quiet">
        <span>{spanOf(bins[0]!.span)}</span>
        <span>{WORDS.overview.dragHint}</span>
        <span>{spanOf(bins.at(-1)!.span)}</span>
      </p>
    </section>
  );
}

function ValueList({ facet }: { readonly facet: FacetWire }) {
  const address = useAddress();
  const { views } = useApplication();
  const most = Math.max(...facet.values.map(({ count }) => count));
  const view = WHOLE_LISTS[facet.of as (typeof LISTS)[number]];
  return (
    <section class="value-list">
      <h2>{WORDS.search.facetNames[facet.of]}</h2>
      <ol>
        {facet.values.map(({ clause, label, count }) => {
          const name = facet.of === "lang" ? languageOf(label) : label;
          return (
            <li key={clause || label}>
              <Line href={clause === "" ? null : address("search", {}, { q: clause })}>
                <bdi title={name}>{name}</bdi>
                <span class="count">{counted(count)}</span>
                <span class="share" style={{ width: `${(count / most) * 100}%` }} />
              </Line>
            </li>
          );
        })}
      </ol>
      {facet.other === 0 ? null : (
        <p class="quiet">
          {view === undefined || !views.has(view) ? (
            WORDS.search.otherValues(facet.other)
          ) : (
            <a href={address(view)}>{WORDS.overview.all}</a>
          )}
        </p>
      )}
    </section>
  );
}

function Line({ href, children }: { readonly href: string | null; readonly children: ComponentChildren }) {
  return href === null ? <span>{children}</span> : <a href={href}>{children}</a>;
}

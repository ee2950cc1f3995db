import { COUNTS, requiredDate } from "../../../document/published-values.ts";
import type { Archive } from "../../../mail/archive.ts";
import { damagedSources, type Provenance, type SourceRecord, sumCounts } from "../../../mail/records/provenance.ts";
import { valuesInOrder } from "../../../mail/records/topic.ts";
import { queryRoute } from "../../query-api/query-route.ts";
import { noParameters } from "../../query-api/wire-requests.ts";
import { disambiguateLabels } from "../setting/disambiguate-labels.ts";
import type { ExploreRequest } from "../setting/explore-setting.ts";
import { facetWire, timelineWire } from "../setting/facet-wire.ts";
import type { FacetWire } from "../wire/wire.ts";
import { type OverviewWire, overviewSchema } from "../wire/wire-overview.ts";

/** Maximum senders, topics, mailboxes and domains listed. */
const NAMED = 12;
/** Maximum sources listed: a directory of files is one, but files can be named by the thousand. */
const MAX_SOURCES = 100;

const EVERYTHING = { query: "", match: "all" } as const;

export const overview = queryRoute({
  path: "/overview",
  summary: "Overview of the archive: counts, date range, top people and completeness",
  parameters: noParameters,
  data: overviewSchema,
  async answer({ archive, setting }: ExploreRequest): Promise<OverviewWire> {
    const [statistics, record, timeline, facets, notebook] = await Promise.all([
      archive.stats(),
      archive.provenance(),
      archive.explore.timeline({ ...EVERYTHING, by: "auto" }),
      archive.explore.facets({ ...EVERYTHING, of: ["from", "topic", "mailbox", "domain"], limit: NAMED }),
      setting.hasNotebook ? notebookWire(archive) : null,
    ]);
    const { sources, options, redactions } = record;
    return {
      name: setting.name.toWellFormed(),
      messages: statistics.totalMessages,
      threads: statistics.totalThreads,
      multi_message_threads: statistics.multiMessageThreads,
      contacts: statistics.totalContacts,
      topics: statistics.totalTopics,
      attachments: statistics.totalAttachments,
      events: statistics.totalCalendarEvents,
      items: statistics.totalItems,
      timeline: timelineWire(timeline),
      facets: (await disambiguateLabels(archive, facets)).map(facetWire).map(inOrder),
      counts: COUNTS.write(sumCounts(sources.map(({ counts }) => counts))),
      source_count: sources.length,
      damaged_sources: damagedSources(record.warnings).size,
      sources: sources.slice(0, MAX_SOURCES).map(sourceWire),
      warnings: warningsByCode(record),
      warnings_unlisted: record.warningsTruncated,
      is_withheld: options.redact.length > 0,
      keeps_copies: options.keepCopies,
      notebook,
      redactions: options.redact.map((type) => ({ type, count: redactions[type] })),
      extracted_at: requiredDate(record.extractedAt),
      tool_version: record.toolVersion,
    };
  },
});

function inOrder(facet: FacetWire): FacetWire {
  return { ...facet, values: [...valuesInOrder(facet.of, facet.values)] };
}

function sourceWire(source: SourceRecord, number: number): OverviewWire["sources"][number] {
  return {
    source: number,
    path: source.path,
    format: source.format,
    size_bytes: source.sizeBytes,
    sha256: source.sha256,
    counts: COUNTS.write(source.counts),
  };
}

function warningsByCode({ warnings }: Pick<Provenance, "warnings">): OverviewWire["warnings"] {
  const counts = new Map<string, number>();
  for (const { code } of warnings) counts.set(code, (counts.get(code) ?? 0) + 1);
  return Array.from(counts, ([code, count]) => ({ code, count })).sort((left, right) => right.count - left.count);
}

/** A damaged notebook does not hide the archive; requests for its entries report the fault. */
async function notebookWire(archive: Archive): Promise<OverviewWire["notebook"]> {
  try {
    const { revision, searches } = await archive.notebook();
    return { revision, saved_searches: searches.length, is_readable: true };
  } catch {
    return { revision: 0, saved_searches: 0, is_readable: false };
  }
}

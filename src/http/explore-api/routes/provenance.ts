import * as z from "zod";
import { provenanceDocument } from "../../../document/provenance.ts";
import type { Archive } from "../../../mail/archive.ts";
import { damagedSources, type Provenance, sumCounts, type Warning } from "../../../mail/records/provenance.ts";
import { queryRoute } from "../../query-api/query-route.ts";
import { filter, limit, mustBe, noParameters, offset } from "../../query-api/wire-requests.ts";
import { countLinks, outcomesOf, warnedCounts } from "../setting/count-links.ts";
import {
  outcome as outcomeOfWarning,
  provenanceRecordSchema,
  type SourceWire,
  type WarningPageWire,
  warningPageSchema,
} from "../wire/wire-provenance.ts";

/** Value of `source` for warnings about the run. */
const RUN = "run";

const sourceError = mustBe(`the number of a source, or ${RUN}`);

export const provenance = queryRoute({
  path: "/provenance",
  summary: "Provenance: sources, runs, options, item counts and warnings by code",
  parameters: noParameters,
  data: provenanceRecordSchema,
  async answer({ archive }) {
    const stored = await archive.provenance();
    const { sources, warnings, ...record } = provenanceDocument({
      ...stored,
      warnings: [],
      sources: stored.sources.map((source) => ({ ...source, mailboxes: [] })),
    });
    const found = await messagesOfSources(archive);
    const warned = countedBy(stored.warnings, (warning) => warning.source);
    const damaged = damagedSources(stored.warnings);
    const waysOf = await countLinks(archive);
    const counts = sumCounts(stored.sources.map((source) => source.counts));
    return {
      ...record,
      counts,
      ways: {
        // Over all sources, every message is kept exactly once.
        kept: counts.kept === record.statistics.total_messages ? "" : null,
        warned: warnedCounts(counts, outcomesOf(stored), stored.warningsTruncated),
      },
      sources: sources.map((source, index): SourceWire => {
        const shown = { source: index, messages: found.get(index) ?? 0, clause: sourceClause(index) };
        return {
          ...source,
          ...shown,
          mailboxes: stored.sources[index]!.mailboxes.length,
          warnings: warned.get(index) ?? 0,
          is_damaged: damaged.has(index),
          ways: waysOf({ ...shown, mailbox: null, counts: source.counts }),
        };
      }),
      warnings: codesOf(stored.warnings),
    };
  },
});

export const warnings = queryRoute({
  path: "/warnings",
  summary: "Warnings: items that were skipped, failed or noted",
  parameters: z.object({
    code: filter("warnings of this code"),
    source: z
      .string({ error: sourceError })
      .regex(/^(?:\d{1,9}|run)$/, { error: sourceError })
      .optional()
      .describe(`warnings about this source; ${RUN} for warnings about the run`),
    outcome: outcomeOfWarning.optional().describe("warnings about skipped items, failed items, or neither"),
    search: filter("substring of message or location, ignoring case"),
    limit: limit(100),
    offset,
  }),
  data: warningPageSchema,
  async answer({ archive, parameters: { code, source, outcome, search, limit: most, offset: first } }) {
    const stored = await archive.provenance();
    const outcomes = outcomesOf(stored);
    const wanted = (search ?? "").toLowerCase();
    const all = stored.warnings.map((warning, at): OutcomeWarning => ({ ...warning, outcome: outcomes[at]! }));
    const named = all.filter(({ message, location }) => `${message}\n${location ?? ""}`.toLowerCase().includes(wanted));
    const fitsSource = (warning: Warning): boolean => source === undefined || sourceName(warning.source) === source;
    const fitsCode = (warning: Warning): boolean => !code || warning.code === code;
    const fitsOutcome = (warning: Warning): boolean => outcome === undefined || warning.outcome === outcome;
    const fits = (...conditions: readonly ((warning: Warning) => boolean)[]): readonly OutcomeWarning[] =>
      named.filter((warning) => conditions.every((condition) => condition(warning)));
    const fitting = fits(fitsSource, fitsCode, fitsOutcome);
    return {
      total: fitting.length,
      codes: codesOf(fits(fitsSource, fitsOutcome)),
      sources: sourcesOf(fits(fitsCode, fitsOutcome), stored),
      outcomes: outcomesWithWarnings(fits(fitsSource, fitsCode)),
      warnings: fitting.slice(first, first + most).map((warning) => ({
        ...warning,
        message: warning.message.toWellFormed(),
        location: warning.location?.toWellFormed() ?? null,
      })),
      truncated: stored.warningsTruncated,
    };
  },
});

/** The clause for messages with a location in a source. */
export function sourceClause(source: number): string {
  return `source:${source}`;
}

/** Number of messages with a location in each source. */
export async function messagesOfSources(archive: Archive): Promise<ReadonlyMap<number, number>> {
  const { sources } = await archive.provenance();
  const request = { query: "", match: "all", of: ["source"], limit: Math.max(1, sources.length) } as const;
  const [facet] = await archive.explore.facets(request);
  return new Map(facet!.values.map(({ clause, count }) => [Number(clause.split(":")[1]), count]));
}

/** A warning and the outcome of its item, if known. */
type OutcomeWarning = Warning & Pick<WarningPageWire["warnings"][number], "outcome">;

function outcomesWithWarnings(listed: readonly OutcomeWarning[]): WarningPageWire["outcomes"] {
  const counts = countedBy(listed, ({ outcome }) => outcome);
  return outcomeOfWarning.options.flatMap((outcome) => {
    const count = counts.get(outcome) ?? 0;
    return count === 0 ? [] : [{ outcome, count }];
  });
}

const sourceName = (source: number | null): string => (source === null ? RUN : String(source));

function countedBy<Key>(listed: readonly Warning[], keyOf: (warning: Warning) => Key): ReadonlyMap<Key, number> {
  const counts = new Map<Key, number>();
  for (const warning of listed) counts.set(keyOf(warning), (counts.get(keyOf(warning)) ?? 0) + 1);
  return counts;
}

function codesOf(listed: readonly Warning[]): WarningPageWire["codes"] {
  const counts = Array.from(countedBy(listed, ({ code }) => code));
  return counts
    .sort((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1))
    .map(([code, count]) => ({ code, count }));
}

function sourcesOf(listed: readonly Warning[], { sources }: Provenance): WarningPageWire["sources"] {
  const counts = Array.from(countedBy(listed, ({ source }) => source));
  return counts
    .sort((left, right) => right[1] - left[1])
    .map(([source, count]) => ({
      source,
      path: source === null ? "" : (sources[source]?.path ?? String(source)).toWellFormed(),
      count,
    }));
}

import { ArchiveError } from "../../errors.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import type { ItemOrigin } from "../../mail/records/item.ts";
import {
  type Counts,
  type ExtractionOptions,
  NO_COUNTS,
  type PeopleRecord,
  type RedactionCounts,
  type SourceRecord,
  sumCounts,
} from "../../mail/records/provenance.ts";
import { hashOfSources } from "../../mail/records/source-hashes.ts";
import type { ArchiveWriter } from "../../store/contract/archive-writer.ts";
import { TOOL_NAME, TOOL_VERSION } from "../../version.ts";
import type { Knowledge } from "../knowledge/knowledge-phases.ts";
import type { Ledger } from "../ledger/deduplicate.ts";
import type { NumberedSource } from "../reading/numbered-source.ts";
import type { ParsedSources } from "../reading/parsing-phase.ts";

/**
 * Records of all sources of the archive. Those of this run are recomputed; the others change only if an update took
 * over events.
 */
export function sourceRecords(
  before: readonly SourceRecord[],
  sources: readonly NumberedSource[],
  now: { readonly parsed: ParsedSources; readonly ledger: Ledger; readonly knowledge: Knowledge },
): readonly SourceRecord[] {
  const records = [...before];
  for (const [position, { source, index }] of sources.entries()) {
    const mailboxes = now.ledger.mailboxes(index);
    const { name, format, sizeBytes } = source;
    const counts = sumCounts(mailboxes.map((mailbox) => mailbox.counts));
    const sha256 = now.parsed.hashes[position]!;
    records[index] = { path: name, format, sha256, sizeBytes, counts, calendarEvents: 0, mailboxes };
  }
  const { replaced } = now.knowledge.calendarItems;
  return records.map((record, index) => ({
    ...withDuplicates(
      record,
      replaced.filter(({ source }) => source === index),
    ),
    calendarEvents: now.knowledge.eventsOfSource(index),
  }));
}

/** The record of a source with items counted as kept that are duplicates. */
function withDuplicates(record: SourceRecord, replaced: readonly ItemOrigin[]): SourceRecord {
  if (replaced.length === 0) return record;
  const moved = new Map<string, number>();
  for (const { mailbox } of replaced) moved.set(mailbox, (moved.get(mailbox) ?? 0) + 1);
  const mailboxes = record.mailboxes.map(({ name, counts }) => ({
    name,
    counts: moveKept(counts, moved.get(name) ?? 0),
  }));
  return { ...record, mailboxes, counts: moveKept(record.counts, replaced.length) };
}

function moveKept(counts: Counts, moved: number): Counts {
  return { ...counts, kept: counts.kept - moved, duplicate: counts.duplicate + moved };
}

/**
 * Throws COUNTS_DISAGREE if the archive's records of a source of this run differ from those counted as kept, plus those
 * of an earlier run that the source no longer contains.
 */
export async function requireRecords(
  writer: ArchiveWriter,
  sources: readonly NumberedSource[],
  { records, ledger }: { readonly records: readonly SourceRecord[]; readonly ledger: Ledger },
): Promise<void> {
  const stored = await writer.keptRecords();
  for (const { source, index } of sources) {
    const expected = records[index]!.counts.kept + ledger.goneOf(index);
    const found = stored.get(index) ?? 0;
    if (found !== expected)
      throw new ArchiveError(
        "COUNTS_DISAGREE",
        `${source.name}: ${found} records are in the archive, but ${expected} are accounted for`,
      );
  }
}

/** Results after storing. */
interface Stored {
  readonly records: readonly SourceRecord[];
  readonly ledger: Ledger;
  readonly knowledge: Knowledge;
  /** False when it adds to an archive. */
  readonly isFirst: boolean;
}

/** Counts added by this run. */
export function addedCounts(
  before: readonly SourceRecord[],
  sources: readonly NumberedSource[],
  { records, ledger, knowledge, isFirst }: Stored,
): Counts {
  const sum = sumCounts(sources.map(({ index }) => records[index]!.counts));
  if (isFirst) return sum;
  const earlier = sumCounts(sources.map(({ index }) => before[index]?.counts ?? NO_COUNTS));
  const { addedKept, addedDuplicates } = knowledge.calendarItems;
  const kept = ledger.addedMessages + ledger.items.addedItems + addedKept;
  const duplicate = knowledge.addedPlaces + addedDuplicates;
  const skipped = Math.max(0, sum.skipped - earlier.skipped);
  const failed = Math.max(0, sum.failed - earlier.failed);
  return { seen: kept + duplicate + skipped + failed, kept, duplicate, skipped, failed };
}

/** Data recorded about the whole archive. */
interface Recorded {
  readonly records: readonly SourceRecord[];
  readonly redactions: RedactionCounts;
  readonly people: PeopleRecord;
}

/** Writes provenance of the archive and of each source. */
export async function writeRecord(
  writer: ArchiveWriter,
  { options, startedAt }: { readonly options: ExtractionOptions; readonly startedAt: Instant },
  { records, redactions, people }: Recorded,
): Promise<void> {
  const formats = new Set(records.map((record) => record.format));
  await writer.replaceSources(records);
  await writer.setRecord({
    tool: TOOL_NAME,
    toolVersion: TOOL_VERSION,
    extractedAt: startedAt,
    sourceHash: hashOfSources(records.map((record) => record.sha256)),
    sourceFormat: formats.size === 1 ? records[0]!.format : "mixed",
    options,
    redactions,
    people,
  });
}

import type { Archive } from "../../../mail/archive.ts";
import type { Counts, Provenance, WarnedOutcome } from "../../../mail/records/provenance.ts";
import type { CountLinksWire } from "../wire/wire-provenance.ts";

/** A source or mailbox with counts. */
interface CountedPlace {
  readonly source: number;
  /** Null for the source. */
  readonly mailbox: string | null;
  readonly counts: Counts;
  /** Messages with a location in it, and the query that finds them. */
  readonly messages: number;
  readonly clause: string;
}

/** Queries that find what the counts of sources and mailboxes count. */
export async function countLinks(archive: Archive): Promise<(place: CountedPlace) => CountLinksWire> {
  const provenance = await archive.provenance();
  const outcomes = outcomesOf(provenance);
  const bySource = new Map<number | null, (WarnedOutcome | null)[]>();
  for (const [at, { source }] of provenance.warnings.entries()) {
    const ofSource = bySource.get(source) ?? [];
    ofSource.push(outcomes[at]!);
    bySource.set(source, ofSource);
  }
  const holdsItems = await itemPlaces(archive);
  return ({ source, mailbox, counts, messages, clause }) => {
    // A kept message has its first location there. If as many messages have any location there, and no other items
    // were kept, they are the same.
    const isExact = counts.kept === messages && (counts.duplicate === 0 || !holdsItems(source, mailbox));
    return {
      kept: isExact ? clause : null,
      warned: warnedCounts(counts, bySource.get(source) ?? [], provenance.warningsTruncated),
    };
  };
}

/** Outcomes with a listed warning for every item. None if warnings were truncated: any may be missing. */
export function warnedCounts(
  counts: Counts,
  outcomes: readonly (WarnedOutcome | null)[],
  truncated: number,
): CountLinksWire["warned"] {
  if (truncated > 0) return [];
  const countOf = (name: WarnedOutcome): number => outcomes.filter((outcome) => outcome === name).length;
  return (["skipped", "failed"] as const).filter((name) => counts[name] > 0 && countOf(name) === counts[name]);
}

/**
 * Returns the outcome of the item of each warning. Archives of earlier versions do not store it. There it is known only
 * if all warnings of a source belong to its only nonzero count, and their number equals it.
 */
export function outcomesOf({
  warnings,
  sources,
  warningsTruncated,
}: Pick<Provenance, "warnings" | "sources" | "warningsTruncated">): readonly (WarnedOutcome | null)[] {
  const unknown = new Map<number, number>();
  for (const { source, outcome } of warnings)
    if (source !== null && outcome == null) unknown.set(source, (unknown.get(source) ?? 0) + 1);
  const ofAll = ({ skipped, failed }: Counts, count: number): WarnedOutcome | null => {
    if (warningsTruncated > 0 || skipped + failed !== count) return null;
    if (failed === 0) return "skipped";
    return skipped === 0 ? "failed" : null;
  };
  return warnings.map(({ source, outcome }) => {
    if (outcome != null || source === null) return outcome ?? null;
    return ofAll(sources[source]!.counts, unknown.get(source)!);
  });
}

/** True for a source or mailbox with kept appointments or Outlook items. */
type HoldsItems = (source: number, mailbox: string | null) => boolean;

const known = new WeakMap<Archive, Promise<HoldsItems>>();

/** An open archive never changes, so this is computed once. */
function itemPlaces(archive: Archive): Promise<HoldsItems> {
  const places = known.get(archive) ?? placesOf(archive);
  known.set(archive, places);
  return places;
}

async function placesOf({ events, items }: Archive): Promise<HoldsItems> {
  const mailboxes = new Map<number, Set<string>>();
  for (const records of [events, items]) {
    for await (const batch of records.scan()) {
      for (const { source, mailbox } of batch) {
        if (!mailboxes.has(source)) mailboxes.set(source, new Set());
        mailboxes.get(source)!.add(mailbox);
      }
    }
  }
  return (source, mailbox) => (mailbox === null ? mailboxes.has(source) : mailboxes.get(source)?.has(mailbox) === true);
}

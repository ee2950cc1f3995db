import type { Archive } from "../../mail/archive.ts";
import type { Counts } from "../../mail/provenance.ts";
import type { CountWaysWire } from "./wire-provenance.ts";

/** A source, or a mailbox of one, in which items were counted. */
interface CountedPlace {
  readonly source: number;
  /** Null for the source. */
  readonly mailbox: string | null;
  readonly counts: Counts;
  /** Messages with a place in it, and the query that finds them. */
  readonly messages: number;
  readonly clause: string;
}

/** How the counts of sources and mailboxes are found. */
export async function waysOfCounts(archive: Archive): Promise<(place: CountedPlace) => CountWaysWire> {
  const { warnings, warningsTruncated } = await archive.provenance();
  const warned = new Map<number | null, number>();
  for (const { source } of warnings) warned.set(source, (warned.get(source) ?? 0) + 1);
  const holdsItems = await itemPlaces(archive);
  return ({ source, mailbox, counts, messages, clause }) => {
    // What was kept of a place has its first place there. Where as many messages have any place there, and nothing
    // else was kept, they are the same.
    const isExact = counts.kept === messages && (counts.duplicate === 0 || !holdsItems(source, mailbox));
    return {
      kept: isExact ? clause : null,
      warned: warnedCount(counts, warned.get(source) ?? 0, warningsTruncated),
    };
  };
}

/**
 * Of which count some warnings tell, one each: a warning tells of everything that was skipped or failed, and of oddities
 * of what was kept. Null where they are of several kinds, and where more were met than are kept.
 */
export function warnedCount({ skipped, failed }: Counts, warnings: number, truncated: number): CountWaysWire["warned"] {
  if (warnings === 0 || truncated > 0 || skipped + failed !== warnings) return null;
  if (failed === 0) return "skipped";
  return skipped === 0 ? "failed" : null;
}

/** True for a source, and for a mailbox of one, that appointments or items of Outlook were kept from. */
type HoldsItems = (source: number, mailbox: string | null) => boolean;

const known = new WeakMap<Archive, Promise<HoldsItems>>();

/** An open archive never changes: it is looked through once. */
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

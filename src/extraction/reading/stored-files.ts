import type { MessageOrdinal } from "../../mail/records/ordinal.ts";
import { type FilesUnit, joinedUnits, messageFiles, withoutFiles } from "../../sources/maildir/message-files.ts";
import { isNamedObjects } from "../../sources/msg/object-files.ts";
import { statesIn } from "../../sources/reading/file-state.ts";
import type { ArchiveWriter } from "../../store/contract/archive-writer.ts";
import type { StoredLocation } from "../../store/contract/rows.ts";
import type { EarlierArchive } from "../earlier/earlier-archive.ts";
import type { Ledger } from "../ledger/deduplicate.ts";
import type { FileHashes } from "../staging/message-header-record.ts";
import type { ChangedSource, NumberedSource } from "./numbered-source.ts";

/** A message file with its SHA-256. */
interface HashedFile {
  readonly relativePath: string;
  readonly sha256: string;
  /** As in `file-state.ts`; null if it is unknown. */
  readonly state: Uint8Array | null;
}

/** The part of a source that still has to be read. */
export interface SourceToRead extends NumberedSource {
  /** Stored files of the source that are unchanged. */
  readonly stored: readonly HashedFile[];
}

/** Messages and mailboxes by location and SHA-256. */
class StoredLocations {
  private readonly byLocation = new Map<string, StoredLocation>();
  /** Other versions of files that changed, by both. */
  private readonly versions = new Map<string, StoredLocation>();

  add(place: StoredLocation): void {
    const { location, sha256 } = place;
    const { sha256: known = sha256 } = this.byLocation.get(location) ?? {};
    if (known === sha256) this.byLocation.set(location, place);
    else this.versions.set(versionKey(location, sha256), place);
  }

  find(location: string, sha256: string): StoredLocation | undefined {
    const place = this.byLocation.get(location);
    return place === undefined || place.sha256 === sha256 ? place : this.versions.get(versionKey(location, sha256));
  }
}

const versionKey = (location: string, sha256: string): string => `${sha256} ${location}`;

/**
 * Selects what must be read: skips directory files with unchanged location and bytes that are one message each. Files
 * with warnings are read again, because warnings are not kept.
 */
export async function passStored(
  changed: ChangedSource,
  { provenance }: EarlierArchive,
  { writer, ledger }: { readonly writer: Pick<ArchiveWriter, "places">; readonly ledger: Ledger },
): Promise<SourceToRead> {
  const { source, index, fileHashes } = changed;
  if (fileHashes === null || provenance.warningsTruncated > 0 || provenance.options.maxMessages !== null)
    return { source, index, stored: [] };
  const warned = new Set(provenance.warnings.flatMap((warning) => (warning.source === index ? warning.location : [])));
  const places = await placesOf(writer, index, () => true);
  const stored: HashedFile[] = [];
  const storedAt = (location: string, sha256: string): StoredLocation | undefined =>
    warned.has(location) || isNamedObjects(location) ? undefined : places.find(location, sha256);
  const units = [...joinedUnits(unread(fileHashes))].map(({ unit }) => unit);
  return { source: { ...source, unitCount: units.length, units: () => units }, index, stored };

  function* unread(ofUnits: readonly FileHashes[]) {
    for (const [at, unit] of [...source.units()].entries()) {
      const rest = unit.kind === "files" ? passUnit(unit, ofUnits[at]!) : unit;
      if (rest !== null) yield { unit: rest, isPart: rest !== unit, about: null };
    }
  }

  function passUnit(unit: FilesUnit, hashes: FileHashes): FilesUnit | null {
    const states = unit.states === undefined ? [] : statesIn(unit.states);
    const passed = messageFiles(unit).map(({ relativePath, mailbox }, file) => {
      const sha256 = hashes[file] ?? null;
      const place = sha256 === null ? undefined : storedAt(relativePath, sha256);
      if (sha256 === null || place === undefined) {
        ledger.expectMailbox(index, mailbox);
        return false;
      }
      ledger.addStored(place.message, index, place.mailbox);
      stored.push({ relativePath, sha256, state: states[file] ?? null });
      return true;
    });
    return passed.includes(true) ? withoutFiles(unit, passed) : unit;
  }
}

/**
 * Counts each message as kept in the first mailbox with it, like a run that reads the whole source: stored files were
 * counted before new ones, but a new duplicate may precede a stored file. Call once, after everything is stored.
 */
export async function countKeptMessages(
  sources: readonly ChangedSource[],
  toRead: readonly SourceToRead[],
  means: { readonly writer: Pick<ArchiveWriter, "places">; readonly ledger: Ledger },
): Promise<void> {
  for (const [at, changed] of sources.entries()) await settleKeptOf(changed, toRead[at]!.stored, means);
}

async function settleKeptOf(
  changed: ChangedSource,
  stored: SourceToRead["stored"],
  { writer, ledger }: { readonly writer: Pick<ArchiveWriter, "places">; readonly ledger: Ledger },
): Promise<void> {
  const { index } = changed;
  const repeated = ledger.repeatedIn(index);
  if (repeated.size === 0) return;
  const places = await placesOf(writer, index, (message) => repeated.has(message));
  const isStored = new Set(stored.map(({ relativePath }) => relativePath));
  /** By message: the mailbox of its first occurrence; null once a stored file of it was found. */
  const first = new Map<MessageOrdinal, string | null>();
  for (const { relativePath, sha256 } of hashedFiles(changed)) {
    const place = places.find(relativePath, sha256);
    if (place === undefined) continue;
    const { message, mailbox } = place;
    const kept = first.get(message) ?? mailbox;
    if (first.get(message) === null) continue;
    first.set(message, isStored.has(relativePath) ? null : kept);
    if (isStored.has(relativePath) && kept !== mailbox) ledger.moveKept(index, mailbox, kept);
  }
}

/** Messages of a directory with hashed files, in order. */
function* hashedFiles({ source, fileHashes }: ChangedSource): Generator<Omit<HashedFile, "state">> {
  if (fileHashes === null) return;
  for (const [at, unit] of [...source.units()].entries()) {
    if (unit.kind !== "files") continue;
    for (const [file, { relativePath }] of messageFiles(unit).entries()) {
      const sha256 = fileHashes[at]![file]!;
      if (sha256 !== null) yield { relativePath, sha256 };
    }
  }
}

async function placesOf(
  writer: Pick<ArchiveWriter, "places">,
  source: number,
  isWanted: (message: MessageOrdinal) => boolean,
): Promise<StoredLocations> {
  const places = new StoredLocations();
  for await (const batch of writer.places(source))
    for (const place of batch) if (isWanted(place.message)) places.add(place);
  return places;
}

import { rmSync } from "node:fs";
import { join } from "node:path";
import { ArchiveError } from "../../errors.ts";
import type { Warning } from "../../mail/provenance.ts";
import {
  lookAtGiven,
  type PackedFile,
  type SourcePlace,
  unpackMail,
  unreadableNote,
} from "../../sources/given-mail.ts";
import type { SourceLimits } from "../../sources/source.ts";
import type { NamedSource, SourceWatch } from "./source-watch.ts";

/** What was named, in its order: sources that are open, and files that are to be unpacked first. */
export interface GivenSources {
  readonly parts: readonly (NamedSource | PackedFile)[];
  readonly packedFiles: number;
  readonly notes: readonly Warning[];
}

/** Opens everything that can be opened where it lies. Throws as `openSource`. */
export async function openGiven(
  paths: readonly string[],
  limits: SourceLimits,
  watch: SourceWatch,
): Promise<GivenSources> {
  const parts: (NamedSource | PackedFile)[] = [];
  const notes: Warning[] = [];
  let packedFiles = 0;
  for (const given of paths.map(lookAtGiven)) {
    const places = given.paths.map((path) => ({ path, name: path }));
    const open = given.areFound ? openFound : openNamed;
    const { opened, notes: unread } = await open(places, limits, watch);
    parts.push(...opened);
    notes.push(...unread);
    parts.push(...given.packed);
    packedFiles += given.packed.length;
    notes.push(...given.notes);
  }
  return { parts, packedFiles, notes };
}

export interface GatheredSources {
  readonly opened: readonly NamedSource[];
  readonly notes: readonly Warning[];
}

/** Where a run unpacks what it reads. */
interface UnpackingRun {
  /** Its private directory for what it deletes again. */
  readonly staging: string;
  readonly signal: AbortSignal;
}

/**
 * Unpacks what is packed, and opens what lies in it. It takes the room of all mail unpacked until it was read; so it
 * belongs on the disk of the output, which needs more.
 * @throws as `unpackMail` and `openSource`
 */
export async function gatherSources(
  given: GivenSources,
  limits: SourceLimits,
  { watch, staging, signal }: UnpackingRun & { readonly watch: SourceWatch },
): Promise<GatheredSources> {
  const opened: NamedSource[] = [];
  const notes: Warning[] = [...given.notes];
  for (const [number, part] of given.parts.entries()) {
    if ("name" in part) {
      opened.push(part);
      continue;
    }
    const unpacked = await unpackMail(part, join(unpackedIn(staging), String(number)), signal);
    notes.push(...unpacked.notes);
    const found = await openFound(unpacked.places, limits, watch);
    opened.push(...found.opened);
    notes.push(...found.notes);
  }
  if (opened.length === 0) throw new ArchiveError("SOURCE_EMPTY", "there is no mail that can be read");
  return { opened, notes };
}

async function openNamed(
  places: readonly SourcePlace[],
  limits: SourceLimits,
  watch: SourceWatch,
): Promise<GatheredSources> {
  const opened: NamedSource[] = [];
  for (const place of places) opened.push(await watch.open(place, limits));
  return { opened, notes: [] };
}

/** Those that can be opened; the others are told in the notes. */
async function openFound(
  places: readonly SourcePlace[],
  limits: SourceLimits,
  watch: SourceWatch,
): Promise<GatheredSources> {
  const opened: NamedSource[] = [];
  const notes: Warning[] = [];
  for (const place of places) {
    try {
      opened.push(await watch.open(place, limits));
    } catch (error) {
      const note = unreadableNote(error, place.name);
      if (note === null) throw error;
      notes.push(note);
    }
  }
  return { opened, notes };
}

/** What was unpacked is mail that nobody asked to keep: it goes when it was read. */
export function removeUnpacked(staging: string): void {
  rmSync(unpackedIn(staging), { recursive: true, force: true });
}

function unpackedIn(staging: string): string {
  return join(staging, "unpacked");
}

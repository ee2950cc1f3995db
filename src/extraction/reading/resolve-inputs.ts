import { rmSync } from "node:fs";
import { join } from "node:path";
import { ArchiveError } from "../../errors.ts";
import type { Warning } from "../../mail/records/provenance.ts";
import {
  inspectInput,
  type PackedFile,
  type SourcePlace,
  unpackMail,
  unreadableNote,
} from "../../sources/finding/resolve-input.ts";
import type { SourceLimits } from "../../sources/reading/source.ts";
import type { LabeledSource, SourceWatch } from "./source-watch.ts";

/** A source that cannot be opened: fatal only if no other source can be read. */
interface RefusedSource {
  readonly place: SourcePlace;
  readonly refusal: ArchiveError;
}

/** Named inputs in order: open sources, rejected ones, and files to unpack first. */
interface ResolvedInputs {
  readonly parts: readonly (LabeledSource | RefusedSource | PackedFile)[];
  readonly packedFiles: number;
  readonly notes: readonly Warning[];
}

/**
 * Opens all sources that need no unpacking. Throws as `openSource`, except for an empty or protected source among
 * several.
 */
export async function openInputs(
  paths: readonly string[],
  limits: SourceLimits,
  watch: SourceWatch,
): Promise<ResolvedInputs> {
  const parts: (LabeledSource | RefusedSource | PackedFile)[] = [];
  const notes: Warning[] = [];
  for (const given of paths.map(inspectInput)) {
    const places = given.paths.map((path) => ({ path, name: path }));
    const found = await openPlaces(places, given.areFound, { limits, watch });
    parts.push(...found.parts, ...given.packed);
    notes.push(...found.notes, ...given.notes);
  }
  // Before anything is written: a packed file may still contain mail.
  if (parts.length > 0) requireReadable(parts, limits);
  return { parts, packedFiles: parts.filter(isPacked).length, notes };
}

export interface GatheredSources {
  readonly opened: readonly LabeledSource[];
  readonly notes: readonly Warning[];
}

/** Where a run unpacks its sources. */
interface UnpackingRun {
  /** Private directory for temporary files. */
  readonly staging: string;
  readonly signal: AbortSignal;
}

/**
 * Unpacks compressed sources and opens their contents. Needs disk space for all unpacked mail until it is read, so
 * unpack to the disk of the output, which needs more. Of several sources, empty ones are listed in the notes, and
 * protected ones are skipped with a warning.
 * @throws as `unpackMail` and `openSource`
 */
export async function resolveInputs(
  given: ResolvedInputs,
  limits: SourceLimits,
  { watch, staging, signal }: UnpackingRun & { readonly watch: SourceWatch },
): Promise<GatheredSources> {
  const parts: (LabeledSource | RefusedSource)[] = [];
  const notes: Warning[] = [...given.notes];
  for (const [number, part] of given.parts.entries()) {
    if (!isPacked(part)) {
      parts.push(part);
      continue;
    }
    const unpacked = await unpackMail(part, join(unpackedIn(staging), String(number)), signal).catch((error: unknown) =>
      refusedOr(error, { path: part.path, name: part.path }),
    );
    if ("refusal" in unpacked) {
      parts.push(unpacked);
      continue;
    }
    const found = await openPlaces(unpacked.places, true, { limits, watch });
    parts.push(...found.parts);
    notes.push(...unpacked.notes, ...found.notes);
  }
  const settled = await settleRefused(parts, { limits, watch });
  return { opened: settled.opened, notes: [...notes, ...settled.notes] };
}

interface Opening {
  readonly limits: SourceLimits;
  readonly watch: SourceWatch;
}

/** @param areFound true for files that the user did not name: unreadable ones are listed in the notes */
async function openPlaces(
  places: readonly SourcePlace[],
  areFound: boolean,
  { limits, watch }: Opening,
): Promise<{ readonly parts: readonly (LabeledSource | RefusedSource)[]; readonly notes: readonly Warning[] }> {
  const parts: (LabeledSource | RefusedSource)[] = [];
  const notes: Warning[] = [];
  for (const place of places) {
    try {
      parts.push(await watch.open(place, limits));
    } catch (error) {
      const note = areFound ? unreadableNote(error, place.name) : null;
      if (note === null) parts.push(refusedOr(error, place));
      else notes.push(note);
    }
  }
  return { parts, notes };
}

/** Errors that exclude one source; the others are read. */
const REFUSALS: ReadonlySet<string> = new Set(["SOURCE_EMPTY", "PASSWORD_REQUIRED"]);

function refusedOr(error: unknown, place: SourcePlace): RefusedSource {
  if (!(error instanceof ArchiveError) || !REFUSALS.has(error.code)) throw error;
  return { place, refusal: error };
}

/** Opens protected sources as skipped ones, and notes the empty ones. Throws if no source is left. */
async function settleRefused(
  parts: readonly (LabeledSource | RefusedSource)[],
  { limits, watch }: Opening,
): Promise<GatheredSources> {
  requireReadable(parts, limits);
  const opened: LabeledSource[] = [];
  const notes: Warning[] = [];
  for (const part of parts) {
    if (!isRefused(part)) {
      opened.push(part);
      continue;
    }
    const note = unreadableNote(part.refusal, part.place.name);
    if (note === null) opened.push(await watch.open(part.place, { ...limits, skipProtected: true }));
    else notes.push(note);
  }
  return { opened, notes };
}

/** Throws if no source is left, unless several sources may all be skipped as protected. */
function requireReadable(parts: ResolvedInputs["parts"], { skipProtected }: SourceLimits): void {
  if (!parts.every(isRefused)) return;
  const isSkipped = parts.length > 1 && skipProtected === "of several";
  if (!isSkipped || !parts.some(({ refusal }) => refusal.code === "PASSWORD_REQUIRED")) throw refusalOf(parts);
}

/** The error of a run without a source: it names all that are protected, since each needs its password. */
function refusalOf(refused: readonly RefusedSource[]): ArchiveError {
  const errors = refused.map(({ refusal }) => refusal);
  const isProtected = errors.filter(({ code }) => code === "PASSWORD_REQUIRED");
  const listed = isProtected.length > 0 ? isProtected : errors;
  const first = listed[0];
  if (first === undefined) return new ArchiveError("SOURCE_EMPTY", "no readable mail found");
  if (listed.length === 1) return first;
  return new ArchiveError(first.code, listed.map(({ message }) => message).join("; "), { hint: first.hint });
}

function isRefused(part: LabeledSource | RefusedSource | PackedFile): part is RefusedSource {
  return "refusal" in part;
}

function isPacked(part: LabeledSource | RefusedSource | PackedFile): part is PackedFile {
  return "isNamed" in part;
}

/** Removes unpacked mail after it was read. */
export function removeUnpacked(staging: string): void {
  rmSync(unpackedIn(staging), { recursive: true, force: true });
}

function unpackedIn(staging: string): string {
  return join(staging, "unpacked");
}

import { randomBytes } from "node:crypto";
import { createWriteStream, existsSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { ZipFile } from "yazl";
import { ArchiveError, systemErrorCode } from "../../../errors.ts";
import { isPublishBegun } from "../../../extraction/publishing/publish.ts";
import { RUN_DIRECTORY } from "../../../extraction/publishing/run-directory.ts";
import { entriesBelow } from "../../../files/checksummed-files.ts";
import { PRIVATE_FILE, replaceFile, syncFileAsync, UNFINISHED_SUFFIX } from "../../../files/durable-files.ts";
import type { Instant } from "../../../mail/dates/instant.ts";
import { replacementOf } from "../../../store/archive/replaced-archive.ts";
import { archiveIn } from "../../../store/contract/archive-location.ts";

/** Permissions of an entry: readable and writable by whoever unpacks it. */
const ENTRY_MODE = 0o100644;
/** Milliseconds between attempts; publishing renames files and takes less than a second. */
const RETRY_MS = 50;
/** 30 seconds of attempts: a service that was killed while publishing needs some to finish it. */
const MAX_ATTEMPTS = 600;

export const WIKI_ZIP = "wiki.zip";

/** A wiki to be compressed. */
interface PackedWiki {
  /** The output directory: every markdown page in it and below. */
  readonly archiveDirectory: string;
  readonly cacheDirectory: string;
  /** Time of all entries, so that the same wiki is packed to the same bytes. */
  readonly completedAt: Instant;
}

/** Compresses wikis on first request. Concurrent requests for one wiki wait for the same file. */
export class WikiZips {
  private readonly packing = new Map<string, Promise<void>>();

  /**
   * Creates `wiki.zip` in the cache directory unless it exists. Throws DISK_FULL, UPLOAD_BUSY if the archive keeps
   * being replaced, and NOT_FOUND if the upload is gone.
   */
  async ensure(wiki: PackedWiki): Promise<void> {
    const target = join(wiki.cacheDirectory, WIKI_ZIP);
    const under = this.packing.get(target) ?? this.pack(wiki, target);
    this.packing.set(target, under);
    try {
      await under;
    } finally {
      this.packing.delete(target);
    }
  }

  private async pack(wiki: PackedWiki, target: string): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if ((await isThere(target)) || (await packOnce(wiki, target))) return;
      await pause(RETRY_MS);
    }
    throw new ArchiveError("UPLOAD_BUSY", "mail is being added to the archive of the wiki");
  }
}

/**
 * Returns false if the archive or its cache was replaced at the same time: pages are published one by one, and the
 * zip file must contain those of one archive.
 */
async function packOnce({ archiveDirectory, completedAt }: PackedWiki, target: string): Promise<boolean> {
  const isReplaced = replacementOf(archiveIn(archiveDirectory));
  const hasChanged = (): boolean => isReplaced() || isPublishBegun(join(archiveDirectory, RUN_DIRECTORY));
  if (existsSync(archiveDirectory) && hasChanged()) return false;
  // Another service may compress the same wiki: both write the same bytes, each to a separate file.
  const unfinished = `${target}.${randomBytes(9).toString("hex")}${UNFINISHED_SUFFIX}`;
  try {
    await writeZip(archiveDirectory, unfinished, new Date(completedAt));
    await syncFileAsync(unfinished);
    if (hasChanged()) {
      await rm(unfinished, { force: true });
      return false;
    }
    replaceFile(unfinished, target);
    return true;
  } catch (error) {
    await rm(unfinished, { force: true });
    const code = systemErrorCode(error);
    if (code === "ENOSPC")
      throw new ArchiveError("DISK_FULL", "not enough disk space to compress the wiki", { cause: error });
    if (code !== "ENOENT") throw error;
    if (existsSync(archiveDirectory)) return false;
    // The upload was deleted: do not recreate any of its files.
    throw new ArchiveError("NOT_FOUND", `File ${WIKI_ZIP} not found`, { cause: error });
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await (await open(path, "r")).close();
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return false;
    throw error;
  }
}

/** Reads and compresses pages one after another, with only a piece of one in memory. */
async function writeZip(archiveDirectory: string, target: string, mtime: Date): Promise<void> {
  const pages = (await entriesBelow(archiveDirectory)).files.filter((name) => name.endsWith(".md")).sort();
  const zip = new ZipFile();
  const output = createWriteStream(target, { flags: "w", mode: PRIVATE_FILE });
  const written = pipeline(zip.outputStream, output);
  // The zip file emits the error of an unreadable page; its stream does not.
  zip.on("error", (error: Error) => output.destroy(error));
  for (const page of pages) zip.addFile(join(archiveDirectory, page), page, { mtime, mode: ENTRY_MODE });
  zip.end();
  await written;
}

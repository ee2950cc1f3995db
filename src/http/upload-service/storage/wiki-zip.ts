import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import { ArchiveError, systemErrorCode } from "../../../errors.ts";
import { entriesBelow } from "../../../files/checksummed-files.ts";
import { PRIVATE_FILE, replaceFile, syncFileAsync, UNFINISHED_SUFFIX } from "../../../files/durable-files.ts";
import type { Instant } from "../../../mail/dates/instant.ts";

/** Permissions of an entry: readable and writable by whoever unpacks it. */
const ENTRY_MODE = 0o100644;

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
   * Creates `wiki.zip` in the cache directory unless it exists. Throws DISK_FULL, and NOT_FOUND if the upload is
   * gone.
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

  private async pack({ archiveDirectory, completedAt }: PackedWiki, target: string): Promise<void> {
    if (await isThere(target)) return;
    // Another service may compress the same wiki: both write the same bytes, each to a separate file.
    const unfinished = `${target}.${randomBytes(9).toString("hex")}${UNFINISHED_SUFFIX}`;
    try {
      await writeZip(archiveDirectory, unfinished, new Date(completedAt));
      await syncFileAsync(unfinished);
      replaceFile(unfinished, target);
    } catch (error) {
      await rm(unfinished, { force: true });
      const code = systemErrorCode(error);
      if (code === "ENOSPC")
        throw new ArchiveError("DISK_FULL", "not enough disk space to compress the wiki", { cause: error });
      // The upload was deleted: do not recreate any of its files.
      if (code === "ENOENT") throw new ArchiveError("NOT_FOUND", `File ${WIKI_ZIP} not found`, { cause: error });
      throw error;
    }
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

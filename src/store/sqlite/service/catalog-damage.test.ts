import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { seededRandom } from "../../../columns/seeded-random.ts";
import { ArchiveError } from "../../../errors.ts";
import type { UploadCatalog } from "../../contract/upload-catalog.ts";
import { openUploadCatalog } from "./upload-catalog.ts";

/** Results for a catalog whose file was changed. */

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "archivetool-catalog-damage-"));
  path = join(directory, "catalogue.db");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const open = (): UploadCatalog => openUploadCatalog(path, ({ uploadId }) => JSON.stringify({ uploadId }));

async function add(catalog: UploadCatalog, uploadId: string): Promise<void> {
  const options = { redact: [], password: null, maxMessages: null, discardsOriginals: false };
  const about = { filename: `${uploadId}.mbox`, sizeBytes: 10, sha256: "ab".repeat(32), sourcePath: null };
  await catalog.add({ ...about, uploadId, createdAt: 1, options });
}

/** Listed ids, or the code of the error. */
async function outcome(): Promise<string> {
  try {
    const catalog = open();
    const names = (await catalog.list()).map(({ filename }) => filename).join(" ");
    await catalog.close();
    return names;
  } catch (error) {
    return error instanceof ArchiveError ? error.code : String(error);
  }
}

describe("a damaged catalog", () => {
  it("is rejected at the next start after any bit flip", async () => {
    const catalog = open();
    for (let at = 0; at < 20; at++) await add(catalog, `upload-${at}`);
    await catalog.close();
    const [sound, seal] = [readFileSync(path), readFileSync(`${path}.sha256`)];
    const random = seededRandom(38);
    for (let flip = 0; flip < 200; flip++) {
      const damaged = Buffer.from(sound);
      const at = Math.floor(random() * sound.length);
      damaged[at] = damaged[at]! ^ (1 << Math.floor(random() * 8));
      writeFileSync(path, damaged);
      expect(await outcome(), `byte ${at}`).toBe("ARCHIVE_DAMAGED");
      // It is unchanged.
      expect(readFileSync(path).equals(damaged)).toBe(true);
      expect(readFileSync(`${path}.sha256`).equals(seal)).toBe(true);
    }
    for (const length of [0, 100, 4096, sound.length - 1]) {
      writeFileSync(path, sound);
      truncateSync(path, length);
      expect(await outcome(), `${length} bytes`).toBe("ARCHIVE_DAMAGED");
    }
    writeFileSync(path, sound);
    expect((await outcome()).split(" ")).toHaveLength(20);
  });

  it("is not suspected after a kill, nor while others have it open", async () => {
    const service = open();
    await add(service, "upload-1");
    const command = open();
    await add(command, "upload-2");
    await command.close();
    // Another connection is open, so there is nothing to seal yet.
    expect(existsSync(`${path}.sha256`)).toBe(false);
    await add(service, "upload-3");
    const killed = mkdtempSync(join(directory, "killed-"));
    for (const suffix of ["", "-wal"])
      writeFileSync(join(killed, `catalogue.db${suffix}`), readFileSync(path + suffix));
    await service.close();
    expect(existsSync(`${path}.sha256`)).toBe(true);
    // The hash of an earlier close does not count if there is a journal.
    writeFileSync(join(killed, "catalogue.db.sha256"), "0".repeat(64));
    path = join(killed, "catalogue.db");
    expect(await outcome()).toBe("upload-3.mbox upload-2.mbox upload-1.mbox");
    expect(await outcome()).toBe("upload-3.mbox upload-2.mbox upload-1.mbox");
  });
});

import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { layUnderDisk, systemError } from "../../test/disk-layer.ts";
import { entriesBelow, sealOfFile, sealTree } from "./checksummed-files.ts";
import { moveDurably } from "./move-durably.ts";
import { requireReplaceable } from "./replaceable-file.ts";

const scratch = mkdtempSync(join(tmpdir(), "archivetool-sealed-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(scratch, "case-"));
});

const sha256 = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");
const running = new AbortController().signal;
const TEXTS = { "b.txt": "bee", "a/one.txt": "1", "a/deep/two.txt": "", "z.txt": "last" };

function writeTexts(root: string): void {
  mkdirSync(join(root, "a", "deep"), { recursive: true });
  for (const [path, text] of Object.entries(TEXTS)) writeFileSync(join(root, path), text);
}

describe("sealTree", () => {
  it("lists size and hash of every file, by path", async () => {
    writeTexts(directory);
    expect(await sealTree(directory, running)).toEqual(
      Object.entries(TEXTS)
        .sort()
        .map(([path, text]) => ({ path, sizeBytes: text.length, sha256: sha256(text) })),
    );
  });

  it("throws the reason of a signal, and the system's error for a missing file", async () => {
    writeTexts(directory);
    await expect(sealTree(directory, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
    const takeAway = layUnderDisk((call) => (call.name === "fsync" ? systemError("EIO", call) : null));
    try {
      await expect(sealTree(directory, running)).rejects.toThrow("EIO");
    } finally {
      takeAway();
    }
  });
});

it("seals a file larger than one read", async () => {
  const bytes = Buffer.alloc((1 << 18) + 5, "ab");
  writeFileSync(join(directory, "large"), bytes);
  expect(await sealOfFile(join(directory, "large"), running)).toEqual({
    sizeBytes: bytes.length,
    sha256: sha256(bytes),
  });
});

it("lists files and directories below a directory, which is the empty path", async () => {
  writeTexts(directory);
  const { files, directories } = await entriesBelow(directory);
  expect(files.toSorted()).toEqual(Object.keys(TEXTS).sort());
  expect(directories).toEqual(["", "a", "a/deep"]);
});

describe("moveDurably", () => {
  it("renames if possible", () => {
    writeTexts(directory);
    moveDurably(join(directory, "a"), join(directory, "moved"));
    expect(readFileSync(join(directory, "moved", "one.txt"), "utf8")).toBe("1");
  });

  it("copies to another file system, also directories, and leaves no partial file", async () => {
    writeTexts(directory);
    const target = join(directory, "other");
    // Renaming across file systems fails; existing files there can be renamed.
    const takeAway = layUnderDisk((call) =>
      call.name === "renameSync" && !String(call.args[0]).startsWith(target) ? systemError("EXDEV", call) : null,
    );
    try {
      moveDurably(join(directory, "a"), target);
    } finally {
      takeAway();
    }
    const { files } = await entriesBelow(target);
    expect(files.toSorted()).toEqual(["deep/two.txt", "one.txt"]);
    expect(readFileSync(join(target, "one.txt"), "utf8")).toBe("1");
    expect((await entriesBelow(join(directory, "a"))).files).toEqual([]);
  });
});

describe("requireReplaceable", () => {
  it("does not change a replaceable file", () => {
    writeFileSync(join(directory, "archive.db"), "bytes");
    expect(() => requireReplaceable(join(directory, "archive.db"))).not.toThrow();
    expect(readFileSync(join(directory, "archive.db"), "utf8")).toBe("bytes");
  });

  it.each([
    ["EBUSY", "is in use by another program"],
    ["EPERM", "is in use by another program"],
    ["EROFS", "cannot be replaced"],
  ])("reports for %s that the file %s", (code, message) => {
    writeFileSync(join(directory, "archive.db"), "bytes");
    const takeAway = layUnderDisk((call) => (call.name === "renameSync" ? systemError(code, call) : null));
    try {
      expect(() => requireReplaceable(join(directory, "archive.db"))).toThrow(message);
    } finally {
      takeAway();
    }
  });
});

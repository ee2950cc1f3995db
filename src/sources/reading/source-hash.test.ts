import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fewPages } from "../../../test/pages-in-memory.ts";
import { hashOfSources } from "../../mail/records/source-hashes.ts";
import { DirectoryHash, hashFile } from "./source-hash.ts";

const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");

describe("source hashes", () => {
  it("of a file equal those of sha256sum", async () => {
    const directory = mkdtempSync(join(tmpdir(), "archivetool-hash-"));
    const content = Buffer.alloc(9_000_001, "mail");
    writeFileSync(join(directory, "a"), content);
    expect(await hashFile(join(directory, "a"))).toEqual({ sha256: sha256(content), sizeBytes: content.length });
    const begin = content.subarray(0, content.length - 1);
    expect(await hashFile(join(directory, "a"), begin.length)).toEqual({
      sha256: sha256(begin),
      sizeBytes: begin.length,
    });
    rmSync(directory, { recursive: true });
  });

  it("of a directory hash the sorted lines, in any order", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: "binary" }), { maxLength: 80 }), (paths) => {
        fc.pre(paths.every((path) => !path.includes("\ufffd")));
        const directory = new DirectoryHash();
        for (const path of paths) directory.add(path, sha256(path));
        const sorted = paths.map((path) => Buffer.from(path)).sort(Buffer.compare);
        const lines = sorted.map((path) => Buffer.concat([Buffer.from(`${sha256(path)}  `), path, Buffer.from("\n")]));
        expect(directory.digest()).toBe(sha256(Buffer.concat(lines)));
      }),
    );
  });

  it("of a directory are the same in sorted runs of any size", () => {
    const paths = fc.uniqueArray(fc.string({ maxLength: 60 }), { maxLength: 80 });
    fc.assert(
      fc.property(paths, fc.integer({ min: 1, max: 2_000 }), (paths, runBytes) => {
        const [whole, inRuns] = [new DirectoryHash(), new DirectoryHash(fewPages(2), runBytes)];
        for (const path of paths) for (const directory of [whole, inRuns]) directory.add(path, sha256(path));
        expect(inRuns.digest()).toBe(whole.digest());
      }),
    );
  });

  it("of a directory use the bytes of names", () => {
    const directory = new DirectoryHash();
    directory.add("caf\ufffde9", sha256(""));
    expect(directory.digest()).toBe(sha256(Buffer.from(`${sha256("")}  caf\xe9\n`, "latin1")));
  });

  it("of several sources are the hash of the sorted hashes", () => {
    expect(hashOfSources(["b"])).toBe("b");
    expect(hashOfSources(["b", "a"])).toBe(sha256("a\nb\n"));
  });
});

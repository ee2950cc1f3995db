import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DiskCall, type DiskFault, layUnderDisk, systemError } from "../../test/disk-layer.ts";
import { atOnce, replaceFile, syncDirectory, syncFile, syncTree, writeDurably } from "./durable-files.ts";

const scratch = mkdtempSync(join(tmpdir(), "archivetool-durable-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(scratch, "case-"));
});

let takeAway: (() => void) | null = null;
afterEach(() => {
  takeAway?.();
  takeAway = null;
});

/** Simulates a failing disk until the test ends; returns the recorded calls. */
function under(fault: DiskFault): readonly DiskCall[] {
  const calls: DiskCall[] = [];
  takeAway = layUnderDisk((call) => {
    calls.push(call);
    return fault(call);
  });
  return calls;
}

const failing =
  (names: readonly string[], code: string): DiskFault =>
  (call) =>
    names.includes(call.name) ? systemError(code, call) : null;

describe("writeDurably", () => {
  it("syncs the bytes before the rename, and the directory after it", () => {
    const calls = under(() => null);
    writeDurably(join(directory, "note"), "text");
    expect(calls.map(({ name }) => name).filter((name) => /fsync|rename/.test(name))).toEqual([
      "fsyncSync",
      "renameSync",
      "fsyncSync",
    ]);
    expect(readFileSync(join(directory, "note"), "utf8")).toBe("text");
  });

  it.skipIf(process.platform === "win32")("prevents other users from reading it", () => {
    writeDurably(join(directory, "note"), "text");
    expect(statSync(join(directory, "note")).mode & 0o777).toBe(0o600);
  });

  it.each(["openSync", "writeSync", "fsyncSync", "renameSync"])("leaves only the earlier file if %s fails", (name) => {
    writeDurably(join(directory, "note"), "before");
    under(failing([name], "EIO"));
    expect(() => writeDurably(join(directory, "note"), "after")).toThrow("EIO");
    takeAway?.();
    expect(readFileSync(join(directory, "note"), "utf8")).toBe("before");
    expect(readdirSync(directory)).toEqual(["note"]);
  });

  it("replaces the unfinished file of a killed writer", () => {
    writeFileSync(join(directory, "note.tmp"), "half", { mode: 0o400 });
    writeDurably(join(directory, "note"), "whole");
    expect(readdirSync(directory)).toEqual(["note"]);
  });
});

describe("syncing", () => {
  it("works if directories or files cannot be synced", async () => {
    writeFileSync(join(directory, "note"), "text");
    for (const code of ["EPERM", "EISDIR", "EINVAL", "ERR_ACCESS_DENIED"]) {
      under(failing(["fsyncSync"], code));
      syncDirectory(directory);
      takeAway?.();
    }
    under(failing(["fsyncSync"], "ERR_ACCESS_DENIED"));
    syncFile(join(directory, "note"));
    takeAway?.();
    await syncTree(directory);
  });

  it("reports a failing disk", () => {
    writeFileSync(join(directory, "note"), "text");
    under(failing(["fsyncSync"], "EIO"));
    expect(() => syncDirectory(directory)).toThrow("EIO");
    expect(() => syncFile(join(directory, "note"))).toThrow("EIO");
  });

  it("reaches every file and directory of a tree", async () => {
    mkdirSync(join(directory, "a/b"), { recursive: true });
    for (const name of ["one", "a/two", "a/b/three"]) writeFileSync(join(directory, name), name);
    await syncTree(directory);
    await expect(syncTree(join(directory, "missing"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("stops syncing a tree when aborted", async () => {
    const reason = new Error("stopped");
    await expect(syncTree(directory, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe("replaceFile", () => {
  it("waits briefly for a file that another program has open", () => {
    writeFileSync(join(directory, "new"), "new");
    let tries = 0;
    under((call) => {
      if (call.name !== "renameSync") return null;
      tries++;
      return tries < 4 ? systemError("EBUSY", call) : null;
    });
    replaceFile(join(directory, "new"), join(directory, "old"));
    expect(tries).toBe(4);
  });

  it("does not retry permanent errors", () => {
    writeFileSync(join(directory, "new"), "new");
    const calls = under(failing(["renameSync"], "EXDEV"));
    expect(() => replaceFile(join(directory, "new"), join(directory, "old"))).toThrow("EXDEV");
    expect(calls).toHaveLength(1);
  });
});

describe("atOnce", () => {
  it("does everything once, and stops at the first error", async () => {
    const done: number[] = [];
    await atOnce([1, 2, 3], async (item) => void done.push(item));
    expect(done).toEqual([1, 2, 3]);
    const begun: number[] = [];
    const items = Array.from({ length: 100 }, (_, index) => index);
    await expect(
      atOnce(items, async (item) => {
        begun.push(item);
        if (item === 3) throw new Error("three");
      }),
    ).rejects.toThrow("three");
    expect(begun.length).toBeLessThan(100);
  });
});

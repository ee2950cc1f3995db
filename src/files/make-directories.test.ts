import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { PRIVATE_DIRECTORY } from "./durable-files.ts";
import { makeDirectories, removeDirectories } from "./make-directories.ts";
import { outputFault } from "./output-fault.ts";

const scratch = mkdtempSync(join(tmpdir(), "archivetool-directories-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The error of an action; null without one. */
function errorOf(act: () => unknown): unknown {
  try {
    act();
    return null;
  } catch (error) {
    return error;
  }
}

describe("makeDirectories", () => {
  it("creates private directories, and returns the new ones with the deepest first", () => {
    const made = makeDirectories(join(scratch, "one", "two"));
    expect(made).toEqual([join(scratch, "one", "two"), join(scratch, "one")]);
    expect(made.map((path) => statSync(path).mode & 0o777)).toEqual([PRIVATE_DIRECTORY, PRIVATE_DIRECTORY]);
    expect(makeDirectories(join(scratch, "one", "two"))).toEqual([]);
    writeFileSync(join(scratch, "one", "file"), "");
    removeDirectories(made);
    expect([join(scratch, "one", "two"), join(scratch, "one")].map((path) => existsSync(path))).toEqual([false, true]);
  });

  it.skipIf(!existsSync("/proc/self"))("returns on file systems that answer ENOENT below an existing parent", () => {
    expect(errorOf(() => makeDirectories("/proc/self/archivetool/x"))).toMatchObject({ code: "ENOENT" });
  });

  it("removes what it created if it fails", () => {
    const tooLong = join(scratch, "new", "x".repeat(300));
    expect(errorOf(() => makeDirectories(tooLong))).toMatchObject({ code: "ENAMETOOLONG" });
    expect(existsSync(join(scratch, "new"))).toBe(false);
  });
});

describe("outputFault", () => {
  it.each([
    ["ENOSPC", "DISK_FULL"],
    ["EDQUOT", "DISK_FULL"],
    ["EROFS", "OUTPUT_UNWRITABLE"],
    ["ENOTDIR", "OUTPUT_UNWRITABLE"],
  ])("maps %s to %s", (code, expected) => {
    const fault = outputFault(Object.assign(new Error(code), { code }), "out", "a writable directory");
    expect(fault).toMatchObject({ code: expected, message: `cannot write out: ${code}` });
  });

  it("returns other errors unchanged", () => {
    const error = Object.assign(new Error("x"), { code: "ERR_INVALID_ARG_TYPE" });
    expect([outputFault(error, "out", "a"), outputFault("text", "out", "a")]).toEqual([error, "text"]);
  });
});

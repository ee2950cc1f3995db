import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { walkMailTree } from "./mail-tree.ts";

const { readdirSync } = fs;
let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "mail-tree-"));
  mkdirSync(join(root, "below"));
  for (const name of ["a.eml", "below/b.eml"])
    writeFileSync(join(root, name), "From: Ann <ann@site.example>\n\nbody\n");
});
afterEach(() => {
  setReaddir(readdirSync);
  rmSync(root, { recursive: true, force: true });
});

function setReaddir(readdir: typeof readdirSync): void {
  fs.readdirSync = readdir;
  syncBuiltinESMExports();
}

/** Makes listing a directory fail. */
function failListing(directory: string, code: string): void {
  setReaddir(((path: fs.PathLike, ...rest: readonly never[]) => {
    if (String(path).replace(/\/$/, "") === directory)
      throw Object.assign(new Error(code), { code, syscall: "scandir" });
    return (readdirSync as (path: fs.PathLike, ...rest: readonly never[]) => unknown)(path, ...rest);
  }) as typeof readdirSync);
}

describe("a directory that cannot be listed", () => {
  it.each(["EACCES", "EPERM", "ELOOP"])("is a failed item without permission: %s", (code) => {
    failListing(join(root, "below"), code);
    const { fileCount, notes } = walkMailTree(root);
    expect(fileCount).toBe(1);
    expect(notes).toMatchObject([{ kind: "damaged", code: "directory-unreadable", location: "below" }]);
  });

  it.each(["EIO", "ESTALE", "ENXIO"])("fails the run if its disk fails: %s", (code) => {
    for (const directory of [join(root, "below"), root]) {
      failListing(directory, code);
      expect(() => walkMailTree(root)).toThrow(expect.objectContaining({ code: "SOURCE_LOST" }) as Error);
    }
  });

  it.each(["EMFILE", "ENOMEM"])("fails the run if the process lacks resources: %s", (code) => {
    failListing(join(root, "below"), code);
    expect(() => walkMailTree(root)).toThrow(expect.objectContaining({ code }) as Error);
  });

  it("is empty if it disappeared", () => {
    failListing(join(root, "below"), "ENOENT");
    expect(walkMailTree(root)).toMatchObject({ fileCount: 1, notes: [] });
  });
});

describe("names of nested mailboxes", () => {
  const mailboxes = (): readonly string[] => walkMailTree(root).listings.map(({ mailbox }) => mailbox);
  const addMessage = (path: string): void => {
    mkdirSync(join(root, path), { recursive: true });
    writeFileSync(join(root, path, "1.eml"), "From: Ann <ann@site.example>\n\nbody\n");
  };

  it("omit the suffixes of Thunderbird and KMail", () => {
    rmSync(join(root, "below"), { recursive: true });
    rmSync(join(root, "a.eml"));
    addMessage("Inbox/cur");
    addMessage("Inbox.sbd/Sub/cur");
    addMessage(".inbox.directory/kites/cur");
    writeFileSync(join(root, "Inbox.msf"), "// index\n");
    expect([...mailboxes()].sort()).toEqual(["Inbox", "Inbox/Sub", "inbox/kites"]);
  });
});

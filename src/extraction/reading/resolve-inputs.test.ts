import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildStore, sampleMail } from "../../../test/pst-writer/sample-store.ts";
import { buildZip } from "../../../test/zip-file.ts";
import type { SourceLimits } from "../../sources/reading/source.ts";
import { type GatheredSources, openInputs, resolveInputs } from "./resolve-inputs.ts";
import { SourceWatch } from "./source-watch.ts";

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "archivetool-gather-"));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const UNICODE = { layout: "unicode", encoding: "permute" } as const;
const MBOX = "From mara Mon Jan  6 12:00:00 2003\nFrom: mara@harbour.example\nSubject: Crane\n\nThe offer is in.\n";

function write(name: string, bytes: string | Buffer): string {
  const path = join(scratch, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, bytes);
  return path;
}

const protectedStore = (name: string): string =>
  write(
    name,
    buildStore(UNICODE, (store) => store.addMessage(store.addFolder("Inbox"), sampleMail(1)), { password: "pass" }),
  );

async function gather(
  paths: readonly string[],
  skipProtected: SourceLimits["skipProtected"] = false,
): Promise<GatheredSources> {
  const limits = { password: null, skipProtected };
  const watch = new SourceWatch();
  const given = await openInputs(paths, limits, watch);
  const staging = join(scratch, "staging");
  return resolveInputs(given, limits, { watch, staging, signal: new AbortController().signal });
}

/** Opened sources with their notes. */
const opened = ({ opened: sources }: GatheredSources): readonly unknown[] =>
  sources.map(({ name, notes }) => [basename(name), notes.map((note) => ("code" in note ? note.code : ""))]);

describe("an empty mailbox", () => {
  it("is a note among several sources, and an error as the only source", async () => {
    const empty = write("empty.mbox", "");
    const gathered = await gather([empty, write("mail.mbox", MBOX)]);
    expect(opened(gathered)).toEqual([["mail.mbox", []]]);
    expect(gathered.notes).toMatchObject([
      { code: "unreadable-file", message: expect.stringContaining("the file is empty"), location: empty },
    ]);
    await expect(gather([empty])).rejects.toMatchObject({
      code: "SOURCE_EMPTY",
      message: `${empty}: the file is empty`,
    });
    await expect(gather([empty, write("other.mbox", "")])).rejects.toMatchObject({ code: "SOURCE_EMPTY" });
  });
});

describe("a protected store", () => {
  it("is skipped in a folder, and among several sources, in its place", async () => {
    const store = protectedStore("folder/a.pst");
    const mail = write("folder/b.mbox", MBOX);
    for (const paths of [[join(scratch, "folder")], [store, mail]]) {
      const gathered = await gather(paths);
      expect(opened(gathered)).toEqual([
        ["a.pst", ["password-protected"]],
        ["b.mbox", []],
      ]);
      expect(gathered.opened[0]!.notes[0]).toMatchObject({
        message: expect.stringContaining("--incremental and --password-file"),
      });
    }
  });

  it("is an error if it is the only source, and one error lists all of them", async () => {
    const stores = [protectedStore("folder/a.pst"), protectedStore("folder/b.pst")];
    await expect(gather([stores[0]!])).rejects.toMatchObject({
      code: "PASSWORD_REQUIRED",
      message: `${stores[0]}: it is password-protected`,
    });
    for (const paths of [stores, [join(scratch, "folder")]])
      await expect(gather(paths)).rejects.toMatchObject({
        code: "PASSWORD_REQUIRED",
        message: stores.map((store) => `${store}: it is password-protected`).join("; "),
      });
  });

  it("is skipped with others if a service lists them, but not as the only source", async () => {
    const [store] = [protectedStore("folder/a.pst"), protectedStore("folder/b.pst")];
    const packed = write(
      "packed.zip",
      buildZip(["a.pst", "b.pst"].map((name) => ({ name, content: readFileSync(join(scratch, "folder", name)) }))),
    );
    for (const path of [join(scratch, "folder"), packed])
      expect(opened(await gather([path], "of several"))).toEqual([
        ["a.pst", ["password-protected"]],
        ["b.pst", ["password-protected"]],
      ]);
    await expect(gather([store!], "of several")).rejects.toMatchObject({ code: "PASSWORD_REQUIRED" });
    const empty = [write("empty.mbox", ""), write("other.mbox", "")];
    await expect(gather(empty, "of several")).rejects.toMatchObject({ code: "SOURCE_EMPTY" });
  });
});

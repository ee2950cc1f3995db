import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { listedFiles, readManifest } from "./output-manifest.ts";
import { abandonPublish, finishPublish, inspectUnfinished, isPublishBegun, publishOutput } from "./publish.ts";
import { PublishGate } from "./publish-gate.ts";
import type { RunDirectory } from "./run-directory.ts";

const scratch = mkdtempSync(join(tmpdir(), "archivetool-publish-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

type Files = Readonly<Record<string, string>>;
let places = 0;

function write(directory: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}

/** An output directory with some files, and a run in it that created others. */
function place(earlier: Files, later: Files): { readonly directory: string; readonly run: RunDirectory } {
  places++;
  const directory = join(scratch, `${places}`);
  const root = join(directory, ".archivetool-run");
  const run = { root, staging: join(root, "staging"), output: join(root, "output") };
  write(directory, earlier);
  write(run.output, later);
  return { directory, run };
}

const listed = (files: Files, kept: readonly string[] = []) => ({
  earlier: listedFiles(Object.keys(files).map((path) => ({ path, sizeBytes: 1, sha256: "" }))),
  kept: new Set(kept),
});
const stop = () => ({ signal: new AbortController().signal, gate: new PublishGate() });

describe("publishOutput", () => {
  const earlier = { "archive.db": "1", "wiki/old/a.md": "1", "wiki/attachments/msg-1/a.pdf": "1", "wiki/b.md": "1" };
  const later = { "archive.db": "2", "wiki/b.md": "2", "wiki/new/c.md": "2" };

  it("moves every file, removes the earlier output, and leaves other files", async () => {
    const { directory, run } = place({ ...earlier, "notes.txt": "mine" }, later);
    const created = await publishOutput(run, directory, {
      ...listed(earlier, ["wiki/attachments/msg-1/a.pdf"]),
      stop: stop(),
    });
    expect(created).toEqual(Object.keys(later).sort());
    for (const [path, text] of Object.entries(later)) expect(readFileSync(join(directory, path), "utf8")).toBe(text);
    expect(existsSync(join(directory, "wiki/old"))).toBe(false);
    expect(existsSync(join(directory, "wiki/attachments/msg-1/a.pdf"))).toBe(true);
    expect(readFileSync(join(directory, "notes.txt"), "utf8")).toBe("mine");
    const names = readManifest(directory)?.map(({ path }) => path);
    expect(names).toEqual([...Object.keys(later), "wiki/attachments/msg-1/a.pdf"].sort());
    expect(isPublishBegun(run.root)).toBe(false);
  });

  it("moves no files if a directory is at the path of a file, or the reverse", async () => {
    for (const inTheWay of [{ "wiki/b.md/x": "mine" }, { "wiki/new": "mine" }]) {
      const { directory, run } = place(inTheWay, later);
      const publishing = publishOutput(run, directory, { ...listed({}), stop: stop() });
      await expect(publishing).rejects.toMatchObject({ code: "OUTPUT_UNWRITABLE" });
      expect(existsSync(join(directory, "archive.db"))).toBe(false);
      expect(isPublishBegun(run.root)).toBe(false);
    }
  });

  it("moves no files of a run that was stopped before", async () => {
    const { directory, run } = place(earlier, later);
    const gate = new PublishGate();
    gate.close();
    const publishing = publishOutput(run, directory, { ...listed(earlier), stop: { ...stop(), gate } });
    await expect(publishing).rejects.toMatchObject({ name: "AbortError" });
    expect(readFileSync(join(directory, "archive.db"), "utf8")).toBe("1");
    expect(isPublishBegun(run.root)).toBe(false);
  });
});

describe("an interrupted publish", () => {
  /** State in which the marker is written and nothing is moved. */
  async function begun(): Promise<{ readonly directory: string; readonly run: RunDirectory }> {
    const source = place({}, { "archive.db": "2", "wiki/a.md": "2" });
    await publishOutput(source.run, source.directory, { ...listed({}), stop: stop() });
    const { directory, run } = place({ "archive.db": "1", "wiki/stale.md": "1" }, {});
    for (const path of ["archive.db", "wiki/a.md", ".archivetool-files.json"])
      write(run.output, { [path]: readFileSync(join(source.directory, path), "utf8") });
    write(run.root, { "ready.json": JSON.stringify({ stale: ["wiki/stale.md", "../outside"], created: 3 }) });
    return { directory, run };
  }

  it("is finished from any step, the archive and the list of files last", async () => {
    const { directory, run } = await begun();
    write(scratch, { outside: "mine" });
    const found = await inspectUnfinished(run.root, directory, stop().signal);
    expect(found).toMatchObject({ damaged: [], isUntouched: true });
    finishPublish(run.root, directory);
    expect(readFileSync(join(directory, "archive.db"), "utf8")).toBe("2");
    expect(existsSync(join(directory, "wiki/stale.md"))).toBe(false);
    expect(readFileSync(join(scratch, "outside"), "utf8")).toBe("mine");
    expect(isPublishBegun(run.root)).toBe(false);
  });

  it("reports lost files, and can be abandoned", async () => {
    const { directory, run } = await begun();
    write(run.output, { "wiki/a.md": "another" });
    const found = await inspectUnfinished(run.root, directory, stop().signal);
    expect(found.damaged).toEqual([{ path: "wiki/a.md", what: "changed" }]);
    abandonPublish(run.root);
    expect(isPublishBegun(run.root)).toBe(false);
    expect(readFileSync(join(directory, "archive.db"), "utf8")).toBe("1");
  });
});

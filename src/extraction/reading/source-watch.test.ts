import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { extractionRequest } from "../../../test/extraction-request.ts";
import type { Warning } from "../../mail/records/provenance.ts";
import type { OpenedSource } from "../../sources/reading/source.ts";
import type { ExtractionEvent } from "../extraction-event.ts";
import type { ExtractionReport } from "../run/extraction-request.ts";
import { runExtraction } from "../run/run-extraction.ts";
import { LostFiles } from "./source-watch.ts";

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "archivetool-watch-"));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const letter = (number: number): string =>
  `Message-ID: <${number}@harbour.example>\nDate: Mon, 6 Jan 2003 12:00:00 +0000\nFrom: mara@harbour.example\nTo: jon@harbour.example\nSubject: Crane ${number}\n\nThe offer ${number} is in.\n`;

function mboxOf(count: number, first = 0): string {
  return Array.from({ length: count }, (_, at) => `From mara Mon Jan  6 12:00:00 2003\n${letter(first + at)}\n`).join(
    "",
  );
}

function writeMbox(path: string, count: number): void {
  writeFileSync(path, mboxOf(count));
}

function writeMaildir(path: string, count: number): void {
  mkdirSync(join(path, "cur"), { recursive: true });
  for (let at = 0; at < count; at++) writeFileSync(join(path, "cur", `${at}.h:2,S`), letter(at));
}

const output = (): string => join(scratch, "output");

function extract(
  path: string,
  onEvent: (event: ExtractionEvent) => void = () => undefined,
  allowMissing = false,
): Promise<ExtractionReport> {
  return runExtraction(extractionRequest([path], output(), {}, { allowMissing, jobs: 1, onEvent }));
}

/** Changes a source when its first piece is read. */
function whileRead(act: () => void): (event: ExtractionEvent) => void {
  let isDone = false;
  return (event) => {
    if (event.kind !== "reading" || isDone) return;
    isDone = true;
    act();
  };
}

/** An archive of one letter, which a failed run must not change. */
async function earlierArchive(): Promise<Buffer> {
  const path = join(scratch, "earlier.mbox");
  writeMbox(path, 1);
  await extract(path);
  return readFileSync(join(output(), "archive.db"));
}

describe("a source that disappears during a run", () => {
  it.each([
    ["before it is read", "parsing"],
    ["when some of it was read", "reading"],
  ])("is a fault of the run: a directory, %s", async (_, moment) => {
    const earlier = await earlierArchive();
    const source = join(scratch, "mail");
    // At most two units of 256 files.
    writeMaildir(source, 300);
    const remove = (): void => rmSync(source, { recursive: true, force: true });
    const onEvent =
      moment === "reading"
        ? whileRead(remove)
        : (event: ExtractionEvent) => void (event.kind === "phase" && event.phase === "parsing" && remove());
    await expect(extract(source, onEvent)).rejects.toMatchObject({
      code: "SOURCE_LOST",
      message: `${source} disappeared while it was read`,
    });
    expect(readFileSync(join(output(), "archive.db")).equals(earlier)).toBe(true);
  });

  it("fails the run: a disk with an empty mount point below the source", async () => {
    const source = join(scratch, "mail");
    writeMaildir(source, 40);
    const files = join(source, "cur");
    const unmount = (event: ExtractionEvent): void => {
      if (event.kind !== "phase" || event.state !== "started") return;
      rmSync(files, { recursive: true, force: true });
      mkdirSync(files);
    };
    await expect(extract(source, unmount)).rejects.toMatchObject({ code: "SOURCE_LOST" });
    expect(existsSync(output())).toBe(false);
  });

  it("fails the run: a file", async () => {
    const source = join(scratch, "mail.mbox");
    writeMbox(source, 3);
    const remove = (event: ExtractionEvent): void => void (event.kind === "phase" && rmSync(source, { force: true }));
    await expect(extract(source, remove)).rejects.toMatchObject({ code: "SOURCE_LOST" });
  });

  it("is not reported if a few of many files disappear: they are failed items", async () => {
    const source = join(scratch, "mail");
    writeMaildir(source, 10);
    const remove = (event: ExtractionEvent): void =>
      void (event.kind === "phase" && rmSync(join(source, "cur", "3.h:2,S"), { force: true }));
    const { sources } = await extract(source, remove);
    expect(sources[0]?.record.counts).toMatchObject({ seen: 10, kept: 9, failed: 1 });
  });
});

describe("a directory that loses files during a run", () => {
  /** Extracts 40 messages; the last ones are removed after the files were listed. */
  async function extractWithout(removed: number, allowMissing: boolean): Promise<ExtractionReport> {
    const source = join(scratch, "mail");
    writeMaildir(source, 40);
    const remove = (event: ExtractionEvent): void => {
      if (event.kind !== "phase" || event.state !== "started") return;
      for (let at = 40 - removed; at < 40; at++) rmSync(join(source, "cur", `${at}.h:2,S`), { force: true });
    };
    return await extract(source, remove, allowMissing);
  }

  it("ends the run if more than 10 are missing, and keeps the earlier archive", async () => {
    const earlier = await earlierArchive();
    await expect(extractWithout(11, false)).rejects.toMatchObject({
      code: "SOURCE_CHANGED",
      message: `${join(scratch, "mail")}: 11 of 40 files disappeared before they could be read`,
      hint: expect.stringContaining("--allow-missing"),
    });
    expect(readFileSync(join(output(), "archive.db")).equals(earlier)).toBe(true);
  });

  it("lists up to 10 as failed", async () => {
    const { sources } = await extractWithout(10, false);
    expect(sources[0]?.record.counts).toMatchObject({ seen: 40, kept: 30, failed: 10 });
  });

  it("lists missing files as failed if they are allowed, unless all are missing", async () => {
    const { sources } = await extractWithout(39, true);
    expect(sources[0]?.record.counts).toMatchObject({ seen: 40, kept: 1, failed: 39 });
    await expect(extractWithout(40, true)).rejects.toMatchObject({ code: "SOURCE_LOST" });
  });
});

describe("allowed missing files", () => {
  it("are one percent", () => {
    const require = (lost: number): void => {
      const files = new LostFiles();
      files.add({ path: "mail" } as OpenedSource, lost, 3000);
      files.requireFew(false);
    };
    expect(() => require(30)).not.toThrow();
    expect(() => require(31)).toThrow("mail: 31 of 3,000 files disappeared");
  });
});

describe("a file that changes during a run", () => {
  it("is detected if it is overwritten with equal size and time", async () => {
    const earlier = await earlierArchive();
    const source = join(scratch, "mail.mbox");
    writeMbox(source, 3);
    const { atime, mtime } = statSync(source);
    const overwrite = whileRead(() => {
      writeFileSync(source, readFileSync(source, "utf8").replaceAll("crane", "drain"));
      utimesSync(source, atime, mtime);
    });
    await expect(extract(source, overwrite)).rejects.toMatchObject({ code: "SOURCE_CHANGED" });
    expect(readFileSync(join(output(), "archive.db")).equals(earlier)).toBe(true);
  });

  it("is detected if another file gets its name", async () => {
    const source = join(scratch, "mail.mbox");
    const other = join(scratch, "other.mbox");
    writeMbox(source, 3);
    writeMbox(other, 3);
    await expect(
      extract(
        source,
        whileRead(() => renameSync(other, source)),
      ),
    ).rejects.toMatchObject({ code: "SOURCE_CHANGED" });
  });

  it.each([
    ["is cut", (source: string): void => truncateSync(source, 100)],
    [
      "gets a letter before its first one",
      (source: string): void => writeFileSync(source, mboxOf(1, 7) + readFileSync(source, "utf8")),
    ],
    [
      "gets a longer letter than it had",
      (source: string): void => writeFileSync(source, `${mboxOf(2)}${mboxOf(2, 100)}`),
    ],
  ])("is noticed when it %s", async (_, change) => {
    const source = join(scratch, "mail.mbox");
    writeMbox(source, 3);
    await expect(
      extract(
        source,
        whileRead(() => change(source)),
      ),
    ).rejects.toMatchObject({ code: "SOURCE_CHANGED" });
  });
});

describe("a mailbox to which mail is added during a run", () => {
  it("is read to its original end, with a note", async () => {
    const source = join(scratch, "mail.mbox");
    writeMbox(source, 3);
    const { size } = statSync(source);
    const sha256 = createHash("sha256").update(readFileSync(source)).digest("hex");
    const warnings: Warning[] = [];
    const add = whileRead(() => appendFileSync(source, mboxOf(2, 3)));
    const { sources } = await extract(source, (event) => {
      if (event.kind === "warning") warnings.push(event.warning);
      add(event);
    });
    expect(sources[0]?.record).toMatchObject({ counts: { seen: 3, kept: 3 }, sizeBytes: size, sha256 });
    expect(warnings).toMatchObject([{ code: "mbox-grew", location: `offset:${size}` }]);
    // The next run reads the added mail.
    const next = await extract(source);
    expect(next.sources[0]?.record.counts).toMatchObject({ seen: 5, kept: 5 });
  });
});

describe("outputs and sources in one another", () => {
  it("are distinguished: an output inside a source is not mail", async () => {
    const source = join(scratch, "mail");
    writeMaildir(source, 2);
    const inside = join(source, "archive");
    mkdirSync(inside);
    for (const [name, text] of [
      [".archivetool-files.json", "{}"],
      ["saved.eml", letter(7)],
    ] as const)
      writeFileSync(join(inside, name), text);
    const { sources } = await extract(source);
    expect(sources[0]?.record.counts).toMatchObject({ seen: 2, kept: 2, skipped: 0 });
  });

  it("are rejected: a source inside the output directory", async () => {
    const source = join(output(), "mail.mbox");
    mkdirSync(output());
    writeMbox(source, 1);
    await expect(extract(source)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(existsSync(source)).toBe(true);
  });
});

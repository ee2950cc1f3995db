import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeContractArchive } from "../../../test/contract/contract-archive.ts";
import type { SearchHit } from "../../mail/archive.ts";
import { createProgram } from "../program.ts";
import { renderLine } from "../terminal/line.ts";
import { cellsOf, cutText, wrapText } from "../terminal/text-columns.ts";
import { hitLines } from "./search.ts";

const hit = (changes: Partial<SearchHit>): SearchHit => ({
  messageId: "msg-000012",
  rank: 1,
  score: 0.95,
  snippet: "Bring the **hawser**.",
  from: { name: "Ann Quay", email: "ann@harbour.example" },
  subject: "Mooring line",
  sentAt: Date.UTC(2001, 4, 20),
  otherMailboxes: 0,
  sameText: [],
  ...changes,
});

const shown = (found: SearchHit, hasColors: boolean): string[] =>
  hitLines(found, hasColors).map((line) => renderLine(line, hasColors));

describe("hitLines", () => {
  it("shows rank, score, date, sender, subject, snippet and id", () => {
    expect(shown(hit({}), false)).toEqual([
      "1.  0.950  2001-05-20  Ann Quay <ann@harbour.example>",
      "    Mooring line",
      "    Bring the **hawser**.",
      "    msg-000012",
      "",
    ]);
  });

  it("shows the number of further folders that contain a message", () => {
    expect(shown(hit({ otherMailboxes: 1 }), false)[3]).toBe("    msg-000012, also in 1 folder");
    expect(shown(hit({ otherMailboxes: 3 }), false)[3]).toBe("    msg-000012, also in 3 folders");
  });

  it("colors matches on a terminal, even across a line break", () => {
    expect(shown(hit({}), true)[2]).toBe("    Bring the \u001b[1;33mhawser\u001b[22;39m.");
    const long = `${"x".repeat(70)} **mooring line** y`;
    expect(shown(hit({ snippet: long }), true).slice(2, 4)).toEqual([
      `    ${"x".repeat(70)}`,
      "    \u001b[1;33mmooring line\u001b[22;39m y",
    ]);
    expect(shown(hit({ snippet: `${"x".repeat(60)} **mooring line** y` }), true).slice(2, 4)).toEqual([
      `    ${"x".repeat(60)} \u001b[1;33mmooring\u001b[22;39m`,
      "    \u001b[1;33mline\u001b[22;39m y",
    ]);
  });

  it("describes missing values", () => {
    expect(shown(hit({ from: null, sentAt: null, subject: "", snippet: "" }), false)).toEqual([
      "1.  0.950  undated     (no sender)",
      "    (no subject)",
      "    msg-000012",
      "",
    ]);
  });

  it("never needs more than 80 columns, and removes control characters", () => {
    const text = fc.string({ unit: "binary", maxLength: 300 });
    fc.assert(
      fc.property(text, text, text, fc.integer({ min: 1, max: 1000 }), (subject, name, snippet, rank) => {
        const wild = hit({ subject, snippet, rank, from: { name, email: "a@b" } });
        for (const line of shown(wild, false)) {
          expect(cellsOf(line)).toBeLessThanOrEqual(80);
          expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
        }
        const plain = (lines: readonly string[]): string => lines.join("").replaceAll(/\u001b\[[\d;]+m|\*\*/g, "");
        if (!snippet.includes("*")) expect(plain(shown(wild, true))).toBe(plain(shown(wild, false)));
      }),
    );
  });
});

describe("text columns", () => {
  it("counts displayed columns", () => {
    expect([cellsOf("mail"), cellsOf("回复"), cellsOf("e\u0301"), cellsOf("📎")]).toEqual([4, 4, 1, 2]);
  });

  it("truncates only long text with an ellipsis", () => {
    expect([cutText("mooring", 7), cutText("mooring line", 8), cutText("回复回复", 5)]).toEqual([
      "mooring",
      "mooring…",
      "回复…",
    ]);
  });

  it("wraps at spaces, breaks longer words, and loses nothing", () => {
    expect(wrapText("a mooring line", 7)).toEqual(["a", "mooring", "line"]);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 2, max: 20 }), (text, cells) => {
        const lines = wrapText(text, cells);
        expect(lines.every((line) => cellsOf(line) <= cells)).toBe(true);
        expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
      }),
    );
  });
});

describe("archivetool search", () => {
  async function run(...flags: readonly string[]): Promise<string> {
    const file = await writeContractArchive();
    const lines: string[] = [];
    try {
      const host = {
        signal: new AbortController().signal,
        print: (line: string) => void lines.push(line),
        writeError: () => undefined,
      };
      expect(await (await createProgram(host)).run(["search", file.path, ...flags])).toBe(0);
    } finally {
      file.remove();
    }
    return lines.join("\n");
  }
  const jsonOf = async (...flags: readonly string[]) =>
    JSON.parse(await run(...flags, "--json")).results as { readonly sent_at: string; readonly from_email: string }[];

  it("prints ten results, or the number given by -n", async () => {
    expect((await run("berth")).match(/^\d+\./gm)).toHaveLength(10);
    expect((await run("berth", "-n", "3")).match(/^\d+\./gm)).toEqual(["1.", "2.", "3."]);
    expect(await run("nothinglikeit")).toBe("No messages match.");
  });

  it("narrows by sender and dates, inclusive", async () => {
    const sent = await jsonOf("berth", "-n", "100", "--sender", "ANN.quay@harbour.example");
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.every(({ from_email }) => from_email.toLowerCase().startsWith("ann"))).toBe(true);
    const days = (await jsonOf("berth", "-n", "100", "--after", "2001-05-16", "--before", "2001-05-18")).map(
      ({ sent_at }) => sent_at.slice(0, 10),
    );
    expect(new Set(days)).toEqual(new Set(["2001-05-16", "2001-05-17", "2001-05-18"]));
  });

  it.each([
    [["berth", "-n", "0"], /--top-n must be an integer from 1 to 1000, not "0"/],
    [["berth", "--after", "soon"], /--after must be an ISO 8601 date, not "soon"/],
    [["berth", "--before", "14.05.2001"], /--before must be an ISO 8601 date/],
    [
      ["berth", "--after", "2002-01-01", "--before", "2001-01-01"],
      /--after 2002-01-01 is later than --before 2001-01-01/,
    ],
    [[" "], /the query is empty/],
  ])("rejects %j", async (flags, message) => {
    await expect(run(...flags)).rejects.toThrow(message);
  });

  it("explains what to do with a source that was not extracted", async () => {
    const directory = mkdtempSync(join(tmpdir(), "archivetool-raw-"));
    const host = { signal: new AbortController().signal, print: () => undefined, writeError: () => undefined };
    try {
      await expect((await createProgram(host)).run(["search", directory, "berth"])).rejects.toMatchObject({
        code: "NOT_AN_ARCHIVE",
        hint: expect.stringContaining("archivetool extract"),
      });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

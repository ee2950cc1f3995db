import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archivetool, scratchDirectory } from "./cli.ts";
import { QuerySurfaces } from "./query-surfaces.ts";

/** Searches that people reported as failing in other programs: every surface finds the same messages. */

/** A message by the beginning of its Message-ID. */
interface Letter {
  readonly id: string;
  readonly headers?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly subject?: string;
  readonly date?: string;
  readonly text?: string;
  /** Body after the headers, instead of a text. */
  readonly parts?: string;
}

const INNER = [
  "From: Cy Reef <cy@reef.example>",
  "Subject: Survey",
  'Content-Type: multipart/mixed; boundary="inner"',
  "",
  "--inner",
  "Content-Type: text/plain",
  "",
  "The bathymetry is attached.",
  "--inner",
  'Content-Type: application/pdf; name="soundings.pdf"',
  'Content-Disposition: attachment; filename="soundings.pdf"',
  "",
  "%PDF-1.4",
  "--inner--",
].join("\n");

const attaching = (type: string, content: string): string =>
  `--outer\nContent-Type: text/plain\n\nSee the attachment.\n--outer\n${type}\n\n${content}\n--outer--`;
const MULTIPART = ['Content-Type: multipart/mixed; boundary="outer"'];
const PLAN = attaching(
  'Content-Type: text/plain; name="berthplan.txt"\nContent-Disposition: attachment; filename="berthplan.txt"',
  "Berthing times",
);

const LETTERS: readonly Letter[] = [
  { id: "phone", text: "Call 713-555-0196 on 12/31/2001 at 10:30, or write to louise@mill.example." },
  { id: "loose", text: "Lots 713, 555 and 0196; 12 of 31 in 2001; 30 by 10; louise of the mill has no example." },
  { id: "pasted", subject: "FW: [Quay] Crane & Hoist *urgent* > offer", text: "As agreed." },
  { id: "elision", text: "Le bureau d'études est fermé aujourd’hui." },
  { id: "underscore", text: "See project_alpha_final.docx there." },
  { id: "anne", from: "Anne-Marie O'Connor <annemarie.oconnor@law-firm.example>", subject: "Budgetary notes" },
  { id: "fromAcme", from: "Di Acme <di@acme.example>" },
  { id: "toAcme", to: "di@acme.example" },
  { id: "ccAcme", headers: ["Cc: ed@acme.example"] },
  { id: "bccAcme", headers: ["Bcc: ed@acme.example"] },
  { id: "subAcme", from: "Flo <flo@mail.acme.example>" },
  { id: "notAcme", from: "Gus <gus@notacme.example>" },
  { id: "letters", text: "Łódź Øre Đakovo Ħaż-Żebbuġ Þór Æon Œuvre ƙasa ȷeep Ŧana Smørrebrød" },
  { id: "cjk", text: "3月15日 100元 A社 第3回 2023年 500원 3층 COVID疫情" },
  { id: "phones", text: "铁路12306 iPhone手机在Apple商店买的2023年合同" },
  { id: "signs", text: "AT&T and P/L met about the F-150." },
  { id: "unsigned", text: "We sat at t, l p, then f and 150." },
  { id: "ended", text: "A contract with a termination." },
  { id: "contract", text: "A contract for good." },
  { id: "near", text: "The mooring of the old line." },
  { id: "far", text: `The mooring ${"was never any part of it ".repeat(5)} line.` },
  { id: "copied", headers: ["X-Gmail-Labels: Inbox"], text: "Twice here." },
  { id: "copied", headers: ["X-Gmail-Labels: Archive,Starred"], text: "Twice here." },
  { id: "swapped", headers: ["X-Gmail-Labels: Archive,Starred"], text: "Twice there." },
  { id: "swapped", headers: ["X-Gmail-Labels: Inbox"], text: "Twice there." },
  { id: "planA", headers: MULTIPART, parts: PLAN },
  { id: "planB", headers: MULTIPART, parts: PLAN },
  { id: "nested", headers: MULTIPART, parts: attaching("Content-Type: message/rfc822", INNER) },
  { id: "odd/path+x=slash", text: "An odd Message-ID." },
  { id: "later", date: "Mon, 06 Nov 2023 09:00:00 +0000", text: "Dated." },
  { id: "march", date: "Wed, 15 Mar 2023 09:00:00 +0000", text: "Dated." },
];

const labelOf = (id: string): string => id.split("=").at(-1)!;
const ALL: readonly string[] = [...new Set(LETTERS.map(({ id }) => labelOf(id)))];

type Searches = Readonly<Record<string, readonly string[]>>;

/** The result of each query, and of its exclusion. */
function withExclusions(searches: Searches): Searches {
  const excluded = Object.entries(searches).map(([query, found]): [string, readonly string[]] => [
    `-${query}`,
    ALL.filter((label) => !found.includes(label)),
  ]);
  return { ...searches, ...Object.fromEntries(excluded) };
}

/** By the number of the report. */
const SEARCHES: Readonly<Record<string, Searches>> = {
  T01: {
    "713-555-0196": ["phone"],
    "12/31/2001": ["phone"],
    "10:30": ["phone"],
    "louise@mill.example": ["phone"],
  },
  T03: { "FW: [Quay] Crane & Hoist *urgent* > offer": ["pasted"] },
  T04: { "d'études": ["elision"], "d’études": ["elision"], "aujourd'hui": ["elision"], études: ["elision"] },
  T06: { alpha: ["underscore"], alpha_final: ["underscore"], "project_alpha_final.docx": ["underscore"] },
  T08: {
    "from:oconnor": ["anne"],
    "from:law-firm": ["anne"],
    "from:annem*": ["anne"],
    "person:annem*": ["anne"],
    "subject:budg*": ["anne"],
    "domain:law*": ["anne"],
    "to:di*": ["toAcme"],
    "filename:berth*": ["planA", "planB"],
    "attachment:berth*": ["planA", "planB"],
  },
  T10: { "person:acme.example": ["fromAcme", "toAcme", "ccAcme", "bccAcme", "subAcme"] },
  T11: Object.fromEntries(
    "lodz ore dakovo haz thor aeon oeuvre kasa jeep tana smorrebrod".split(" ").map((word) => [word, ["letters"]]),
  ),
  T13: {
    ...Object.fromEntries("3月15日 100元 A社 第3回 500원 3층 COVID疫 3月 元".split(" ").map((word) => [word, ["cjk"]])),
    "2023年": ["cjk", "phones"],
  },
  T14: Object.fromEntries(
    "12306 铁路 铁路12306 手机 iPhone 合同 2023年合同".split(" ").map((word) => [word, ["phones"]]),
  ),
  T16: withExclusions({
    "10:30": ["phone"],
    "AT&T": ["signs"],
    "F-150": ["signs"],
    "P/L": ["signs"],
    "713-555-0196": ["phone"],
    '"old line"': ["near"],
    "(contract OR hoist)": ["ended", "contract", "pasted"],
  }),
  T18: {
    "contract AND termination": ["ended"],
    "contract NOT termination": ["contract"],
    "contract AND NOT termination": ["contract"],
  },
  T19: { '"mooring line"~20': ["near"], "line w/10 mooring": ["near"], "mooring NEAR line": ["near"] },
  T20: { "contract\thoist": [], contract: ["ended", "contract"] },
  T21: {
    "10:30": ["phone"],
    "(contract hoist) OR dated": ["later", "march"],
    "twice -(here now)": ["copied", "swapped"],
  },
  T25: {
    "label:archive": ["copied", "swapped"],
    "label:inbox": ["copied", "swapped"],
    "is:flagged": ["copied", "swapped"],
  },
  T34: { "filename:berthplan.txt": ["planA", "planB"] },
  T35: { bathymetry: ["nested"], "filename:soundings": ["nested"], "type:pdf": ["nested"] },
  T40: { "id:odd/path+x=slash@t.example": ["slash"] },
  T49: { "after:2023/11/05": ["later"], "date:2023-01..2023-03": ["march"], "since:2023-11-01": ["later"] },
};

/** Reports about other things than queries, and the tests of these. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  T22: "src/outputs/csv/csv-row.test.ts",
  T24: "src/outputs/csv/csv-row.test.ts",
  T27: "src/sources/emlx/emlx.test.ts",
  T29: "src/sources/mbox/mbox.test.ts",
  T31: "src/sources/formats/detect-format.test.ts",
  T32: "src/outputs/export/mbox-writer.test.ts",
  T37: "src/outputs/export/maildir-name.test.ts",
  T38: "src/outputs/export/message-name.test.ts",
  T42: "test/contract/base-path.test.ts",
  T44: "test/e2e/service-add.test.ts",
  T45: "src/sources/reading/mailbox-flags.test.ts",
  T47: "test/e2e/load-file.test.ts",
  T51: "src/store/reading/contact-texts.test.ts",
};

const encoded = (text: string): string =>
  text.replace(/^[^<]+/, (words) =>
    /[^ -~]/.test(words) ? `=?utf-8?B?${Buffer.from(words).toString("base64")}?=` : words,
  );

/** The same for duplicates. */
const numberOf = (letter: Letter): number => LETTERS.findIndex(({ id }) => id === letter.id);

function mboxOf(letters: readonly Letter[]): string {
  return letters
    .map((letter) =>
      [
        "From ann@quay.example Mon May 14 16:00:00 2001",
        `From: ${encoded(letter.from ?? "Ann Quay <ann@quay.example>")}`,
        `To: ${letter.to ?? "Bo Tide <bo@quay.example>"}`,
        `Subject: ${encoded(letter.subject ?? `Letter ${numberOf(letter)}`)}`,
        `Date: ${letter.date ?? `Mon, 14 May 2001 16:${10 + numberOf(letter)}:00 +0000`}`,
        `Message-ID: <${letter.id}@t.example>`,
        ...(letter.headers ?? []),
        ...(letter.parts === undefined ? ["Content-Type: text/plain; charset=utf-8"] : []),
        "",
        letter.parts ?? letter.text ?? "Nothing.",
        "",
      ].join("\n"),
    )
    .join("\n");
}

describe("reported searches", () => {
  const scratch = scratchDirectory("reported-searches");
  const archive = join(scratch, "archive");
  const surfaces = new QuerySurfaces(archive, scratch);
  const queries = [...new Set(Object.values(SEARCHES).flatMap((searches) => Object.keys(searches)))];
  let hits: ReadonlyMap<string, number> = new Map();

  beforeAll(async () => {
    writeFileSync(join(scratch, "letters.mbox"), mboxOf(LETTERS));
    const made = archivetool(
      "-q",
      "extract",
      join(scratch, "letters.mbox"),
      "-o",
      archive,
      "--no-wiki",
      "--attachment-text",
    );
    expect(made.exitCode, made.stderr).toBe(0);
    await surfaces.open();
    const counts = await surfaces.hits(queries);
    hits = new Map(queries.map((query, at) => [query, counts[at]!]));
  });
  afterAll(() => surfaces.close());

  it.each(Object.keys(SEARCHES))("finds the same messages on every surface: %s", async (row) => {
    for (const [query, found] of Object.entries(SEARCHES[row]!)) {
      expect((await surfaces.exported(query)).toSorted(), query).toEqual(found.toSorted());
      const counted = { hits: hits.get(query)!, ...(await surfaces.counts(query)) };
      expect(counted, query).toEqual(Object.fromEntries(Object.keys(counted).map((name) => [name, found.length])));
    }
  });
});

const REPORTS = resolve(import.meta.dirname, "../../../shared/data/reports/search.tsv");

it.skipIf(!existsSync(REPORTS))("has a test for every report", () => {
  const reports = readFileSync(REPORTS, "utf8").trim().split("\n").slice(1);
  const rows = reports.map((line) => line.split("\t")[0]!);
  expect([...Object.keys(SEARCHES), ...Object.keys(ELSEWHERE)].toSorted()).toEqual(rows.toSorted());
  const root = resolve(import.meta.dirname, "../..");
  expect(Object.values(ELSEWHERE).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { archiveIn } from "../../src/store/contract/archive-location.ts";
import { withNotebook } from "../../src/store/notebook/open-notebook.ts";
import {
  expectImportable,
  type LoadRecord,
  linesOf,
  linkedFile,
  readProduction,
  valuesOf,
} from "../concordance-file.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { day, writeMaildir } from "./fixture-mail.ts";

/** A production of 500 messages with attachments for three custodians, read back with the conventions of load files. */

const MESSAGES = 500;
/** Messages without attachments, which the query omits. */
const PLAIN = 20;
const CUSTODIANS = ["Quay, Ann", "Tide, Bob", "Mast, Cy"] as const;

const scratch = scratchDirectory("production");
const archive = join(scratch, "archive");

interface Part {
  readonly headers: readonly string[];
  readonly body: string;
  /** Documents of an attachment: an attached message adds its own. */
  readonly documents: number;
}

interface Draft {
  readonly id: string;
  readonly text: string;
  readonly documents: number;
}

/** Attachments of the message with this number: one to four files and messages. */
function partsOf(number: number): readonly Part[] {
  const file = (name: string, content: string): Part => ({
    headers: [
      `Content-Type: application/octet-stream; name="${name}"`,
      ...["Content-Disposition: attachment", "Content-Transfer-Encoding: base64"],
    ],
    body: Buffer.from(content).toString("base64"),
    documents: 1,
  });
  const message = (level: number): Part => {
    const parts = [
      file(`tides-${number}.csv`, `high,low\n${number},${level}\n`),
      ...(level > 1 ? [message(level - 1)] : []),
    ];
    return {
      headers: ["Content-Type: message/rfc822"],
      body: letter({ id: `inner-${level}-${number}`, number, parts, subject: `Inner letter ${level}` }),
      documents: 1 + parts.reduce((sum, { documents }) => sum + documents, 0),
    };
  };
  const all = [
    file(`plan of berth ${number}.txt`, `The plan of berth ${number}.\nSecond line.`),
    ...(number % 3 === 0 ? [message(1 + (number % 4))] : []),
    // The same bytes in many messages.
    ...(number % 5 === 0 ? [file("terms.TXT", "Terms of the harbour.")] : []),
    ...(number % 7 === 0 ? [file("CON", `No ending ${number}`)] : []),
  ];
  return all.slice(number % 2 === 0 ? 0 : -2);
}

function letter({
  id,
  number,
  parts,
  subject,
}: {
  readonly id: string;
  readonly number: number;
  readonly parts: readonly Part[];
  readonly subject: string;
}): string {
  const boundary = `=_${id}`;
  return [
    ...[
      "From: Ann Quay <ann@harbour.example>",
      `To: p${number % 17}@harbour.example`,
      `Message-ID: <${id}@harbour.example>`,
    ],
    ...(number % 10 === 1 ? [`In-Reply-To: <outer-${number - 1}@harbour.example>`] : []),
    ...[`Subject: ${subject}`, `Date: ${day(1 + (number % 300))}`, "MIME-Version: 1.0"],
    ...[`Content-Type: multipart/mixed; boundary="${boundary}"`, "", `--${boundary}`],
    ...["Content-Type: text/plain; charset=utf-8", "", `Letter ${number} with its files.`],
    ...parts.flatMap(({ headers, body }) => [`--${boundary}`, ...headers, "", body]),
    ...[`--${boundary}--`, ""],
  ].join("\n");
}

const drafts: readonly Draft[] = Array.from({ length: MESSAGES + PLAIN }, (_, number) => {
  const parts = number < MESSAGES ? partsOf(number) : [];
  const id = `outer-${number}`;
  // "Þorn, a sign of load files, and a line end" as an encoded word.
  const subject = number % 9 === 0 ? `=?utf-8?q?=C3=BEorn_=14_and=0D=0Aline_${number}?=` : `Berth plan ${number}`;
  return {
    id,
    text: letter({ id, number, parts, subject }),
    documents: 1 + parts.reduce((sum, { documents }) => sum + documents, 0),
  };
});

/** Custodians of the message with this number: some have it in two or three mailboxes. */
const custodiansOf = (number: number): readonly number[] =>
  [0, 1, 2].filter((at) => at === number % 3 || (number % 8 === 0 && at === 1) || number % 40 === 0);

function mark(
  number: number,
  value: { readonly tags: readonly string[]; readonly note: string; readonly review: string },
): void {
  const { id, text } = drafts[number]!;
  withNotebook(archiveIn(archive), (notebook) =>
    notebook.write({
      kind: "message",
      key: `${id}@harbour.example\n${createHash("sha256").update(text).digest("hex")}`,
      revision: 0,
      value: JSON.stringify(value),
      updatedAt: 1,
      author: "ann",
    }),
  );
}

beforeAll(() => {
  const boxes = CUSTODIANS.map((_, at) => join(scratch, `box-${at}`));
  for (const [at, box] of boxes.entries())
    writeMaildir(
      box,
      drafts.filter((_draft, number) => custodiansOf(number).includes(at)).map(({ text }) => text),
    );
  const run = archivetool("-q", "extract", ...boxes, "-o", archive, "--no-wiki", "--attachment-text");
  expect(run.exitCode, run.stderr).toBe(0);
  for (const number of [0, 40, 120])
    mark(number, { tags: ["hot"], note: "Ask counsel.\nThen call.", review: "privileged" });
  mark(7, { tags: ["harbour", "hot"], note: "", review: "relevant" });
});

it("is imported by the conventions of load files only", () => {
  const directory = join(scratch, "production");
  const run = archivetool(
    ...[
      "export",
      archive,
      "has:attachment",
      "--format",
      "load-file",
      "-o",
      directory,
      "--bates",
      "HQ-",
      "--start",
      "99",
    ],
    ...CUSTODIANS.flatMap((name, at) => ["--custodian", `${at}=${name}`]),
  );
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.stdout).toMatch(/^500 messages match$/m);
  expect(run.stdout).toMatch(/^500 messages: 500 original, 0 composed$/m);
  expect(readdirSync(directory).filter((name) => /\.(opt|lfp)$/i.test(name))).toEqual([]);

  const production = readProduction(directory);
  const { records } = production;
  expectImportable(production, { prefix: "HQ-", start: 99 });
  const messages = records.filter((record) => record["RECORDTYPE"] === "message");
  expect(messages).toHaveLength(MESSAGES);
  expect(records).toHaveLength(drafts.slice(0, MESSAGES).reduce((sum, { documents }) => sum + documents, 0));
  const byId = new Map(messages.map((record) => [record["MESSAGEID"], record]));
  for (const [number, draft] of drafts.slice(0, MESSAGES).entries()) {
    const record = byId.get(`${draft.id}@harbour.example`)!;
    expect(record["SHA256"], draft.id).toBe(createHash("sha256").update(draft.text).digest("hex"));
    expect([...valuesOf(record["ALLCUSTODIANS"]!)].sort(), draft.id).toEqual(
      custodiansOf(number)
        .map((at) => CUSTODIANS[at]!)
        .sort(),
    );
    const family = records.filter((one) => one["BEGATTACH"] === record["BEGDOC"]);
    expect(family, draft.id).toHaveLength(draft.documents);
    for (const one of family) expect(one["CUSTODIAN"], draft.id).toBe(record["CUSTODIAN"]);
  }
  expect(readFileSync(join(directory, "load.dat"), "utf8")).not.toContain(scratch);
  const textOf = (record: LoadRecord): string => readFileSync(linkedFile(production, record["TEXTLINK"]!), "utf8");
  const plan = records.find((record) => record["FILENAME"] === "plan of berth 4.txt")!;
  expect(textOf(plan)).toContain("The plan of berth 4.");
  const inner = records.find((record) => record["MESSAGEID"] === "inner-3-6@harbour.example")!;
  expect(inner["RECORDTYPE"]).toBe("attached message");
  expect(textOf(inner)).toContain("Letter 6 with its files.");
  expect(messages.find((record) => record["MESSAGEID"] === "outer-9@harbour.example")!["SUBJECT"]).toContain("orn");
});

it("logs the privileged families, and withholds them", () => {
  const directory = join(scratch, "logged");
  const run = archivetool("-q", "export", archive, "has:attachment", "--format", "load-file", "-o", directory);
  expect(run.exitCode, run.stderr).toBe(0);
  const production = readProduction(directory);
  const marked = production.records.filter((record) => record["REVIEW"] === "privileged");
  const families = [0, 40, 120].reduce((sum, number) => sum + drafts[number]!.documents, 0);
  expect(marked).toHaveLength(families);
  for (const record of marked) {
    expect(valuesOf(record["TAGS"]!)).toEqual(["hot"]);
    expect(linesOf(record["NOTES"]!)).toEqual(["Ask counsel.", "Then call."]);
  }
  const logged = readFileSync(join(directory, "privilege-log.csv"), "utf8").match(/^DOC\d{8}(?=,)/gm);
  expect(logged).toEqual(marked.map((record) => record["BEGDOC"]));

  const rest = join(scratch, "rest");
  const query = "has:attachment -review:privileged";
  expect(archivetool("-q", "export", archive, query, "--format", "load-file", "-o", rest).exitCode).toBe(0);
  const released = readProduction(rest);
  expectImportable(released, { prefix: "DOC", start: 1 });
  expect(released.records).toHaveLength(production.records.length - families);
});

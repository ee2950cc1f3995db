import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { archiveIn } from "../../src/store/contract/archive-location.ts";
import { withNotebook } from "../../src/store/notebook/open-notebook.ts";
import { expectImportable, readProduction } from "../concordance-file.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { command } from "./command.ts";
import { writeMbox } from "./fixture-mail.ts";

const scratch = scratchDirectory("load-file");
const archive = join(scratch, "archive");
const PLAN = Buffer.from("the plan of berth 7");

const INNER = [
  ...["From: Cy Mast <cy@harbour.example>", "To: bob@harbour.example", "Message-ID: <inner@harbour.example>"],
  ...["Subject: Inner letter", "Date: Mon, 14 May 2001 10:00:00 +0000", "MIME-Version: 1.0"],
  ...['Content-Type: multipart/mixed; boundary="in"', "", "--in", "Content-Type: text/plain", "", "Said inside."],
  ...["--in", 'Content-Type: text/csv; name="tides.CSV"', "Content-Disposition: attachment", "", "high,low", "--in--"],
];
const FAMILY = [
  ...["From: Ann Quay <ann@harbour.example>", "To: bob@harbour.example", "Message-ID: <family@harbour.example>"],
  ...["Subject: Berth plan", "Date: Tue, 15 May 2001 16:39:00 +0000", "MIME-Version: 1.0"],
  ...['Content-Type: multipart/mixed; boundary="out"', "", "--out", "Content-Type: text/plain", "", "See the files."],
  ...["--out", "Content-Type: message/rfc822", "", ...INNER],
  ...["--out", 'Content-Type: application/octet-stream; name="plan"', "Content-Transfer-Encoding: base64"],
  ...["Content-Disposition: attachment", "", PLAN.toString("base64"), "--out--", ""],
].join("\n");
const PLAIN = [
  ...["From: bob@harbour.example", "To: ann@harbour.example", "Message-ID: <plain@harbour.example>"],
  ...["Subject: =?utf-8?q?A_=C3=BEorn_and_=14_a_sign?=", "Date: Wed, 16 May 2001 08:00:00 +0000", "", "Yes.", ""],
].join("\n");

beforeAll(() => {
  const [ann, bob] = [join(scratch, "ann.mbox"), join(scratch, "bob.mbox")];
  writeMbox(ann, [FAMILY]);
  writeMbox(bob, [FAMILY, PLAIN]);
  const run = archivetool("-q", "extract", ann, bob, "-o", archive, "--no-wiki", "--attachment-text");
  expect(run.exitCode, run.stderr).toBe(0);
});

describe("archivetool export --format load-file", () => {
  it("writes families that a parser of Concordance files reads back", async () => {
    const path = join(scratch, "load");
    const run = await command(
      ...["export", archive, "--format", "load-file", "-o", path],
      ...["--bates", "HQ", "--start", "100", "--custodian", "ann.mbox=Quay, Ann", "--custodian", "1=Tide, Bob"],
    );
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toContain("2 messages: 2 original, 0 composed");
    const records = readProduction(path).records;
    const column = (name: string) => records.map((record) => record[name]);
    const number = (at: number) => `HQ${String(99 + at).padStart(8, "0")}`;
    expect(column("DOCID")).toEqual([1, 2, 3, 4, 5].map(number));
    expect(column("BEGDOC")).toEqual(column("DOCID"));
    expect(column("RECORDTYPE")).toEqual(["message", "attached message", "attachment", "attachment", "message"]);
    expect(column("PARENTID")).toEqual(["", number(1), number(2), number(1), ""]);
    expect(column("BEGATTACH")).toEqual([1, 1, 1, 1, 5].map(number));
    expect(column("ENDATTACH")).toEqual([4, 4, 4, 4, 5].map(number));
    expect(column("SUBJECT").slice(0, 3)).toEqual(["Berth plan", "Inner letter", ""]);
    expect(column("DATESENT")).toEqual(["2001-05-15", "2001-05-14", "2001-05-15", "2001-05-15", "2001-05-16"]);
    expect(column("CUSTODIAN")).toEqual([...Array(4).fill("Quay, Ann"), "Tide, Bob"]);
    expect(column("ALLCUSTODIANS")).toEqual([...Array(4).fill("Quay, Ann; Tide, Bob"), "Tide, Bob"]);
    expect(records[0]!["ALLPATHS"]).toMatch(/^Quay, Ann\/[^;]+; Tide, Bob\/[^;]+$/);
    expect(records[0]!["ATTACHMENTCOUNT"]).toBe("2");
    expect(readFileSync(join(path, "load.dat"), "utf8")).not.toContain(scratch);
    expectImportable({ directory: path, records }, { prefix: "HQ", start: 100 });
    expect(column("NATIVELINK").map((link) => /\.\w+$/.exec(link!)![0])).toEqual([
      ...[".eml", ".eml", ".csv", ".bin", ".eml"],
    ]);
    const text = readFileSync(join(path, records[1]!["TEXTLINK"]!.replaceAll("\\", "/")), "utf8");
    expect(text).toContain("Said inside.");
    expect(readdirSync(path).sort()).toEqual(["MANIFEST.csv", "NATIVES", "TEXT", "load.dat", "privilege-log.csv"]);
  });

  it("has the hashes of natives that were composed", async () => {
    const path = join(scratch, "composed");
    const run = await command("-q", "export", archive, "--format", "load-file", "-o", path, "--no-originals");
    expect(run.exitCode, run.stderr).toBe(0);
    const natives = readProduction(path).records.filter((record) => record["NATIVELINK"] !== "");
    expect(natives).toHaveLength(2);
    for (const record of natives) {
      const bytes = readFileSync(join(path, record["NATIVELINK"]!.replaceAll("\\", "/")));
      expect(record["SHA256"]).toBe(createHash("sha256").update(bytes).digest("hex"));
    }
  });

  it("has tags and review states, and a privilege log", async () => {
    const shown = JSON.parse((await command("show", archive, "<family@harbour.example>", "--json")).stdout) as {
      readonly message_id: string;
      readonly sha256: string;
    };
    withNotebook(archiveIn(archive), (notebook) =>
      notebook.write({
        kind: "message",
        key: `${shown.message_id}\n${shown.sha256}`,
        revision: 0,
        value: JSON.stringify({ tags: ["hot"], note: "Ask counsel.\nThen\u00fe call.", review: "privileged" }),
        updatedAt: 1,
        author: "ann",
      }),
    );
    withNotebook(archiveIn(archive), (notebook) =>
      notebook.write({
        kind: "thread",
        key: `${shown.message_id}\n${shown.sha256}`,
        revision: 0,
        value: JSON.stringify({ tags: [], note: "About berth 7.", review: "open" }),
        updatedAt: 2,
        author: "ann",
      }),
    );
    const path = join(scratch, "marked");
    const run = await command("-q", "export", archive, "--format", "load-file", "-o", path);
    expect(run.exitCode, run.stderr).toBe(0);
    const records = readProduction(path).records;
    expect(records.map((record) => record["TAGS"])).toEqual(["hot", "hot", "hot", "hot", ""]);
    expect(records.map((record) => record["REVIEW"])).toEqual([...Array(4).fill("privileged"), "open"]);
    expect(records.map((record) => record["NOTES"])).toEqual([
      ...Array(4).fill("About berth 7.\u00aeAsk counsel.\u00aeThen call."),
      "",
    ]);
    const log = readFileSync(join(path, "privilege-log.csv"), "utf8").trimEnd().split("\r\n");
    expect(log).toHaveLength(5);
    expect(log[1]).toBe(
      "DOC00000001,DOC00000001,message,ann,2001-05-15,Ann Quay <ann@harbour.example>,bob@harbour.example,,,Berth plan,,hot",
    );
    const rest = join(scratch, "rest");
    const others = ["--format", "load-file", "--no-review-fields", "-o", rest, "--", "-review:privileged"];
    expect((await command("-q", "export", archive, ...others)).exitCode).toBe(0);
    const [produced, ...none] = readProduction(rest).records;
    expect([produced!["MESSAGEID"], none]).toEqual(["plain@harbour.example", []]);
    // Reviewers wrote them, so other parties must not receive them.
    for (const field of ["TAGS", "REVIEW", "NOTES"]) expect(Object.keys(produced!)).not.toContain(field);
    const logged = join(scratch, "logged");
    const withheld = ["--format", "load-file", "--no-review-fields", "-o", logged, "tag:hot review:privileged"];
    expect((await command("-q", "export", archive, ...withheld)).exitCode).toBe(0);
    expect(readFileSync(join(logged, "privilege-log.csv"), "utf8").split("\r\n")[1]).toMatch(/,Berth plan,$/);
    for (const file of ["load.dat", "privilege-log.csv", "MANIFEST.csv"]) {
      expect(readFileSync(join(logged, file), "utf8")).not.toMatch(/hot|privileged|tags/i);
    }
  });

  it.each([
    [
      ["--format", "eml", "--bates", "A"],
      "--bates, --start, --custodian and --no-review-fields require --format load-file",
    ],
    [
      ["--format", "eml", "--no-review-fields"],
      "--bates, --start, --custodian and --no-review-fields require --format load-file",
    ],
    [["--format", "load-file", "--bates", "a/b"], "--bates must be up to 40 letters"],
    [["--format", "load-file", "--start", "-1"], "--start must be an integer"],
    [["--format", "load-file", "--custodian", "nobody=Eve"], "nobody is not a unique source of this archive"],
  ])("rejects %j", async (args, message) => {
    const run = await command("export", archive, "-o", join(scratch, "refused"), ...args);
    expect([run.exitCode, run.stdout]).toEqual([1, ""]);
    expect(run.stderr).toContain(message);
  });
});

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXAMPLE_SEED, exampleCompany } from "../../examples/company/company.ts";
import { writeSources } from "../../examples/mailbox-files.ts";
import { archivetool, scratchDirectory } from "./cli.ts";

const scratch = scratchDirectory("redaction");

/** Personal data in the test mail; none of it is in an address field. */
const PLANTED = {
  email: ["hidden.person@secret.example", "second.person@secret.example", "third.person@secret.example"],
  phone: ["(206) 555-0143", "+1 206-555-0199"],
  ssn: ["219-09-9999"],
  credit_card: ["4012 8888 8888 1881"],
  ip: ["203.0.113.77"],
} as const;
const ALL = Object.values(PLANTED).flat();
const SENTENCE = `Mail hidden.person@secret.example or second.person@secret.example, call (206) 555-0143 or +1 206-555-0199, ssn 219-09-9999, card 4012 8888 8888 1881, host 203.0.113.77.`;

function quotedPrintable(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("")
    .replace(/(.{72})/g, "$1=\n");
}

/** Every field and format that can contain text of a mail. */
function plantedMessage(): string {
  const word = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;
  const part = (type: string, encoding: string, body: string): string =>
    `--outer\nContent-Type: ${type}\nContent-Transfer-Encoding: ${encoding}\n\n${body}\n`;
  const calendar = [
    "BEGIN:VCALENDAR",
    "METHOD:REQUEST",
    "BEGIN:VEVENT",
    "UID:planted-1",
    "DTSTART:20030105T100000Z",
    `SUMMARY:Call ${PLANTED.phone[0]}`,
    `DESCRIPTION:${SENTENCE.replaceAll(",", "\\,")}`,
    `LOCATION:host ${PLANTED.ip[0]}`,
    `ATTENDEE;CN="Pat ${PLANTED.ssn[0]}":mailto:pat@open.example`,
    "END:VEVENT",
    "END:VCALENDAR",
  ].join("\r\n");
  return [
    "Message-ID: <planted-1@open.example>",
    "Date: Wed, 01 Jan 2003 12:00:00 +0000",
    `From: ${word(`Pat ${PLANTED.phone[1]}`)} <pat@open.example>`,
    `To: "Sam ${PLANTED.ssn[0]}" <sam@open.example>`,
    "Cc: bare@open.example",
    // A name that an export writes separately from the bare address becomes the contact's name.
    `X-cc: Kim Dale ${PLANTED.email[2]} ${PLANTED.phone[0]}`,
    `Subject: ${word(`Card ${PLANTED.credit_card[0]} and`)} ${PLANTED.ip[0]}`,
    `List-Post: <mailto:${PLANTED.email[1]}>`,
    `List-Id: "${PLANTED.email[1]}" <list.open.example>`,
    `List-Owner: <mailto:${PLANTED.email[1]}>`,
    `Thread-Index: ${Buffer.from(`\u0001 ${PLANTED.phone[0]}`.padEnd(22)).toString("base64")}`,
    `X-Gmail-Labels: Inbox,"about ${PLANTED.email[0]}"`,
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="outer"',
    "",
    part(
      "text/plain; charset=utf-8",
      "quoted-printable",
      quotedPrintable(
        `${SENTENCE}\n\nOn Monday Sam wrote:\n> ${SENTENCE}\n\n-----Original Message-----\nFrom: Pat\nSubject: x\n\n${SENTENCE}`,
      ),
    ),
    part(
      "text/html; charset=utf-8",
      "base64",
      Buffer.from(`<p>${SENTENCE.replace("@", "&#64;")}</p>`).toString("base64"),
    ),
    part("text/calendar; method=REQUEST; charset=utf-8", "base64", Buffer.from(calendar).toString("base64")),
    part(
      `application/octet-stream; name="scan ${PLANTED.ssn[0]}.bin"`,
      "base64",
      Buffer.from("nothing here").toString("base64"),
    ).replace(
      "Content-Transfer",
      `Content-Disposition: attachment; filename="scan ${PLANTED.ssn[0]}.bin"\nContent-Transfer`,
    ),
    "--outer--",
    "",
  ].join("\n");
}

/** Files below a directory that contain one of the texts, as bytes. */
function leaks(directory: string, texts: readonly string[]): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    for (const text of texts) {
      if (entry.name.includes(text)) found.push(`${path}: name holds ${text}`);
      if (entry.isFile() && readFileSync(path).includes(text)) found.push(`${path}: ${text}`);
    }
  }
  return found;
}

describe("after extract --redact", () => {
  const source = join(scratch, "planted");
  mkdirSync(source);
  writeFileSync(join(source, "1.eml"), plantedMessage());
  const output = join(scratch, "output");
  const run = archivetool("extract", source, "-o", output, "--json", "--csv", "--extract-attachments", "--redact");

  it("no output contains planted data, as bytes or names", () => {
    expect(run.exitCode, run.stderr).toBe(0);
    expect(leaks(output, ALL)).toEqual([]);
  });

  it("the same search finds all of it without --redact", () => {
    const plain = join(scratch, "plain");
    archivetool("extract", source, "-o", plain, "--json", "--csv");
    for (const text of ALL) expect(leaks(plain, [text]), text).not.toEqual([]);
  });

  it("counts replacements, and records them for each message", () => {
    const provenance = JSON.parse(readFileSync(join(output, "provenance.json"), "utf8"));
    for (const type of Object.keys(PLANTED)) expect(provenance.redactions[type], type).toBeGreaterThan(0);
    const total = Object.values(provenance.redactions as Record<string, number>).reduce((sum, count) => sum + count, 0);
    expect(provenance.statistics.pii_redactions).toBe(total);
    expect(provenance.warnings).toContainEqual(expect.objectContaining({ code: "redacted", location: "msg-000001" }));
  });

  it("keeps addresses in address fields, and saves no attachments", () => {
    const [message] = JSON.parse(readFileSync(join(output, "extraction.json"), "utf8")).messages;
    expect(message.from.email).toBe("pat@open.example");
    expect(message.body).toContain("[REDACTED:email]");
    expect(message.attachments[0].path).toBeNull();
    expect(run.stderr).toContain("attachments are not saved");
  });

  it("stays redacted if an incremental run omits the flag", () => {
    const more = join(scratch, "more.eml");
    writeFileSync(more, plantedMessage().replace("planted-1@", "planted-2@").replace("Wed, 01 Jan", "Thu, 02 Jan"));
    expect(archivetool("-q", "extract", more, "-o", output, "--json", "--csv", "--incremental").exitCode).toBe(0);
    expect(JSON.parse(readFileSync(join(output, "extraction.json"), "utf8")).messages).toHaveLength(2);
    expect(leaks(output, ALL)).toEqual([]);
  });

  it("redacts only the types that are named", () => {
    const some = join(scratch, "some");
    archivetool("-q", "extract", source, "-o", some, "--json", "--redact", "ssn,ip");
    expect(leaks(some, [...PLANTED.ssn, ...PLANTED.ip])).toEqual([]);
    expect(leaks(some, PLANTED.credit_card)).not.toEqual([]);
  });
});

it("redacts account numbers when they are named, and counts them then", () => {
  const iban = "DE89370400440532013000";
  const mail = join(scratch, "account.eml");
  writeFileSync(mail, `From: pat@open.example\nSubject: rent\n\nPay to ${iban} until Monday.\n`);
  const redactions = (output: string) => JSON.parse(readFileSync(join(output, "provenance.json"), "utf8")).redactions;
  const [named, unnamed] = [join(scratch, "iban"), join(scratch, "no-iban")];
  archivetool("-q", "extract", mail, "-o", named, "--json", "--redact", "iban");
  archivetool("-q", "extract", mail, "-o", unnamed, "--json", "--redact");
  expect(readFileSync(join(named, "extraction.json"), "utf8")).toContain("Pay to [REDACTED:iban] until Monday.");
  expect(leaks(named, [iban])).toEqual([]);
  expect(leaks(unnamed, [iban])).not.toEqual([]);
  expect(redactions(named)).toMatchObject({ iban: 1, email: 0 });
  expect(redactions(unnamed)).not.toHaveProperty("iban");
});

it("contains none of the planted data of the example company", () => {
  const company = exampleCompany(EXAMPLE_SEED);
  const directory = join(scratch, "company");
  const sources = writeSources(company, directory);
  const output = join(scratch, "company-output");
  const run = archivetool("-q", "extract", ...sources, "-o", output, "--json", "--csv", "--redact");
  expect(run.exitCode, run.stderr).toBe(0);
  const inAddressFields = new Set(
    company.messages.flatMap(({ raw }) =>
      [
        ...raw
          .toString("latin1")
          .split("\r\n\r\n")[0]!
          .matchAll(/[\w.+-]+@[\w.-]+/g),
      ].map(([address]) => address.toLowerCase()),
    ),
  );
  const texts = [...new Set(company.plantedPii.map(({ text }) => text))].filter(
    (text) => !inAddressFields.has(text.toLowerCase()),
  );
  expect(texts.length).toBeGreaterThan(10);
  expect(leaks(output, texts)).toEqual([]);
});

describe("after extract --redact-words", () => {
  const words = join(scratch, "words.txt");
  writeFileSync(words, "\ufeff# names\r\ncondor\r\n\r\nJon Pike\n");
  const source = join(scratch, "words-source");
  const SECRETS = ["Condor", "CONDOR", "condor", "Cóndor", "Pike"];
  const word = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;
  const message = [
    "Message-ID: <words-1@open.example>",
    "Date: Wed, 01 Jan 2003 12:00:00 +0000",
    `From: ${word("Pat Cóndor")} <pat@open.example>`,
    'To: "Jon Pike" <jon@open.example>',
    `Subject: ${word("About CONDOR")}`,
    "X-Gmail-Labels: Inbox,Condor",
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="outer"',
    "",
    "--outer\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n",
    quotedPrintable("The Condor deal. Tell Jon\nPike.\n\nOn Monday Sam wrote:\n> Condor again\n"),
    "--outer\nContent-Type: text/html; charset=utf-8\n",
    "<p>C<b>ondor</b> and Jon&nbsp;Pike</p>",
    "--outer",
    'Content-Type: text/plain; name="condor plan.txt"\nContent-Disposition: attachment; filename="condor plan.txt"\n',
    "Attached: Condor, and Jon Pike.",
    "--outer--",
    "",
  ].join("\n");
  mkdirSync(join(source, "folder"), { recursive: true });
  writeFileSync(join(source, "folder", "1.eml"), message);
  const flags = ["--json", "--csv", "--attachment-text", "--mentions"];
  const output = join(scratch, "words-output");
  const run = archivetool("extract", source, "-o", output, ...flags, "--redact-words", words);

  it("no output contains the words or the list, as bytes or names", () => {
    expect(run.exitCode, run.stderr).toBe(0);
    expect(leaks(output, SECRETS)).toEqual([]);
    expect(archivetool("search", output, "condor").stdout).not.toContain("words-1");
  });

  it("the same search finds them without it, so it can fail", () => {
    const plain = join(scratch, "words-plain");
    archivetool("extract", source, "-o", plain, ...flags);
    for (const text of ["CONDOR", "Cóndor", "Pike"]) expect(leaks(plain, [text]), text).not.toEqual([]);
  });

  it("records the number of replacements, and requires the list for another run", () => {
    const provenance = JSON.parse(readFileSync(join(output, "provenance.json"), "utf8"));
    expect(provenance.options.redact).toEqual(["word"]);
    expect(provenance.redactions.word).toBeGreaterThan(8);
    expect(archivetool("validate", output).exitCode).toBe(0);
    expect(archivetool("extract", source, "-o", output, "--incremental").stderr).toContain("needs --redact-words");
    const again = archivetool("extract", source, "-o", output, "--incremental", "--redact-words", words);
    expect(again, again.stderr).toMatchObject({ exitCode: 0 });
  });

  it("reports an error in a list in one line", () => {
    const list = (text: string): string => {
      writeFileSync(join(scratch, "bad.txt"), text);
      return archivetool("extract", source, "-o", join(scratch, "bad"), "--redact-words", join(scratch, "bad.txt"))
        .stderr;
    };
    expect(list("# nothing\n")).toContain("lists no words");
    expect(list("one\n---\n")).toContain("line 2 of");
    const missing = archivetool(
      "extract",
      source,
      "-o",
      join(scratch, "bad"),
      "--redact-words",
      join(scratch, "none.txt"),
    );
    expect(missing).toMatchObject({ exitCode: 1 });
    expect(missing.stderr).toContain("none.txt does not exist");
  });
});

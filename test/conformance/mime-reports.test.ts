import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { composeContent } from "../../src/extraction/reading/message-content.ts";
import { type Mail, readMail } from "../../src/extraction/reading/read-mail.ts";
import { formatInstant } from "../../src/mail/dates/instant.ts";
import type { Message } from "../../src/mail/records/message.ts";
import { findSources } from "../../src/sources/finding/find-sources.ts";
import { openSource } from "../../src/sources/formats/detect-format.ts";
import type { SourceItem } from "../../src/sources/reading/source.ts";
import { splitBody } from "../../src/text/quoting/split-body.ts";
import { keptItemsOf } from "../kept-items.ts";

/** Public bug reports of other programs, reproduced with small inputs. This repository does not contain their files. */
const REPORTS = join(
  process.env["ARCHIVETOOL_DATA"] ?? resolve(import.meta.dirname, "../../../shared/data"),
  "reports",
  "mime",
);

interface Read {
  readonly item: Mail;
  readonly message: Message;
  readonly body: string;
}

async function itemsOf(input: string): Promise<readonly SourceItem[]> {
  const path = join(REPORTS, input);
  const found = statSync(path).isDirectory() ? findSources(path, "left out").paths : [path];
  const items: SourceItem[] = [];
  for (const source of found) {
    const opened = await openSource(source, { password: null, skipProtected: false });
    items.push(...(await keptItemsOf(opened.units())));
  }
  return items;
}

async function read(input: string): Promise<readonly Read[]> {
  const mails = (await itemsOf(input)).flatMap((item) => (item.kind === "rfc5322" ? [item] : []));
  return mails.map((item) => {
    const message = readMail(item, null);
    if (message instanceof Error) throw message;
    return { item, message, body: composeContent(message).body };
  });
}

const day = (instant: number | null): string | null => (instant === null ? null : formatInstant(instant).slice(0, 10));
const subjects = (mails: readonly Read[]) => mails.map(({ message }) => message.envelope.subject);
const sentDays = (mails: readonly Read[]) => mails.map(({ message }) => day(message.envelope.sentAt));
const sentTimes = (mails: readonly Read[]) =>
  mails.map(({ message: { envelope } }) => envelope.sentAt && formatInstant(envelope.sentAt).slice(11));
const receivedDays = (mails: readonly Read[]) => mails.map(({ message }) => day(message.envelope.receivedAt));
const bodies = (mails: readonly Read[]) => mails.map(({ body }) => body.trim());
const authors = (mails: readonly Read[]) => mails.map(({ message }) => message.envelope.from);
const files = (mails: readonly Read[]) =>
  mails.map(({ message }) => message.attachments.map(({ filename, linkTarget }) => linkTarget ?? filename));
const starts = (mails: readonly Read[]) =>
  mails.flatMap(({ message }) => composeContent(message).calendar.map(({ start }) => start && formatInstant(start)));
const mailboxes = (mails: readonly Read[]) => mails.map(({ item }) => item.mailbox).sort();
const flags = (mails: readonly Read[]) => mails.map(({ item, message }) => [...item.flags, ...message.marks].sort());
const counts = (mails: readonly Read[]) => mails.length;

type Case = readonly [input: string, readValue: (mails: readonly Read[]) => unknown, expected: unknown];

const CASES: readonly Case[] = [
  ["01-from-line-german.mbox", counts, 12],
  ["01c-from-line-mixed.mbox", counts, 4],
  [
    "02-date-tuesday-mar.mbox",
    sentDays,
    ["2007-08-28", "2023-08-15", "2023-11-07", "2023-08-15", "2023-12-05", "2023-05-02"],
  ],
  ["04-date-only.mbox", sentDays, Array.from({ length: 4 }, () => "1999-01-31")],
  ["06-date-year-0102.eml", sentTimes, ["07:35:33Z"]],
  ["06-date-year-0102.eml", sentDays, ["2002-06-05"]],
  ["07-no-date-from-line.mbox", receivedDays, ["2012-03-05", "2012-03-06", "2012-03-07"]],
  ["08b-maildir-no-date", receivedDays, ["2012-03-05"]],
  ["10-korean-uhc.eml", subjects, ["똠방각하 펲시콜라 뷁 햏"]],
  ["10-korean-uhc.eml", bodies, ["똠방각하 펲시콜라 뷁 햏"]],
  ["12-big5-hkscs.eml", bodies, ["嘅 啫 喺 佢哋"]],
  ["13-related-start.eml", bodies, ["Root kingfisher"]],
  ["14-base64-list-footer.eml", bodies, [expect.stringMatching(/für die Mühle ist geöffnet[^\ufffd]*$/)]],
  ["16-text-enriched.eml", bodies, [expect.stringContaining("Gate is shut at 3 < 4.")]],
  ["17-placeholder-plain.eml", bodies, [expect.stringContaining("cormorants")]],
  ["18-list-author-in-cc.eml", authors, [{ name: "Ann Reed", email: "ann@mill.example" }]],
  ["18c-list-name-is-address.eml", authors, [{ name: "", email: "ann@mill.example" }]],
  ["19-tzid-colon.eml", starts, ["2024-07-15T08:00:00Z"]],
  ["21-thunderbird-maildir", mailboxes, ["Inbox", "Inbox/Sub"]],
  ["23-tags", flags, [expect.arrayContaining(["label:sluicework"]), expect.arrayContaining(["label:otterwork"])]],
  ["24-google-groups", mailboxes, ["mill@googlegroups.com", "weir@googlegroups.com"]],
  ["29-unknown-disposition.eml", bodies, ["The only text."]],
  ["30-utf16.eml", subjects, ["u16"]],
  ["30-utf16.eml", bodies, ["Body in UTF-16."]],
  [
    "31-message-partial.mbox",
    bodies,
    [expect.stringContaining("First half heron."), expect.stringContaining("second half bittern.")],
  ],
  ["50-from-lines.mbox", counts, 7],
  ["51-body-from-lines.mbox", counts, 2],
  ["52-fn2047split.eml", files, [["Pläne für Schleuse Nörd.pdf"]]],
  ["54-boundary-dash.eml", files, [["gates.csv"]]],
  ["55-boundary-dashprefix.eml", files, [["gates.csv"]]],
  ["56-jis-nocharset.eml", bodies, [expect.stringContaining("水門の点検")]],
  ["58-dates.mbox", sentTimes, ["10:27:13Z", "12:40:57Z", "19:53:31Z", "10:07:59Z", "11:43:59Z"]],
  ["59-address-in-encoded-word.eml", authors, [{ name: "Ann Reed", email: "ann@mill.example" }]],
  [
    "59-address-in-encoded-word.eml",
    (mails) => mails.flatMap(({ message }) => message.envelope.to),
    [
      { name: "Quay, Ben", email: "ben@mill.example" },
      { name: "Cat", email: "cat@mill.example" },
    ],
  ],
  ["60-apple-text-around.eml", bodies, [expect.stringMatching(/Text above\.\s+Text below\./)]],
  ["61-rfc2231.eml", files, [["水門100%25.pdf"]]],
  ["62-calendar-custom-zone.eml", starts, ["2024-07-15T08:00:00Z"]],
  ["64-qp-hex-line-ends.eml", bodies, [expect.not.stringContaining("\n\n\n")]],
  [
    "65-base64-rfc822.eml",
    (mails) => mails.flatMap(({ message }) => message.attachments.map((part) => Buffer.from(part.bytes()).toString())),
    [expect.stringContaining("pelican")],
  ],
  ["67-ids-folded.mbox", (mails) => mails[1]?.message.envelope.inReplyTo, ["f1long@mill.example"]],
  ["67-ids-folded.mbox", (mails) => mails[0]?.message.envelope.messageId, "f1long@mill.example"],
];

const READ_APART = ["09-eudora-in.mbx", "26-hebrew-gmail-quote.eml"];

describe.skipIf(!existsSync(REPORTS))("reports of other mail programs", () => {
  it("are all read here", () => {
    const [, ...lines] = readFileSync(`${REPORTS}.tsv`, "utf8").trimEnd().split("\n");
    const inputs = lines.map((line) => line.split("\t")[4]!.replace("mime/", ""));
    const isRead = new Set([...CASES.map(([input]) => input), ...READ_APART]);
    expect(inputs.filter((input) => !isRead.has(input))).toEqual([]);
  });

  it.each(CASES)("%s", async (input, readValue, expected) => {
    expect(readValue(await read(input))).toEqual(expected);
  });

  it("09-eudora-in.mbx has no tags of Eudora", async () => {
    const mails = await read("09-eudora-in.mbx");
    for (const { body } of mails) expect(body).not.toMatch(/<\/?(?:x-flowed|x-html|x-rich|p|b)\b/i);
    expect(files(mails).flat()).toContain("C:\\EUDORA\\Attach\\sluice 01.jpg");
  });

  it("21-thunderbird-maildir has no skipped message", async () => {
    expect((await itemsOf("21-thunderbird-maildir")).map(({ kind }) => kind)).toEqual(["rfc5322", "rfc5322"]);
  });

  it("24-google-groups is mail of lists", async () => {
    const mails = await read("24-google-groups");
    expect(mails.map(({ message }) => message.envelope.messageKind)).toEqual(["list", "list"]);
  });

  it("26-hebrew-gmail-quote.eml is an answer and a quotation with its header", async () => {
    const [{ body }] = (await read("26-hebrew-gmail-quote.eml")) as [Read];
    const own = splitBody(body).filter(({ kind }) => kind === "own");
    expect(own.map(({ start, end }) => body.slice(start, end).trim())).toEqual(["תשובה q9."]);
  });
});

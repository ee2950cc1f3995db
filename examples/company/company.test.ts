import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseMessage } from "../../src/mime/parse-message.ts";
import { openSource } from "../../src/sources/formats/detect-format.ts";
import type { SourceItem } from "../../src/sources/reading/source.ts";
import { readUnit } from "../../src/sources/work-units.ts";
import { SOURCES, writeSources } from "../mailbox-files.ts";
import { EXAMPLE_SEED, exampleCompany } from "./company.ts";
import { encodeText } from "./encodings.ts";
import { PLANTED } from "./planted-pii.ts";

const company = exampleCompany(EXAMPLE_SEED);
const parsed = company.messages.map((message) => ({ message, mail: parseMessage(message.raw) }));

function digest(messages: readonly { readonly raw: Buffer }[]): string {
  const hash = createHash("sha256");
  for (const { raw } of messages) hash.update(raw);
  return hash.digest("hex");
}

describe("the example company", () => {
  it("is the same, byte for byte, on every machine", () => {
    expect(digest(company.messages)).toBe("1c34ff2ba611fa5ae521ca36bbe22cc6af2d078ce51bb58555d3bcdb28d4bad7");
    expect(digest(exampleCompany(EXAMPLE_SEED).messages)).toBe(digest(company.messages));
    expect(digest(exampleCompany(EXAMPLE_SEED + 1).messages)).not.toBe(digest(company.messages));
  });

  it("has some three hundred messages over two years, each in somebody's mailbox", () => {
    expect(company.messages.length).toBeGreaterThan(280);
    expect(company.messages.length).toBeLessThan(330);
    const span = company.messages.at(-1)!.sentAt - company.messages[0]!.sentAt;
    expect(span / 86_400_000).toBeGreaterThan(650);
    for (const { filings } of company.messages) expect(filings.length).toBeGreaterThan(0);
    expect(company.messages.filter(({ filings }) => filings.length > 1).length).toBeGreaterThan(50);
  });

  it("names nobody real: every domain is reserved for examples", () => {
    for (const { message } of parsed) {
      const text = message.raw.toString("latin1").replaceAll("=\r\n", "");
      for (const [, domain] of text.matchAll(/@([a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,})/gi))
        expect(domain).toMatch(/\.example$/i);
    }
    for (const person of company.people) expect(person.phone).toMatch(/^\+44 1632 960\d{3}$|^\+1 \(206\) 555-01\d{2}$/);
  });

  it("is good mail but for the messages that are broken on purpose", () => {
    for (const { message, mail } of parsed) {
      if (message.project === "broken") continue;
      expect({ id: message.messageId, findings: mail.findings }).toEqual({ id: message.messageId, findings: [] });
      expect(mail.envelope.sentAt).toBe(Math.floor(message.sentAt / 1000) * 1000);
      expect(mail.textBody).not.toContain("\ufffd");
    }
    const broken = parsed.filter(({ message }) => message.project === "broken");
    expect(broken.length).toBe(10);
    expect(broken.filter(({ mail }) => mail.findings.length > 0).length).toBeGreaterThan(4);
  });

  it("answers answers: replies name what they answer, or carry its subject", () => {
    const ids = new Set(company.messages.map(({ messageId }) => messageId));
    const replies = parsed.filter(({ mail }) => /^(Re|RE): /.test(mail.envelope.subject));
    expect(replies.length).toBeGreaterThan(150);
    const joined = replies.filter(({ mail }) => mail.envelope.inReplyTo.length > 0);
    expect(joined.length).toBeGreaterThan(100);
    expect(replies.length - joined.length).toBeGreaterThan(5);
    for (const { mail } of joined)
      for (const id of [...mail.envelope.inReplyTo, ...mail.envelope.references]) expect(ids).toContain(id);
  });

  it("quotes in the style of every client", () => {
    const texts = parsed.map(({ mail }) => mail.textBody ?? "").join("\n");
    for (const marker of [
      "-----Original Message-----",
      "Forwarded by ",
      "---------- Forwarded message",
      "Begin forwarded message",
      "\nwrote:\n",
    ]) {
      expect(texts).toContain(marker);
    }
    expect(texts).toMatch(/^> On \d+ \w+ 20\d\d, at \d\d:\d\d, /m);
    expect(texts).toMatch(/^> /m);
    expect(texts).toMatch(/^>> /m);
  });

  it("holds invitations with an update, a cancellation and a recurrence", () => {
    const calendar = parsed.flatMap(({ mail }) => mail.calendarParts).map(({ text, method }) => ({ text, method }));
    expect(calendar.map(({ method }) => method).sort()).toEqual([
      "CANCEL",
      "REPLY",
      "REQUEST",
      "REQUEST",
      "REQUEST",
      "REQUEST",
      "REQUEST",
    ]);
    const texts = calendar.map(({ text }) => text).join("");
    for (const line of ["RRULE:FREQ=WEEKLY", "EXDATE;TZID=Europe/Oslo:", "SEQUENCE:2", "DTSTART;VALUE=DATE:"])
      expect(texts).toContain(line);
  });

  it("plants every personal datum it says, and says where", () => {
    const byId = new Map(parsed.map(({ message, mail }) => [message.messageId, mail.textBody ?? ""]));
    for (const { text, messageId } of company.plantedPii) expect(byId.get(messageId)).toContain(text);
    const planted = new Set(company.plantedPii.map(({ text }) => text));
    for (const { text } of Object.values(PLANTED).flat()) expect(planted).toContain(text);
    expect(new Set(company.plantedPii.map(({ type }) => type))).toEqual(
      new Set(["email", "phone", "ssn", "credit_card", "ip"]),
    );
  });

  it("writes the languages of its partners in their charsets", () => {
    const subjects = parsed
      .filter(({ message }) => message.project === "languages")
      .map(({ mail }) => mail.envelope.subject);
    for (const subject of [
      "Angebot für drei Wellenbojen",
      "波浪ブイのお見積もりについて",
      "Поставка датчиков давления",
      "太阳能电池板报价",
    ]) {
      expect(subjects).toContain(subject);
    }
    expect(encodeText("波A", "iso-2022-jp").toString("latin1")).toBe("\x1b$BGH\x1b(BA");
  });
});

describe("its sources", () => {
  let directory = "";
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "archivetool-example-"));
    writeSources(company, directory);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  async function readSource(
    name: string,
  ): Promise<{ readonly format: string; readonly items: readonly SourceItem[]; readonly bodies: readonly string[] }> {
    const source = await openSource(join(directory, name), { password: null, skipProtected: false });
    const items: SourceItem[] = [];
    const bodies: string[] = [];
    for (const unit of source.units()) {
      for (const item of await readUnit(unit)) {
        items.push(item);
        if (item.kind === "rfc5322")
          bodies.push(
            item.bytes
              .toString("latin1")
              .replaceAll("\r\n", "\n")
              .replace(/^Status: RO\n(X-Status: A\n)?/, ""),
          );
      }
    }
    return { format: source.format, items, bodies };
  }

  it.each([
    [SOURCES.greta, "greta", "mbox"],
    [SOURCES.tomas, "tomas", "maildir"],
    [SOURCES.office, "office", "eml"],
  ] as const)("%s holds what %s received and sent", async (name, owner, format) => {
    const source = await readSource(name);
    const own = company.messages.filter(({ filings }) => filings.some((filing) => filing.owner === owner));
    expect(source.format).toBe(format);
    expect(source.items.every((item) => item.kind === "rfc5322")).toBe(true);
    // Folders come one after the other, so the order of the company is not that of every source.
    const expected = own.map(({ raw }) => raw.toString("latin1").replaceAll("\r\n", "\n"));
    expect([...source.bodies].sort()).toEqual(expected.sort());
  });

  it("sorts mail into folders, and marks what was answered", async () => {
    const { items } = await readSource(SOURCES.tomas);
    expect([...new Set(items.map(({ mailbox }) => mailbox))].sort()).toEqual([
      "Build & Alerts",
      "INBOX",
      "Lists",
      "Projects/Kittiwake",
      "Projects/Tern",
      "Sent",
    ]);
    expect(items.some((item) => item.kind === "rfc5322" && item.flags.includes("replied"))).toBe(true);
  });

  it("are the same on every run", () => {
    const again = mkdtempSync(join(tmpdir(), "archivetool-example-"));
    writeSources(company, again);
    const list = (root: string) => readdirSync(root, { recursive: true }).map(String).sort();
    expect(list(again)).toEqual(list(directory));
    expect(readFileSync(join(again, SOURCES.greta))).toEqual(readFileSync(join(directory, SOURCES.greta)));
    rmSync(again, { recursive: true });
  });
});

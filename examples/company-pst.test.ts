import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Message } from "../src/mail/records/message.ts";
import { parseMessage } from "../src/mime/parse-message.ts";
import { openSource } from "../src/sources/formats/detect-format.ts";
import type { SourceItem } from "../src/sources/reading/source.ts";
import { readUnit } from "../src/sources/work-units.ts";
import { extractInline } from "../test/property/extraction.ts";
import { EXAMPLE_SEED, exampleCompany } from "./company/company.ts";
import { PST_NAME, writePst } from "./company-pst.ts";
import { SOURCES, writeSources } from "./mailbox-files.ts";

const company = exampleCompany(EXAMPLE_SEED);
const office = company.messages.flatMap((message) =>
  message.filings
    .filter(({ owner }) => owner === "office")
    .map((filing) => ({ message: parseMessage(message.raw), filing })),
);

/** What two copies of one mail must agree in. */
function facts({ envelope, textBody, htmlBody, attachments }: Message) {
  const { messageId, inReplyTo, references, subject, from, to, cc, bcc, sentAt } = envelope;
  return {
    ...{ messageId, inReplyTo, references, subject, from, to, cc, bcc, sentAt, htmlBody },
    textBody,
    attachments: attachments.map((part) => ({
      filename: part.filename,
      mediaType: part.mediaType,
      disposition: part.disposition,
      sha256: createHash("sha256").update(part.bytes()).digest("hex"),
    })),
  };
}

describe("the PST of the example company", () => {
  let directory = "";
  const items: SourceItem[] = [];
  /** Taken as the items come: the bytes of attachments are there until the next one. */
  const factsOf = new Map<string | null, ReturnType<typeof facts>>();
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "archivetool-example-pst-"));
    writePst(company, join(directory, PST_NAME));
    const source = await openSource(join(directory, PST_NAME), { password: null, skipProtected: false });
    expect(source.format).toBe("pst");
    for (const unit of source.units()) {
      for (const item of await readUnit(unit)) {
        items.push(item);
        if (item.kind === "object") factsOf.set(item.message.envelope.messageId, facts(item.message));
      }
    }
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it("is the same, byte for byte, on every run", () => {
    writePst(company, join(directory, "again.pst"));
    expect(readFileSync(join(directory, "again.pst")).equals(readFileSync(join(directory, PST_NAME)))).toBe(true);
  });

  it("holds every mail of the office as its .eml export does", () => {
    const mails = items.filter((item) => item.kind === "object");
    expect(mails).toHaveLength(office.length);
    const byId = new Map(mails.map((mail) => [mail.message.envelope.messageId, mail]));
    expect(byId.size).toBe(office.length);
    for (const { message, filing } of office) {
      const twin = byId.get(message.envelope.messageId)!;
      expect(factsOf.get(message.envelope.messageId)).toEqual(facts(message));
      expect([twin.mailbox, twin.flags.includes("replied"), twin.message.findings]).toEqual([
        filing.folder,
        filing.isAnswered,
        [],
      ]);
    }
    const late = mails.flatMap(({ message }) => message.attachments);
    expect(late.length).toBeGreaterThan(0);
    for (const part of late) expect(() => part.bytes()).toThrow();
  });

  it("holds a calendar with two series, contacts, a task and a note", () => {
    const entries = items.flatMap((item) => (item.kind === "appointment" ? [item.entry] : []));
    expect(entries.map(({ subject, recurrence, start }) => [subject, recurrence?.rrule ?? null, start])).toEqual([
      ["Office round", "FREQ=WEEKLY;BYDAY=MO;COUNT=20;WKST=SU", Date.UTC(2021, 2, 8, 7, 30)],
      ["Office round, a day late", null, Date.UTC(2021, 4, 18, 7)],
      ["Payroll run", "FREQ=MONTHLY;BYMONTHDAY=25;UNTIL=20221225T130000Z", Date.UTC(2021, 2, 25, 13)],
    ]);
    expect(entries[0]).toMatchObject({
      uid: "office-round@halvorsen-pike.example",
      location: "Front office",
      timezone: "Europe/Berlin",
    });
    const others = items.flatMap((item) =>
      item.kind === "item" ? [[item.mailbox, item.item.kind, item.item.subject]] : [],
    );
    expect(others).toEqual([
      ["Contacts", "contact", "Lars Bremer"],
      ["Contacts", "contact", "Bettina Crowe"],
      ["Tasks", "task", "Renew the permit of the quay crane"],
      ["Notes", "note", "The alarm of the boat house wants its battery changed every spring."],
    ]);
  });

  it("keeps the events of invitations as properties of the mail", () => {
    const meetings = items.flatMap((item) => (item.kind === "object" ? item.calendar : []));
    expect(
      meetings.map(({ method, sequence, uid, allDay }) => [method, sequence, uid.replace(/@.*/, ""), allDay]),
    ).toEqual([
      ["REQUEST", 0, "contract-review-1", false],
      ["REQUEST", 1, "contract-review-1", false],
      ["CANCEL", 2, "contract-review-1", false],
      ["REQUEST", 0, "oceantech-fair", true],
    ]);
  });

  it("adds nothing but calendar and items to an archive of the .eml export", async () => {
    const sources = writeSources(company, join(directory, "mail")).filter((path) => path.endsWith(SOURCES.office));
    const report = await extractInline([...sources, join(directory, PST_NAME)], join(directory, "archive"));
    const [eml, pst] = report.sources.map(({ record }) => record.counts);
    expect(eml).toMatchObject({ seen: office.length, kept: office.length });
    // The changed day of a series is no item of its own.
    expect(pst).toEqual({ seen: office.length + 6, kept: 6, duplicate: office.length, skipped: 0, failed: 0 });
    expect(report.statistics).toMatchObject({ totalMessages: office.length, totalItems: 4 });
  });
});

import { describe, expect, it } from "vitest";
import { fewPages } from "../../test/pages-in-memory.ts";
import { textHash } from "../columns/key-nodes.ts";
import { findQuoted, openingCode, QuotationColumns, type QuotedMail } from "./quotations.ts";

const HOUR = 3_600_000;
const SENT = Date.UTC(2001, 4, 14, 16, 39);

interface Mail {
  readonly subject?: string;
  readonly sentAt?: number | null;
  readonly author?: number;
  readonly opening?: string;
  readonly quoted?: readonly Partial<QuotedMail>[];
}

const QUOTED: QuotedMail = {
  subject: textHash("wheel"),
  minutes: [SENT / 60_000],
  name: 7,
  address: 0,
  opening: openingCode("shallwerepairit"),
};

function pairsOf(mails: readonly Mail[]): readonly (readonly number[])[] {
  const columns = new QuotationColumns(null);
  for (const { opening = "shallwerepairit", quoted = [] } of mails)
    columns.add(
      openingCode(opening),
      quoted.map((part) => ({ ...QUOTED, ...part })),
    );
  const memory = fewPages();
  const packed = new QuotationColumns(memory);
  packed.addPacked(columns.pack());
  const messages = {
    subjectOf: (message: number) => textHash(mails[message]!.subject ?? "wheel"),
    sentAt: (message: number) => (mails[message]!.sentAt === undefined ? SENT : mails[message]!.sentAt!),
    isAuthor: (message: number, name: number, address: number) => [name, address].includes(mails[message]!.author ?? 7),
  };
  const found = findQuoted(packed, messages, memory);
  return Array.from({ length: found.message.length }, (_, at) => [
    found.message.at(at),
    found.quoted.at(at),
    found.isFirst.at(at),
  ]);
}

describe("a mail that another quotes", () => {
  const reply: Mail = { sentAt: SENT + HOUR + 60_000, opening: "yes", quoted: [{}] };

  it("is found by subject, minute, author and first letters", () => expect(pairsOf([{}, reply])).toEqual([[1, 0, 1]]));
  it.each<[string, Mail]>([
    ["subject", { subject: "harvest" }],
    ["minute", { sentAt: SENT + 60_000 }],
    ["date", { sentAt: null }],
    ["author", { author: 8 }],
    ["first letters", { opening: "shallwesellit" }],
  ])("must agree in its %s", (_what, mail) => expect(pairsOf([mail, reply])).toEqual([]));

  it("can differ by whole hours, up to 14", () => {
    expect(pairsOf([{ sentAt: SENT + 14 * HOUR }, reply])).toEqual([[1, 0, 1]]);
    expect(pairsOf([{ sentAt: SENT - 14 * HOUR }, reply])).toEqual([[1, 0, 1]]);
    expect(pairsOf([{ sentAt: SENT + 15 * HOUR }, reply])).toEqual([]);
  });

  it("is the nearest in time, and all of those that are equally near", () => {
    expect(pairsOf([{ sentAt: SENT - HOUR }, {}, { sentAt: SENT - HOUR }, { ...reply, quoted: [{}] }])).toEqual([
      [3, 1, 1],
    ]);
    expect(pairsOf([{ sentAt: SENT - HOUR }, { sentAt: SENT + HOUR }, reply])).toEqual([
      [2, 0, 1],
      [2, 1, 1],
    ]);
  });

  it("is listed once for each reading of its date", () => {
    expect(pairsOf([{}, { ...reply, quoted: [{ minutes: [0, SENT / 60_000] }, {}] }])).toEqual([[1, 0, 1]]);
  });

  it("is the first of several in the archive", () => {
    const other = { subject: textHash("harvest") };
    expect(pairsOf([{}, { subject: "harvest" }, { ...reply, quoted: [{ subject: 1 }, other, {}] }])).toEqual([
      [2, 1, 1],
      [2, 0, 0],
    ]);
  });

  it("is never the mail itself", () => expect(pairsOf([{ quoted: [{}] }])).toEqual([]));
});

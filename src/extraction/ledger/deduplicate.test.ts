import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fewPages } from "../../../test/pages-in-memory.ts";
import { AddressBook } from "../../contacts/addresses/address-book.ts";
import { FIRST_MESSAGE, type MessageIndex, type MessageOrdinal } from "../../mail/records/ordinal.ts";
import { addsUp, type Warning } from "../../mail/records/provenance.ts";
import type { MessageHeaderRecord, ParsedRecord, ParsedUnit } from "../staging/message-header-record.ts";
import { actionAt, type PackedActions } from "../staging/staged-segment.ts";
import { Ledger } from "./deduplicate.ts";

function skeleton(number: number, changes: Partial<MessageHeaderRecord> = {}): MessageHeaderRecord {
  return {
    kind: "message",
    key: [number, 0, 0, 0],
    messageId: `${number}@ledger.example`,
    references: [],
    conversationIndexRoot: null,
    gmailThreadId: null,
    subjectKey: `subject ${number}`,
    isReply: false,
    isAutomatic: false,
    listAddress: null,
    sentAt: number * 1000,
    receivedAt: null,
    mailbox: "INBOX",
    from: { name: "Ann", email: "ann@ledger.example" },
    sender: null,
    replyTo: [],
    to: [{ name: "Bob", email: "bob@ledger.example" }],
    cc: [],
    bcc: [],
    exportedNames: null,
    ownAddresses: [],
    ...changes,
  };
}

const unitOf = (...records: ParsedRecord[]): ParsedUnit => ({ records, fileHashes: [], bytes: 0 });

function newLedger(): { readonly ledger: Ledger; readonly warnings: Warning[] } {
  const warnings: Warning[] = [];
  return { ledger: new Ledger(new AddressBook(fewPages()), fewPages(), (warning) => warnings.push(warning)), warnings };
}

const LOST = {
  code: "item-damaged",
  message: "cannot be read",
  mailbox: "INBOX",
  location: "offset:9",
  sha256: null,
} as const;

/** Names of the actions. */
const actionNames = (actions: PackedActions): readonly string[] =>
  Array.from(actions, (_, index) => actionAt(actions, index)).map((action) =>
    action.kind === "kept" ? `kept ${action.ordinal}` : action.kind === "copy" ? `copy of ${action.of}` : action.kind,
  );

describe("Ledger", () => {
  it("rejects messages above the limit, and accepts duplicates and items", () => {
    const ledger = new Ledger(new AddressBook(fewPages()), fewPages(), () => expect.unreachable(), 2);
    ledger.addUnit(unitOf(skeleton(1), skeleton(2), skeleton(1)), 0, 9);
    expect(() => ledger.addUnit(unitOf(skeleton(3)), 0, 9)).toThrow(
      expect.objectContaining({ code: "ARCHIVE_FULL", message: "an archive can contain at most 2 messages" }),
    );
    expect(ledger.messageCount).toBe(2);
  });

  it("numbers imported messages, identifies duplicates, and counts all items", () => {
    const { ledger, warnings } = newLedger();
    const note: ParsedRecord = { kind: "note", ...LOST, code: "mbox-grew" };
    const records = unitOf(
      skeleton(1),
      skeleton(2, { mailbox: "Sent" }),
      skeleton(1),
      { kind: "damaged", ...LOST },
      { kind: "skipped", ...LOST },
      { kind: "appointment", mailbox: "Calendar", isPart: false },
      { kind: "appointment", mailbox: "Calendar", isPart: true },
      note,
    );
    const { actions, count } = ledger.addUnit(records, 0, Number.POSITIVE_INFINITY);
    expect(actionNames(actions)).toEqual(["kept 1", "kept 2", "copy of 1", "kept_item", "kept_item"]);
    expect(count).toBe(6);
    expect(ledger.mailboxes(0)).toEqual([
      { name: "INBOX", counts: { seen: 4, kept: 1, duplicate: 1, skipped: 1, failed: 1 } },
      { name: "Sent", counts: { seen: 1, kept: 1, duplicate: 0, skipped: 0, failed: 0 } },
      { name: "Calendar", counts: { seen: 1, kept: 1, duplicate: 0, skipped: 0, failed: 0 } },
    ]);
    expect(ledger.mailboxes(0).every(({ counts }) => addsUp(counts))).toBe(true);
    expect(warnings.map(({ code, source }) => [code, source])).toEqual([
      ["item-damaged", 0],
      ["item-damaged", 0],
      ["mbox-grew", 0],
    ]);
    expect([ledger.messageCount, ledger.addedMessages, ledger.messagesOf(0)]).toEqual([2, 2, 2]);
  });

  it("accepts items up to the limit, and omits the rest", () => {
    const { ledger } = newLedger();
    const { actions, count } = ledger.addUnit(unitOf(skeleton(1), skeleton(2), skeleton(3)), 0, 2);
    expect([actionNames(actions), count]).toEqual([["kept 1", "kept 2", "left_out"], 2]);
    expect(ledger.mailboxes(0)[0]?.counts.seen).toBe(2);
  });

  it("counts a series with its changed occurrences once, and omits all or none of it", () => {
    const part = (isPart: boolean): ParsedRecord => ({ kind: "appointment", mailbox: "Calendar", isPart });
    const series = unitOf(part(false), part(true), part(true), part(false), part(true));
    const { ledger } = newLedger();
    const { actions, count } = ledger.addUnit(series, 0, 1);
    expect([actionNames(actions), count]).toEqual([["kept_item", "kept_item", "kept_item", "left_out", "left_out"], 1]);
    expect(ledger.mailboxes(0)[0]?.counts).toMatchObject({ seen: 1, kept: 1 });
  });

  it("imports a message of an earlier run once when its source is read again", () => {
    const { ledger } = newLedger();
    ledger.restore(skeleton(1), 0);
    ledger.restore(skeleton(2), 1);
    const again = ledger.addUnit(
      unitOf(skeleton(1), skeleton(1), skeleton(2), skeleton(3)),
      0,
      Number.POSITIVE_INFINITY,
    );
    expect(actionNames(again.actions)).toEqual(["left_out", "copy of 1", "copy of 2", "kept 3"]);
    expect(ledger.mailboxes(0)[0]?.counts).toEqual({ seen: 4, kept: 2, duplicate: 2, skipped: 0, failed: 0 });
    expect(ledger.addedMessages).toBe(1);
  });

  it("compares all four words of the key", () => {
    const { ledger } = newLedger();
    const keys = [0, 1, 2, 3].map((place) => [7, 7, 7, 7].map((word, at) => (at === place ? word + 1 : word)));
    const messages = keys.map((key, index) => skeleton(index, { key: key as unknown as MessageHeaderRecord["key"] }));
    expect(actionNames(ledger.addUnit(unitOf(...messages, ...messages), 0, 100).actions)).toEqual([
      ...[1, 2, 3, 4].map((ordinal) => `kept ${ordinal}`),
      ...[1, 2, 3, 4].map((ordinal) => `copy of ${ordinal}`),
    ]);
    expect(Buffer.from(ledger.contentKey(3 as MessageOrdinal)).toString("hex")).toBe(
      "07000000070000000800000007000000",
    );
  });

  it("lists participants, those only in Bcc of a duplicate last", () => {
    const { ledger } = newLedger();
    const secret = { name: "", email: "secret@ledger.example" };
    const cc = [{ name: "Cy", email: "cy@ledger.example" }];
    ledger.addUnit(unitOf(skeleton(1, { cc }), skeleton(1, { cc, bcc: [secret] })), 0, 100);
    ledger.observeEntries();
    const named = ledger.recipientsOf(FIRST_MESSAGE).map(({ address, kind }) => [kind, ledger.book.keyOf(address)]);
    expect(named).toEqual([
      ["to", "bob@ledger.example"],
      ["cc", "cy@ledger.example"],
      ["bcc", "secret@ledger.example"],
    ]);
    expect(ledger.participants(FIRST_MESSAGE).map((address) => ledger.book.keyOf(address))[0]).toBe(
      "ann@ledger.example",
    );
    expect(ledger.hiddenCount).toBe(1);
    expect(ledger.hasHidden(FIRST_MESSAGE)).toBe(true);
  });

  it("merges Bcc recipients of many duplicates in linear time", () => {
    const pages = () => fewPages(256, 1 << 18);
    const ledger = new Ledger(new AddressBook(pages()), pages(), () => expect.unreachable());
    const crowd = (from: number) =>
      Array.from({ length: 20_000 }, (_, person) => ({ name: "", email: `p${from + person}@ledger.example` }));
    ledger.addUnit(unitOf(skeleton(1, { bcc: crowd(0) })), 0, 100);
    for (let copy = 1; copy <= 10; copy++) ledger.addUnit(unitOf(skeleton(1, { bcc: crowd(copy * 20_000) })), 0, 100);
    ledger.observeEntries();
    expect(ledger.hiddenCount).toBe(200_000);
  });

  it("lists Bcc recipients of duplicates by message, once each, in any order", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 3 })), { maxLength: 60 }), (copies) => {
        const { ledger } = newLedger();
        const own = { name: "", email: "own@ledger.example" };
        const kept = Array.from({ length: 10 }, (_, number) => skeleton(number, { bcc: [own] }));
        const copied = copies.map(([number, person]) =>
          skeleton(number, { bcc: [own, { name: "", email: `p${person}@ledger.example` }] }),
        );
        ledger.addUnit(unitOf(...kept, ...copied), 0, 100);
        ledger.observeEntries();
        const found = kept.map((_, message) =>
          ledger
            .recipientsOf(message as MessageIndex)
            .filter(({ kind }) => kind === "bcc")
            .map(({ address }) => ledger.book.keyOf(address)),
        );
        const expected = kept.map((_, message) => [
          own.email,
          ...new Set(copies.filter(([number]) => number === message).map(([, person]) => `p${person}@ledger.example`)),
        ]);
        expect(found).toEqual(expected);
        const grown = expected.map(({ length }) => length > 1);
        expect(kept.map((_, message) => ledger.hasHidden(message as MessageIndex))).toEqual(grown);
        expect(ledger.hiddenCount).toBe(expected.flat().length - kept.length);
      }),
    );
  });
});

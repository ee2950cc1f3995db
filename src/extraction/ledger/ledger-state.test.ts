import { expect, it } from "vitest";
import { fewPages } from "../../../test/pages-in-memory.ts";
import { AddressBook } from "../../contacts/addresses/address-book.ts";
import type { ArchiveWriter } from "../../store/contract/archive-writer.ts";
import type { MessageHeaderRecord } from "../staging/message-header-record.ts";
import { actionAt } from "../staging/staged-segment.ts";
import { Ledger } from "./deduplicate.ts";
import { restoreLedgerState, storeLedger } from "./ledger-state.ts";

/** More than a unit has. */
const MESSAGES = 1_000;

function skeleton(number: number): MessageHeaderRecord {
  const person = (index: number) => ({ name: `Person ${index}`, email: `P${index % 40}@ledger.example` });
  return {
    kind: "message",
    key: [number, 0, 0, 2 ** 32 - 1],
    messageId: `${number}@ledger.example`,
    references: number % 3 === 0 ? [] : [`${number - 1}@ledger.example`],
    conversationIndexRoot: null,
    gmailThreadId: null,
    subjectKey: `subject ${number % 50}`,
    isReply: number % 4 === 0,
    isAutomatic: number % 7 === 0,
    listAddress: null,
    sentAt: number % 11 === 0 ? null : number * 1000,
    receivedAt: number,
    mailbox: "INBOX",
    from: person(number),
    sender: null,
    replyTo: [person(number + 1)],
    to: [person(number + 2), person(number + 3)],
    cc: [],
    bcc: [person(number + 4)],
    exportedNames: null,
    ownAddresses: [],
  };
}

function newLedger(): Ledger {
  const memory = fewPages(256, 8);
  return new Ledger(new AddressBook(memory), memory, () => expect.unreachable());
}

const unitOf = (...records: MessageHeaderRecord[]) => ({ records, fileHashes: [], bytes: 0 });

function metaWriter(values: Map<string, string | Uint8Array>): ArchiveWriter {
  return {
    setMeta: async (key: string, value: string | Uint8Array) => void values.set(key, value),
    getMeta: async (key: string) => values.get(key) ?? null,
  } as Partial<ArchiveWriter> as ArchiveWriter;
}

/** First messages of threads, and all that the ledger stores. */
async function contents(ledger: Ledger): Promise<unknown> {
  const values = new Map<string, string | Uint8Array>();
  await storeLedger(ledger, metaWriter(values), true);
  ledger.joinReferences();
  const threads = ledger.joinThreads({ contactOf: (address) => address, quotations: null });
  return { values, threads: [...threads.values()] };
}

it("continues a stored ledger, and stores it again only if it changed", async () => {
  const all = Array.from({ length: 300 }, (_, number) => skeleton(number));
  const [whole, first, later] = [newLedger(), newLedger(), newLedger()];
  const [before, added] = [all.slice(0, 200), all.slice(199)];
  whole.addUnit(unitOf(...before, ...added), 0, MESSAGES);
  first.addUnit(unitOf(...before), 0, MESSAGES);
  const values = new Map<string, string | Uint8Array>();
  const writer = metaWriter(values);
  await storeLedger(first, writer, true, 64);
  expect(await restoreLedgerState(newLedger(), writer, 199)).toBe(false);
  expect(await restoreLedgerState(later, writer, 200)).toBe(true);
  const keys = [...values.keys()];
  await storeLedger(later, metaWriter(values), false);
  expect([...values.keys()]).toEqual(keys);
  const { actions } = later.addUnit(unitOf(...added), 0, MESSAGES);
  expect(actionAt(actions, 0)).toEqual({ kind: "copy", of: 200 });
  const [grown, expected] = await Promise.all([later, whole].map(contents));
  expect(grown).toEqual(expected);
});

it("stores only the parts of a grown ledger that changed", async () => {
  const ledger = newLedger();
  ledger.addUnit(unitOf(...Array.from({ length: 300 }, (_, number) => skeleton(number))), 0, MESSAGES);
  const values = new Map<string, string | Uint8Array>();
  await storeLedger(ledger, metaWriter(values), true, 64);
  const [sentAt, state] = ["extraction:ledger-columns:1:0", "extraction:ledger-columns"];
  values.delete(sentAt);
  ledger.addUnit(unitOf(skeleton(300)), 0, MESSAGES);
  await storeLedger(ledger, metaWriter(values), true, 64);
  expect(values.has(sentAt)).toBe(false);
  expect(values.get(state)).toContain('"messages":301');
});

it("reports a missing part", async () => {
  const ledger = newLedger();
  ledger.addUnit(unitOf(skeleton(1)), 0, MESSAGES);
  const values = new Map<string, string | Uint8Array>();
  const writer = metaWriter(values);
  await storeLedger(ledger, writer, true);
  values.delete("extraction:ledger-columns:0:0");
  await expect(restoreLedgerState(newLedger(), writer, 1)).rejects.toThrow(
    expect.objectContaining({ code: "ARCHIVE_DAMAGED" }),
  );
});

import { expect, it } from "vitest";
import { fewPages } from "../../../test/pages-in-memory.ts";
import { AddressBook } from "../../contacts/addresses/address-book.ts";
import type { MessageOrdinal } from "../../mail/records/ordinal.ts";
import type { Provenance, Warning } from "../../mail/records/provenance.ts";
import { FILE_STATE_BYTES, packStates } from "../../sources/reading/file-state.ts";
import type { WorkUnit } from "../../sources/reading/source.ts";
import type { StoredLocation } from "../../store/contract/rows.ts";
import type { EarlierArchive } from "../earlier/earlier-archive.ts";
import { Ledger } from "../ledger/deduplicate.ts";
import type { MessageHeaderRecord } from "../staging/message-header-record.ts";
import type { LabeledSource } from "./source-watch.ts";
import { passStored } from "./stored-files.ts";

const SOURCE = 0;
const hashOf = (file: string): string => file.padEnd(64, "0");

function skeleton(number: number): MessageHeaderRecord {
  const none = {
    sender: null,
    replyTo: [],
    to: [],
    cc: [],
    bcc: [],
    exportedNames: null,
    listAddress: null,
    ownAddresses: [],
  };
  const thread = { references: [], conversationIndexRoot: null, gmailThreadId: null, isReply: false };
  return {
    ...{ ...none, ...thread, kind: "message", key: [number, 0, 0, 0], messageId: `${number}@mill.example` },
    ...{ subjectKey: "", isAutomatic: false, sentAt: null, receivedAt: null, mailbox: "in", from: null },
  };
}

const stateOf = (name: string): Buffer => Buffer.alloc(FILE_STATE_BYTES, name);

const unit = (mailbox: string, ...names: readonly string[]): WorkUnit => ({
  kind: "files",
  root: "/mail",
  runs: [{ prefix: `${mailbox}/`, mailbox, names: names.join("\0") }],
  states: packStates(Buffer.concat(names.map(stateOf))),
});

const namesIn = (units: Iterable<WorkUnit>): readonly string[] =>
  [...units].flatMap((one) => (one.kind === "files" ? one.runs.flatMap(({ names }) => names.split("\0")) : []));

/** Two stored messages: one in `in/1` and `out/1`, one in `in/2`. */
function passed(units: readonly WorkUnit[], warnings: readonly Partial<Warning>[] = [], warningsTruncated = 0) {
  const ledger = new Ledger(new AddressBook(fewPages()), fewPages(), () => undefined);
  for (const number of [1, 2]) ledger.restore(skeleton(number), SOURCE);
  const place = (ordinal: number, mailbox: string, name: string): StoredLocation => {
    const location = `${mailbox}/${name}`;
    return { message: ordinal as MessageOrdinal, mailbox, location, sha256: hashOf(name) };
  };
  const places = async function* (): AsyncGenerator<readonly StoredLocation[]> {
    const older = { ...place(2, "in", "changed1"), sha256: hashOf("older") };
    yield [place(1, "in", "1"), place(1, "out", "1"), place(2, "in", "2"), place(2, "in", "2.msg")];
    yield [older, { ...older, sha256: hashOf("1") }];
  };
  const source = { name: "mail", units: () => units, unitCount: units.length } as unknown as LabeledSource;
  const fileHashes = units.map((one) => namesIn([one]).map((name) => hashOf(name.replace("changed", ""))));
  const provenance = { warnings, warningsTruncated, options: { maxMessages: null } } as unknown as Provenance;
  const earlier = { provenance } as EarlierArchive;
  return { ledger, toRead: passStored({ source, index: SOURCE, fileHashes }, earlier, { writer: { places }, ledger }) };
}

it("reads only files that the archive does not have as they are, and counts the others", async () => {
  const { ledger, toRead } = passed([unit("new", "5"), unit("in", "1", "2", "3", "2.msg"), unit("out", "1", "2")]);
  const { source, stored } = await toRead;
  expect(namesIn(source.units())).toEqual(["5", "3", "2.msg", "2"]);
  expect(stored.map(({ relativePath }) => relativePath)).toEqual(["in/1", "in/2", "out/1"]);
  expect(stored.map(({ state }) => state)).toEqual(["1", "2", "1"].map(stateOf));
  expect(ledger.goneOf(SOURCE)).toBe(0);
  const nothing = { skipped: 0, failed: 0 };
  expect(ledger.mailboxes(SOURCE)).toEqual([
    { name: "in", counts: { seen: 2, kept: 2, duplicate: 0, ...nothing } },
    { name: "out", counts: { seen: 1, kept: 0, duplicate: 1, ...nothing } },
  ]);
});

it("omits empty units, and keeps the states of the files of divided units", async () => {
  const { source } = await passed([unit("in", "1", "2"), unit("in", "1", "9"), unit("in", "8")]).toRead;
  expect(source.unitCount).toBe(2);
  const states = [...source.units()].map((one) => (one.kind === "files" ? one.states : undefined));
  expect(states).toEqual([packStates(stateOf("9")), packStates(stateOf("8"))]);
});

it("reads the new files of many units as few units, but not whole units together", async () => {
  const old = Array.from({ length: 300 }, (_, at) => unit("in", "1", `new ${at}`));
  const whole = unit("in", "8", "9");
  const { source } = await passed([...old, whole, unit("out", "1", "3")]).toRead;
  const units = [...source.units()];
  expect(units.map((one) => namesIn([one]).length)).toEqual([256, 44, 2, 1]);
  expect(units[2]).toBe(whole);
  expect(namesIn(units.slice(0, 2))).toEqual(old.map((_, at) => `new ${at}`));
  const [first] = units;
  const states = old.slice(0, 256).map((_, at) => stateOf(`new ${at}`));
  expect(first?.kind === "files" && first.states).toBe(packStates(Buffer.concat(states)));
});

it("finds the older of two versions of a file", async () => {
  const { source } = await passed([unit("in", "1", "changed1", "7")]).toRead;
  expect(namesIn(source.units())).toEqual(["7"]);
});

it("reads units with warnings again, and all units if warnings are incomplete", async () => {
  const units = [unit("in", "1", "2")];
  const warned = await passed(units, [{ source: SOURCE, location: "in/2" }]).toRead;
  expect(namesIn(warned.source.units())).toEqual(["2"]);
  expect((await passed(units, [], 1).toRead).source.units()).toBe(units);
});

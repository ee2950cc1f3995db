import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { bytesInMemory } from "../../../test/pst-writer/bytes-in-memory.ts";
import { integer, text, time } from "../../../test/pst-writer/property-writer.ts";
import type { StoreFormat } from "../../../test/pst-writer/pst-writer.ts";
import {
  buildStore,
  fuzzStore,
  patternBytes,
  STORE_FORMATS,
  sampleMail,
} from "../../../test/pst-writer/sample-store.ts";
import { mailProperties } from "../../../test/pst-writer/store-writer.ts";
import { PROPERTY_SET } from "../../properties/named-properties.ts";
import { PID } from "../../properties/property-ids.ts";
import { readFileHeader } from "../../pst/ndb/file-header.ts";
import { NodeDatabase } from "../../pst/ndb/node-database.ts";
import { NODE_TYPE } from "../../pst/ndb/node-entry.ts";
import { NODE_TREE_PAGE } from "../../pst/ndb/tree-page.ts";
import type { SourceItem } from "../reading/source.ts";
import { readUnit } from "../work-units.ts";
import { pst } from "./pst.ts";

const MAILS = 12;
/** Subject of the message that is attached to every sixth message. */
const ATTACHED = "Report 7";
const UNICODE: StoreFormat = { layout: "unicode", encoding: "permute" };
const directory = mkdtempSync(join(tmpdir(), "pst-lost-nodes-"));
const path = join(directory, "store.pst");

afterAll(() => rmSync(directory, { recursive: true, force: true }));

type Mapi = Extract<SourceItem, { kind: "object" }>;

async function read(
  bytes: Buffer,
): Promise<{ readonly items: readonly SourceItem[]; readonly codes: readonly string[] }> {
  writeFileSync(path, bytes);
  const opened = await pst.open(path, { password: null, skipProtected: false });
  const items: SourceItem[] = [];
  for (const unit of opened.units()) for (const item of await readUnit(unit)) items.push(item);
  return { items, codes: [...opened.notes, ...items].flatMap((item) => ("code" in item ? [item.code] : [])) };
}

const mailsOf = (items: readonly SourceItem[]): readonly Mapi[] => items.filter((item) => item.kind === "object");
const fingerprints = (items: readonly SourceItem[]): readonly string[] =>
  mailsOf(items)
    .map(({ sha256 }) => sha256)
    .sort();

function databaseOf(bytes: Buffer): NodeDatabase {
  const source = bytesInMemory(bytes);
  return new NodeDatabase(source, readFileHeader(source)!);
}

/** A copy without any page of the node tree. */
function withoutNodes(whole: Buffer, { layout }: StoreFormat): Buffer {
  const bytes = Buffer.from(whole);
  const [size, trailer] = layout === "unicode-4k" ? [4096, 4072] : [512, layout === "ansi" ? 500 : 496];
  for (let at = 0; at + size <= bytes.length; at += size)
    if (bytes[at + trailer] === NODE_TREE_PAGE && bytes[at + trailer + 1] === NODE_TREE_PAGE)
      bytes.fill(0, at, at + size);
  return bytes;
}

describe("items that no node leads to", () => {
  it.each(STORE_FORMATS)("$layout, $encoding: are recovered with recipients and attachments", async (format) => {
    const whole = fuzzStore(format, MAILS);
    const before = await read(whole);
    const { items, codes } = await read(withoutNodes(whole, format));
    expect(fingerprints(items)).toEqual(fingerprints(before.items));
    expect(codes).toEqual(expect.arrayContaining(["page-damaged", "tree-rebuilt", "items-without-node"]));
    for (const item of mailsOf(items)) {
      expect([item.mailbox, item.flags, item.location]).toEqual([
        "Orphaned items",
        expect.arrayContaining(["recovered"]),
        expect.stringMatching(/^bid:[0-9a-f]+$/),
      ]);
    }
  });

  it("resolve each other's X.500 names", async () => {
    const whole = buildStore(UNICODE, (store) => {
      const inbox = store.addFolder("Inbox");
      const recipient = {
        type: 1,
        name: "J",
        email: "/o=x/cn=jim",
        addressType: "EX",
        smtp: "jim@example.org",
      } as const;
      for (const [email, recipients] of [
        ["/O=X/CN=Jim", []],
        ["ann@example.org", [recipient]],
      ] as const)
        store.addMessage(inbox, {
          properties: mailProperties({ subject: email, body: "b", sentAt: 0, from: email }),
          recipients,
        });
    });
    const { items } = await read(withoutNodes(whole, UNICODE));
    const senders = mailsOf(items).map(({ message }) => message.envelope.from?.email);
    expect(senders.sort()).toEqual(["ann@example.org", "jim@example.org"]);
  });

  it.each(STORE_FORMATS)("$layout, $encoding: keep their folder and id", async (format) => {
    const whole = fuzzStore(format, format.layout === "unicode-4k" ? 150 : 60);
    const database = databaseOf(whole);
    const before = await read(whole);
    const damaged = Buffer.from(whole);
    const { size, trailer, level } = database.layout.page;
    // The last leaf page contains only messages.
    let last = -1;
    for (let at = 0; at + size <= whole.length; at += 512)
      if (
        whole[at + trailer] === NODE_TREE_PAGE &&
        whole[at + trailer + 1] === NODE_TREE_PAGE &&
        whole[at + level] === 0
      )
        last = at;
    damaged.fill(0, last, last + size);
    const { items, codes } = await read(damaged);
    const placeOf = (each: Mapi) => [each.location, each.mailbox, each.sha256];
    expect(mailsOf(items).map(placeOf)).toEqual(mailsOf(before.items).map(placeOf));
    expect(codes).toContain("items-without-node");
    expect(codes).not.toContain("item-missing");
    expect(mailsOf(items).filter(({ flags }) => flags.includes("recovered")).length).toBeGreaterThan(0);
  });

  it("have their long texts and named properties", async () => {
    const start = { set: PROPERTY_SET.appointment, name: 0x820d } as const;
    const body = patternBytes(9000, 5).toString("base64");
    const whole = buildStore(UNICODE, (store) => {
      const folder = store.addFolder("Inbox");
      const { properties, recipients = [] } = sampleMail(1);
      store.addMessage(folder, {
        properties: [...properties.filter(({ id }) => id !== PID.body), text(PID.body, body)],
        recipients,
      });
      store.addMessage(folder, { properties: [...sampleMail(2).properties] });
      const appointment = [text(PID.messageClass, "IPM.Appointment"), text(PID.subject, "Planning")];
      store.addMessage(folder, { properties: [...appointment, time(store.named(start), Date.UTC(2024, 0, 1))] });
    });
    const { items } = await read(withoutNodes(whole, UNICODE));
    const [long] = mailsOf(items);
    expect([long?.message.textBody, long?.message.envelope.to.length, long?.message.findings]).toEqual([body, 1, []]);
    expect(items.find((item) => item.kind === "appointment")).toMatchObject({
      entry: { subject: "Planning", start: Date.UTC(2024, 0, 1) },
    });
  });

  it("have the newest of several lists that are versions of one", async () => {
    const body = patternBytes(9000, 6).toString("base64");
    const whole = buildStore(UNICODE, (store) => {
      const folder = store.addFolder("Inbox");
      const { properties, recipients = [] } = sampleMail(1);
      const long = { ...text(PID.body, ""), dataBid: store.writer.addData(Buffer.from(body, "utf16le")) };
      const message = { properties: [...properties.filter(({ id }) => id !== PID.body), long] };
      store.writeMessage({ ...message, recipients: recipients.slice(0, 1) });
      for (let number = 20; number < 60; number++) store.addMessage(folder, sampleMail(number));
      store.addMessage(folder, { ...message, recipients });
    });
    const { items } = await read(withoutNodes(whole, UNICODE));
    const found = mailsOf(items).filter(({ message }) => message.envelope.subject === "Report 1");
    expect(
      found.map(({ message }) => [message.textBody, message.envelope.to.length, message.envelope.cc.length]),
    ).toEqual([[body, 1, 1]]);
  });

  it("are omitted if a node has a newer version, or if they are internal", async () => {
    let third = 0;
    const whole = buildStore(UNICODE, (store) => {
      const folder = store.addFolder("Inbox");
      store.addMessage(folder, sampleMail(1));
      const nid = store.addMessage(folder, sampleMail(2));
      // The message was marked as read: its properties are rewritten, and the earlier ones remain in the file.
      store.writer.addNode({ nid, ...store.writeMessage(sampleMail(2)) }, folder);
      store.commit();
      third = store.addMessage(folder, sampleMail(3));
      const view = [text(PID.messageClass, "IPM.Microsoft.FolderDesign.NamedView"), integer(PID.messageFlags, 0x40)];
      store.writer.addNode({ nid: 0x200008, ...store.writeMessage({ properties: view }) }, folder);
    });
    const intact = await read(whole);
    expect([mailsOf(intact.items).length, intact.codes]).toEqual([3, ["settings-left-out"]]);
    // The pages written last are lost: earlier ones know the first two messages.
    const database = databaseOf(whole);
    const { offset } = database.block(database.node(third)!.dataBid)!;
    const { items } = await read(
      Buffer.concat([whole.subarray(0, offset), withoutNodes(whole, UNICODE).subarray(offset)]),
    );
    expect(mailsOf(items).map(({ message, mailbox }) => [message.envelope.subject, mailbox])).toEqual([
      ["Report 1", "Inbox"],
      ["Report 2", "Inbox"],
      ["Report 3", "Orphaned items"],
    ]);
  });
});

describe("a truncated store", () => {
  it.each(STORE_FORMATS)("$layout, $encoding: returns every message with complete data", async (format) => {
    const whole = fuzzStore(format, MAILS, 2);
    const database = databaseOf(whole);
    const messages = [...database.nodes(NODE_TYPE.message)];
    const ends = messages.map(({ dataBid }) => {
      const entry = database.block(dataBid)!;
      return entry.offset + database.lengthInFile(entry);
    });
    for (let share = 10; share < 100; share += 6) {
      const length = Math.floor((whole.length * share) / 100);
      const there = ends.filter((end) => end <= length).length;
      const outcome = await read(whole.subarray(0, length)).catch((error: { readonly code: string }) => error.code);
      if (typeof outcome === "string") expect([there, outcome], `${share} %`).toEqual([0, "DAMAGED_SOURCE"]);
      else {
        const subjects = new Set(mailsOf(outcome.items).map(({ message }) => message.envelope.subject));
        const expected = ends.flatMap((end, number) => (end <= length ? [`Report ${number}`] : []));
        expect(
          expected.filter((subject) => !subjects.has(subject)),
          `${share} %`,
        ).toEqual([]);
        // An attached message is found alone if its parent is cut off.
        expect([...subjects].filter((subject) => !expected.includes(subject) && subject !== ATTACHED)).toEqual([]);
        expect(outcome.codes, `${share} %`).toContain("file-truncated");
      }
    }
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { keptItems, keptItemsOf } from "../../../test/kept-items.ts";
import { buildMsg, MsgWriter } from "../../../test/msg-writer/msg-writer.ts";
import { SAMPLE_MESSAGE, sampleMsg } from "../../../test/msg-writer/sample-msg.ts";
import { recurrenceBlob, timeZoneDefinition } from "../../../test/pst-writer/appointment-blobs.ts";
import { binary, integer, text, texts, time, type WrittenProperty } from "../../../test/pst-writer/property-writer.ts";
import { buildStore, patternBytes, sampleMail } from "../../../test/pst-writer/sample-store.ts";
import { mailProperties, type WrittenMessage } from "../../../test/pst-writer/store-writer.ts";
import { writeCompoundFile } from "../../compound/compound-writer.ts";
import { addressText } from "../../mail/records/address.ts";
import type { Message } from "../../mail/records/message.ts";
import { parseMessage } from "../../mime/parse-message.ts";
import { PROPERTY_SET, type PropertyName } from "../../properties/named-properties.ts";
import { PID } from "../../properties/property-ids.ts";
import { readMsgItems } from "../msg/msg-items.ts";
import { pst } from "../pst/pst.ts";
import type { SourceItem } from "../reading/source.ts";
import { openSource } from "./detect-format.ts";

const directory = mkdtempSync(join(tmpdir(), "msg-test-"));
const LIMITS = { password: null, skipProtected: false } as const;
const PLACE = { mailbox: "INBOX", location: "a.msg" } as const;

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The properties of an item that do not depend on its location. */
function meaning(items: readonly SourceItem[]): unknown {
  return items.map((item) => {
    const bare = { ...item, mailbox: "", location: "" };
    if (bare.kind !== "object") return bare;
    const attachments = bare.message.attachments.map((part) => ({
      ...part,
      bytes: Buffer.from(part.bytes()).toString("hex"),
    }));
    return { ...bare, message: { ...bare.message, attachments }, rendered: bare.rendered().toString() };
  });
}

/** Properties of a message, given the ids of the names in its file. */
type Made = (named: (name: PropertyName) => number) => WrittenMessage;

async function fromStore(made: Made): Promise<readonly SourceItem[]> {
  const path = join(directory, "twin.pst");
  const bytes = buildStore({ layout: "unicode", encoding: "permute" }, (store) =>
    store.addMessage(
      store.addFolder("Inbox"),
      made((name) => store.named(name)),
    ),
  );
  writeFileSync(path, bytes);
  return keptItemsOf((await pst.open(path, LIMITS)).units());
}

function fromMsg(made: Made, majorVersion: 3 | 4 = 3): readonly SourceItem[] {
  const writer = new MsgWriter();
  return keptItems(
    readMsgItems(
      writer.write(
        made((name) => writer.named(name)),
        majorVersion,
      ),
      PLACE,
      [],
    ),
  );
}

async function readPath(path: string): Promise<readonly SourceItem[]> {
  const opened = await openSource(path, LIMITS);
  return keptItemsOf(opened.units());
}

const lid = (set: string, name: number): PropertyName => ({ set, name });

const MEETING: Made = (named) => ({
  properties: [
    text(PID.messageClass, "IPM.Appointment"),
    text(PID.subject, "Weekly figures"),
    text(PID.body, "Bring the figures."),
    time(named(lid(PROPERTY_SET.appointment, 0x820d)), Date.UTC(2024, 2, 4, 9)),
    time(named(lid(PROPERTY_SET.appointment, 0x820e)), Date.UTC(2024, 2, 4, 10)),
    text(named(lid(PROPERTY_SET.appointment, 0x8208)), "Room 1"),
    binary(
      named(lid(PROPERTY_SET.appointment, 0x8260)),
      timeZoneDefinition("W. Europe Standard Time", [{ bias: -60 }]),
    ),
    binary(
      named(lid(PROPERTY_SET.appointment, 0x8216)),
      recurrenceBlob({
        frequency: "weekly",
        type: 1,
        period: 1,
        specific: [0x02],
        end: { count: 5 },
        start: Date.UTC(2024, 2, 4),
        startMinute: 600,
        endMinute: 660,
        deleted: [Date.UTC(2024, 2, 11)],
        exceptions: [
          {
            original: Date.UTC(2024, 2, 18, 10),
            start: Date.UTC(2024, 2, 19, 14),
            end: Date.UTC(2024, 2, 19, 15),
            subject: "Moved",
          },
        ],
      }),
    ),
  ],
  recipients: [{ type: 1, name: "Ann Example", email: "ann@example.org" }],
});

const CONTACT: Made = (named) => ({
  properties: [
    text(PID.messageClass, "IPM.Contact"),
    text(PID.displayName, "Ann Example"),
    text(0x3a16, "Halvorsen & Pike"),
    text(named(lid(PROPERTY_SET.address, 0x8083)), "ann@example.org"),
  ],
});

const TASK: Made = (named) => ({
  properties: [
    text(PID.messageClass, "IPM.Task"),
    text(PID.subject, "Count the boxes"),
    integer(named(lid(PROPERTY_SET.task, 0x8101)), 1),
    time(named(lid(PROPERTY_SET.task, 0x8105)), Date.UTC(2024, 5, 1)),
  ],
});

const CATEGORIES: Made = (named) => ({
  ...sampleMail(2),
  properties: [
    ...sampleMail(2).properties,
    texts(named({ set: PROPERTY_SET.publicStrings, name: "Keywords" }), ["Figures", "Règles"]),
  ],
});

describe("a .msg file", () => {
  it.each([
    ["a mail with attachments and a message attached", () => SAMPLE_MESSAGE, "object"],
    ["a mail with categories", CATEGORIES, "object"],
    ["a series of appointments", MEETING, "appointment"],
    ["a contact", CONTACT, "item"],
    ["a task", TASK, "item"],
  ] as const)("equals the same item in a store: %s", async (_, made: Made, kind) => {
    const stored = await fromStore(made);
    expect(new Set(stored.map((item) => item.kind))).toEqual(new Set([kind]));
    for (const version of [3, 4] as const) expect(meaning(fromMsg(made, version))).toEqual(meaning(stored));
  });

  it("equals any message in a store", async () => {
    const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).filter((word) => !word.includes("\0"));
    const sizes = fc.array(fc.integer({ min: 0, max: 6000 }), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(words, words, sizes, async (subject, body, attached) => {
        const changed: WrittenProperty[] = sampleMail(1).properties.map((property) =>
          property.id === PID.subject
            ? text(PID.subject, subject)
            : property.id === PID.body
              ? text(PID.body, body)
              : property,
        );
        const attachments = attached.map((size) => ({
          properties: [text(PID.attachLongFilename, `${size}`)],
          data: patternBytes(size, size),
        }));
        const made: Made = () => ({ ...sampleMail(1), properties: changed, attachments });
        expect(meaning(fromMsg(made))).toEqual(meaning(await fromStore(made)));
      }),
      { numRuns: 25 },
    );
  });

  it("is detected by name and first bytes, as a file and next to other mail", async () => {
    const mixed = mkdtempSync(join(directory, "mixed-"));
    writeFileSync(join(mixed, "1.eml"), "From: ann@example.org\nSubject: One\n\nHello\n");
    writeFileSync(join(mixed, "2.MSG"), sampleMsg());
    writeFileSync(join(mixed, "3.msg"), "From: ann@example.org\nSubject: Three\n\nNo file of Outlook's\n");
    writeFileSync(
      join(mixed, "4.doc"),
      writeCompoundFile({ streams: new Map([["WordDocument", Buffer.alloc(20)]]), storages: new Map() }),
    );
    expect((await readPath(mixed)).map(({ kind, location }) => [kind, location])).toEqual([
      ["rfc5322", "1.eml"],
      ["object", "2.MSG"],
      ["rfc5322", "3.msg"],
      ["skipped", "4.doc"],
    ]);
    expect((await openSource(join(mixed, "2.MSG"), LIMITS)).format).toBe("msg");
    expect((await readPath(join(mixed, "2.MSG"))).map(({ kind, mailbox }) => [kind, mailbox])).toEqual([
      ["object", "INBOX"],
    ]);
    await expect(readPath(join(mixed, "4.doc"))).rejects.toMatchObject({ code: "UNSUPPORTED_FORMAT" });
    const only = mkdtempSync(join(directory, "only-"));
    writeFileSync(join(only, "a.msg"), sampleMsg());
    expect((await readPath(only)).map(({ kind }) => kind)).toEqual(["object"]);
  });

  it("is a lost item when no message can be found in it", () => {
    const empty = writeCompoundFile({ streams: new Map(), storages: new Map() });
    expect(readMsgItems(empty, PLACE, [])).toMatchObject([{ kind: "damaged", code: "msg-damaged", location: "a.msg" }]);
  });

  it("is read as far as possible if its property list is lost", () => {
    const bytes = buildMsg(sampleMail(5));
    const at = bytes.indexOf(Buffer.from("__properties_version1.0", "utf16le"));
    bytes.write("x", at, "utf16le");
    const [item] = readMsgItems(bytes, PLACE, []);
    expect(item).toMatchObject({ kind: "object", message: { envelope: { subject: "Report 5" } } });
  });

  it("never throws on damage, and reports missing parts", () => {
    const seeds = [sampleMsg(3), sampleMsg(4)];
    fc.assert(
      fc.property(
        fc.nat(1),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 30 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (which, changes, kept) => {
          const bytes = Buffer.from(seeds[which]!);
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          const cut = bytes.subarray(0, Math.ceil(bytes.length * kept));
          const items = keptItems(readMsgItems(cut, PLACE, []));
          expect(items.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe("mail of lists in files of Outlook", () => {
  const SENT = Date.UTC(2024, 2, 4);
  const listMail = (headers: string | null, properties: readonly WrittenProperty[] = []): Made => {
    const own = mailProperties({ subject: "s", body: "b", sentAt: SENT, from: "mill@lists.example" });
    return () => ({
      properties: [...own, ...(headers === null ? [] : [text(PID.transportHeaders, headers)]), ...properties],
    });
  };
  const messageOf = ([item]: readonly SourceItem[]): Message => {
    if (item?.kind !== "object") throw new TypeError("no message was read");
    return item.message;
  };
  const POST = "List-Post: <mailto:mill@lists.example>\r\n";
  const VIA = "From: Ann Reed via Mill <mill@lists.example>\r\n";

  it.each([
    ["whom Reply-To names", `${VIA}${POST}Reply-To: Ann Reed <ann@x.example>\r\n`, "Ann Reed <ann@x.example>"],
    ["the original From", `${VIA}${POST}X-Original-From: Ann Reed <ann@y.example>\r\n`, "Ann Reed <ann@y.example>"],
    ["a name alone", `${VIA}${POST}`, "Ann Reed <>"],
    ["whoever wrote to it", `From: Ann Reed <ann@x.example>\r\n${POST}`, "Ann Reed <ann@x.example>"],
  ])("has its author in From, as mail in MIME has it: %s", async (_, headers, author) => {
    const mime = parseMessage(Buffer.from(`${headers}Subject: s\r\n\r\nb`));
    for (const items of [fromMsg(listMail(headers)), await fromStore(listMail(headers))]) {
      const message = messageOf(items);
      expect(addressText(message.envelope.from!)).toBe(author);
      expect(message.listAddress).toBe("mill@lists.example");
      expect(message.findings).toEqual(mime.findings);
    }
  });

  it("has its author even without a header", async () => {
    const named = [text(PID.sentRepresentingName, "Ann Reed via Mill")];
    const message = messageOf(fromMsg(listMail(null, named)));
    expect(message.envelope.from).toEqual({ name: "Ann Reed", email: "" });
    expect(message.findings.map(({ code }) => code)).toEqual(["from-of-list"]);
  });

  it("leaves other mail unchanged", () => {
    const message = messageOf(fromMsg(listMail(null)));
    expect([message.envelope.from!.email, message.listAddress, message.findings]).toEqual([
      "mill@lists.example",
      null,
      [],
    ]);
  });
});

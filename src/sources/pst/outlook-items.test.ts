import { describe, expect, it } from "vitest";
import { recurrenceBlob } from "../../../test/pst-writer/appointment-blobs.ts";
import { memberStream, oneOffEntryId, taskAssigners, verbStream } from "../../../test/pst-writer/item-blobs.ts";
import { itemsOfStore, SOME_FORMATS } from "../../../test/pst-writer/items-of-store.ts";
import {
  binary,
  boolean,
  integer,
  text,
  texts,
  time,
  type WrittenProperty,
} from "../../../test/pst-writer/property-writer.ts";
import { mailProperties, type StoreWriter, type WrittenMessage } from "../../../test/pst-writer/store-writer.ts";
import type { CalendarEntry } from "../../mail/records/calendar-event.ts";
import { FIELDS, type FieldRow } from "../../mapi/objects/item-field-rows.ts";
import { parseMessage } from "../../mime/parse-message.ts";
import { PROPERTY_SET } from "../../properties/named-properties.ts";
import { joinValues } from "../../properties/properties.ts";
import { MULTIPLE, TYPE } from "../../properties/property-bytes.ts";
import { PID } from "../../properties/property-ids.ts";
import type { SourceItem } from "../reading/source.ts";

const MAY_6 = Date.UTC(2024, 4, 6, 9);

/** A calendar entry of an appointment or of a meeting request. */
function entryOf(item: SourceItem | undefined): CalendarEntry {
  const entry = item?.kind === "appointment" ? item.entry : item?.kind === "object" ? item.calendar[0] : undefined;
  if (entry === undefined) throw new Error(`no entry: ${item?.kind}`);
  return entry;
}

function descriptionOf(item: SourceItem): string | undefined {
  return item.kind === "item" ? item.item.fields["body"] : entryOf(item).description;
}

function fieldsOf(item: SourceItem | undefined): Readonly<Record<string, string>> {
  if (item?.kind !== "item") throw new Error(`no item: ${item?.kind}`);
  return item.item.fields;
}

function fromOf(item: SourceItem): string | undefined {
  return item.kind === "object" ? item.message.envelope.from?.email : undefined;
}

/** An entry id of an Exchange address book ([MS-OXCDATA] 2.2.5.2). */
function exchangeEntryId(name: string): Buffer {
  const header = Buffer.alloc(28);
  Buffer.from("dca740c8c042101ab4b908002b2fe182", "hex").copy(header, 4);
  header.writeUInt32LE(1, 20);
  return Buffer.concat([header, Buffer.from(`${name}\0`, "latin1")]);
}

/** RTF as stored without compression ([MS-OXRTFCP] 2.1.3.1). */
function storedRtf(rtf: string): Buffer {
  const content = Buffer.from(rtf, "latin1");
  const header = Buffer.alloc(16);
  header.writeUInt32LE(content.length + 12, 0);
  header.writeUInt32LE(content.length, 4);
  header.write("MELA", 8, "latin1");
  return Buffer.concat([header, content]);
}

const HTML = "<html><body><p>Bring the <b>figures</b>.</p></body></html>";
const RTF =
  "{\\rtf1\\ansi\\fromhtml1 {\\*\\htmltag64 <p>}Bring the {\\*\\htmltag84 <b>}figures{\\*\\htmltag92 </b>}.{\\*\\htmltag72 </p>}}";

describe.each(SOME_FORMATS)("fields of Outlook items: $layout, $encoding", (format) => {
  const start = (store: StoreWriter): WrittenProperty =>
    time(store.named({ set: PROPERTY_SET.appointment, name: 0x820d }), MAY_6);

  it.each([
    ["HTML", binary(PID.html, Buffer.from(HTML))],
    ["RTF made of HTML", binary(PID.rtfCompressed, storedRtf(RTF))],
    ["plain text", text(PID.body, "Bring the figures.")],
  ])("has plain text from %s", async (_, body) => {
    const classes = ["IPM.Appointment", "IPM.Schedule.Meeting.Request", "IPM.Task", "IPM.Contact", "IPM.StickyNote"];
    const items = await itemsOfStore(format, (store) =>
      classes.map((messageClass) => ({
        properties: [
          text(PID.messageClass, messageClass),
          text(PID.subject, messageClass),
          integer(PID.internetCodePage, 65001),
          start(store),
          body,
        ],
      })),
    );
    expect(items.map(descriptionOf)).toEqual(classes.map(() => "Bring the figures."));
  });

  it("reads the fields of items with a property of id 0", async () => {
    const items = await itemsOfStore(format, () => [
      {
        properties: [
          text(0, "unrelated"),
          text(PID.messageClass, "IPM.Contact"),
          text(PID.displayName, "Ann Example"),
          text(0x3a16, "Halvorsen"),
        ],
      },
    ]);
    // Neither fixed properties nor named properties unknown to the store have its value.
    expect(fieldsOf(items[0])).toEqual({ display_name: "Ann Example", company: "Halvorsen" });
  });

  it("uses the address of the owner of an Exchange mailbox if it is known", async () => {
    const name = "/o=Halvorsen/ou=Site/cn=Recipients/cn=ann";
    const entryId = exchangeEntryId(name.toUpperCase());
    const sender = (...properties: readonly WrittenProperty[]): readonly WrittenProperty[] => [
      text(PID.messageClass, "IPM.Note"),
      text(PID.subject, "Figures"),
      text(PID.body, "Hello"),
      ...properties,
    ];
    const items = await itemsOfStore(format, () => [
      // The recipients of one message contain a person …
      {
        properties: sender(),
        recipients: [{ type: 1, name: "Ann Example", email: name, addressType: "EX", smtp: "ann@example.org" }],
      },
      // … who appears elsewhere by entry id and name only, by X.500 address, and by an SMTP address.
      { properties: sender(text(PID.senderName, "Ann Example"), binary(PID.senderEntryId, entryId)) },
      {
        properties: sender(text(PID.sentRepresentingName, "Ann Example"), binary(PID.sentRepresentingEntryId, entryId)),
      },
      {
        properties: sender(
          text(PID.senderName, "Ann Example"),
          text(PID.senderAddressType, "EX"),
          text(PID.senderEmail, name),
        ),
      },
      { properties: sender(text(PID.senderName, "Ann Example"), text(PID.senderSmtp, "ann@example.org")) },
      {
        properties: sender(
          text(PID.sentRepresentingName, "Ann Example"),
          text(PID.sentRepresentingSmtp, "ann@example.org"),
        ),
      },
      // The represented sender is only a name; the actual sender has the same name and an address.
      {
        properties: sender(
          text(PID.sentRepresentingName, "ANN EXAMPLE"),
          text(PID.senderName, "Ann Example"),
          text(PID.senderSmtp, "ann@example.org"),
        ),
      },
    ]);
    expect(items.slice(1).map(fromOf)).toEqual(Array.from({ length: 6 }, () => "ann@example.org"));
  });

  it("distinguishes author and sender if only one has an address", async () => {
    const [item] = await itemsOfStore(format, () => [
      {
        properties: [
          text(PID.messageClass, "IPM.Note"),
          text(PID.body, "Hello"),
          text(PID.sentRepresentingName, "The Board"),
          text(PID.senderName, "Ann Example"),
          text(PID.senderSmtp, "ann@example.org"),
        ],
      },
    ]);
    expect(item?.kind === "object" ? item.message.envelope : null).toMatchObject({
      from: { name: "The Board", email: "" },
      sender: { name: "Ann Example", email: "ann@example.org" },
    });
  });

  it("uses the delivery time of the store, else the last hop, and keeps spaces in Lotus Notes names", async () => {
    const hop = (at: number): string => `Received: from a.example by b.example; ${new Date(at).toUTCString()}\r\n`;
    const headers = text(PID.transportHeaders, `${hop(MAY_6 + 5000)}${hop(MAY_6)}Subject: Figures\r\n`);
    const sender = [
      text(PID.messageClass, "IPM.Note"),
      text(PID.body, "Hello"),
      text(PID.senderName, "Cy Roe"),
      text(PID.senderAddressType, "NOTES"),
      text(PID.senderEmail, "Cy Roe/Quay Side/Mill@Mill"),
    ];
    const items = await itemsOfStore(format, () => [
      { properties: [...sender, headers, time(PID.deliveryTime, MAY_6 + 9000)] },
      { properties: [...sender, headers] },
      { properties: sender },
    ]);
    expect(items.map((item) => (item.kind === "object" ? item.message.envelope.receivedAt : undefined))).toEqual([
      ...[MAY_6 + 9000, MAY_6 + 5000, null],
    ]);
    expect(items.map(fromOf)).toEqual(items.map(() => "Cy Roe/Quay Side/Mill@Mill"));
  });

  it.each([
    ["Chicago", 5],
    ["Greenwich", 0],
    ["Berlin", -2],
    ["Tokyo", -9],
  ])("reads dates as the intended day if midnight was that of %s", async (_, hours) => {
    const shift = hours * 3_600_000;
    const day = Date.UTC(2003, 4, 6);
    const midnight = day + shift;
    const items = await itemsOfStore(format, (store) => {
      const appointment = (name: number): number => store.named({ set: PROPERTY_SET.appointment, name });
      const task = (name: number): number => store.named({ set: PROPERTY_SET.task, name });
      const address = (name: number): number => store.named({ set: PROPERTY_SET.address, name });
      return [
        {
          properties: [
            text(PID.messageClass, "IPM.Appointment"),
            time(appointment(0x820d), midnight),
            time(appointment(0x820e), midnight + 86_400_000),
            boolean(appointment(0x8215), true),
          ],
        },
        { properties: [text(PID.messageClass, "IPM.Contact"), time(0x3a42, midnight), time(0x3a41, midnight)] },
        // The property that contains a complete date takes precedence.
        {
          properties: [
            text(PID.messageClass, "IPM.Contact"),
            time(address(0x80de), day),
            time(0x3a42, day + 86_400_000),
            time(address(0x80df), day),
            time(0x3a41, day - 86_400_000),
          ],
        },
        {
          properties: [
            text(PID.messageClass, "IPM.Task"),
            time(task(0x8104), midnight),
            time(task(0x8105), midnight + 86_400_000),
          ],
        },
      ];
    });
    expect(entryOf(items[0])).toMatchObject({ allDay: true, start: day, end: day + 86_400_000 });
    expect(items.slice(1).map((item) => (item.kind === "item" ? item.item.fields : null))).toMatchObject([
      { birthday: "2003-05-06", anniversary: "2003-05-06" },
      { birthday: "2003-05-06", anniversary: "2003-05-06" },
      { start_date: "2003-05-06", due_date: "2003-05-07" },
    ]);
  });

  it("derives the zone of an old appointment from its displayed places", async () => {
    const [item] = await itemsOfStore(format, (store) => [
      {
        properties: [
          text(PID.messageClass, "IPM.Appointment"),
          start(store),
          text(store.named({ set: PROPERTY_SET.appointment, name: 0x8234 }), "(GMT-06:00) Central Time (US & Canada)"),
        ],
      },
    ]);
    expect(entryOf(item)).toMatchObject({ start: MAY_6, timezone: "America/Chicago" });
  });

  it("derives the meeting status from the owner's answer and the organizer's request", async () => {
    const meeting = (
      store: StoreWriter,
      messageClass: string,
      lids: Readonly<Record<number, number>>,
    ): WrittenMessage => ({
      properties: [
        text(PID.messageClass, messageClass),
        start(store),
        ...Object.entries(lids).map(([name, value]) =>
          integer(store.named({ set: PROPERTY_SET.appointment, name: Number(name) }), value),
        ),
      ],
    });
    const [busy, answer, intended] = [0x8205, 0x8218, 0x8224];
    const items = await itemsOfStore(format, (store) => [
      meeting(store, "IPM.Schedule.Meeting.Request", { [busy]: 1, [intended]: 2, [answer]: 5 }),
      meeting(store, "IPM.Appointment", { [busy]: 1, [answer]: 3 }),
      meeting(store, "IPM.Appointment", { [busy]: 2, [answer]: 2 }),
      meeting(store, "IPM.Appointment", { [busy]: 1 }),
      meeting(store, "IPM.Appointment", { [busy]: 2 }),
    ]);
    expect(items.map(entryOf).map(({ status, busyStatus }) => [status, busyStatus])).toEqual([
      ["confirmed", "busy"],
      ["confirmed", "tentative"],
      ["tentative", "busy"],
      ["tentative", "tentative"],
      ["confirmed", "busy"],
    ]);
  });

  it("has every field of its kind, and those that any item may have", async () => {
    const kinds = [
      ["contact", "IPM.Contact"],
      ["task", "IPM.Task"],
      ["journal", "IPM.Activity"],
    ] as const;
    const isText = ({ words, isDate, usual }: FieldRow): boolean =>
      words === undefined && isDate === undefined && usual === undefined;
    const items = await itemsOfStore(format, (store) =>
      kinds.map(([kind, messageClass]) => ({
        properties: [
          text(PID.messageClass, messageClass),
          ...FIELDS[kind]
            .filter(isText)
            .map(({ name, property }) => text(typeof property === "number" ? property : store.named(property), name)),
        ],
      })),
    );
    for (const [at, [kind]] of kinds.entries())
      expect(fieldsOf(items[at])).toEqual(
        Object.fromEntries(
          FIELDS[kind]
            .filter(isText)
            .map(({ name }) => [name, name])
            .sort(),
        ),
      );
  });

  it("describes unusual properties in words, and omits usual ones", async () => {
    const common = (store: StoreWriter, name: number): number => store.named({ set: PROPERTY_SET.common, name });
    const task = (store: StoreWriter, name: number): number => store.named({ set: PROPERTY_SET.task, name });
    const items = await itemsOfStore(format, (store) => [
      {
        properties: [
          text(PID.messageClass, "IPM.Task"),
          texts(store.named({ set: PROPERTY_SET.publicStrings, name: "Keywords" }), ["Red", "Quay"]),
          integer(PID.importance, 2),
          integer(PID.sensitivity, 2),
          integer(task(store, 0x8101), 3),
          integer(task(store, 0x8129), 2),
          boolean(common(store, 0x8506), true),
          boolean(common(store, 0x8503), true),
          time(common(store, 0x8502), MAY_6),
          text(common(store, 0x8530), "Call"),
          binary(
            task(store, 0x8116),
            recurrenceBlob({
              frequency: "weekly",
              type: 1,
              period: 1,
              specific: [2],
              start: MAY_6,
              startMinute: 0,
              endMinute: 0,
            }).subarray(0, 54),
          ),
        ],
      },
      {
        properties: [
          text(PID.messageClass, "IPM.StickyNote"),
          integer(PID.importance, 1),
          integer(PID.sensitivity, 0),
          boolean(common(store, 0x8503), false),
          time(common(store, 0x8502), MAY_6),
        ],
      },
    ]);
    expect(fieldsOf(items[0])).toEqual({
      categories: "Red; Quay",
      follow_up: "Call",
      importance: "high",
      is_private: "yes",
      ownership: "assigned by somebody else",
      recurrence: "FREQ=WEEKLY;BYDAY=MO;WKST=SU",
      recurrence_text: expect.stringContaining("Monday"),
      reminder: "2024-05-06T09:00:00Z",
      sensitivity: "private",
      status: "waiting on others",
    });
    expect(fieldsOf(items[1])).toEqual({});
  });

  it("uses creation and change times of the folder if it has none", async () => {
    const listed = [time(PID.creationTime, MAY_6 - 2000), time(PID.lastModificationTime, MAY_6 - 1000)];
    const items = await itemsOfStore(format, (store) => {
      const appointment = [text(PID.messageClass, "IPM.Appointment"), start(store)];
      return [
        { properties: appointment, listed },
        { properties: [...appointment, time(PID.lastModificationTime, MAY_6)], listed },
        { properties: [text(PID.messageClass, "IPM.Task")], listed },
        { properties: appointment },
      ];
    });
    const [own, part, task, undated] = items;
    expect([own, part, undated].map(entryOf).map(({ createdAt, updatedAt }) => [createdAt, updatedAt])).toEqual([
      [MAY_6 - 2000, MAY_6 - 1000],
      [MAY_6 - 2000, MAY_6],
      [null, null],
    ]);
    expect(fieldsOf(task)).toEqual({ created: "2024-05-06T08:59:58Z" });
  });

  it("reads wrapped members of a list, and address book contacts by address", async () => {
    const wrapped = (entryId: Buffer): Buffer =>
      Buffer.concat([Buffer.alloc(4), Buffer.from("c091add3519dcf11a4a900aa0047faa400", "hex"), entryId]);
    const address = (store: StoreWriter, name: number): number => store.named({ set: PROPERTY_SET.address, name });
    const [list, contact, long] = await itemsOfStore(format, (store) => [
      {
        properties: [
          text(PID.messageClass, "IPM.DistList"),
          {
            id: address(store, 0x8055),
            type: TYPE.binary | MULTIPLE,
            bytes: joinValues([
              wrapped(oneOffEntryId("Bo", "bo@mill.example")),
              oneOffEntryId("Cy", "cy@mill.example"),
            ]),
          },
        ],
      },
      {
        properties: [
          text(PID.messageClass, "IPM.Contact"),
          text(address(store, 0x8083), "/o=Mill/cn=Recipients/cn=dee"),
          text(address(store, 0x8084), "dee@mill.example"),
        ],
      },
      {
        properties: [
          text(PID.messageClass, "IPM.DistList"),
          // A list that is too long for its properties is stored in a separate stream.
          binary(
            address(store, 0x8064),
            memberStream([
              { own: Buffer.from("another book"), oneOff: oneOffEntryId("Eve", "eve@mill.example") },
              { own: oneOffEntryId("Fay", "fay@mill.example"), oneOff: Buffer.alloc(0) },
            ]),
          ),
        ],
      },
    ]);
    expect(fieldsOf(long)["members"]).toBe("Eve <eve@mill.example>; Fay <fay@mill.example>");
    expect(fieldsOf(list)["members"]).toBe("Bo <bo@mill.example>; Cy <cy@mill.example>");
    expect(fieldsOf(contact)["email_1"]).toBe("dee@mill.example");
  });

  it("of a message has its importance, follow-up, expiry and vote among its flags", async () => {
    const [item] = await itemsOfStore(format, (store) => [
      {
        properties: [
          ...mailProperties({ subject: "Vote", body: "b", sentAt: MAY_6, from: "ann@mill.example" }),
          integer(PID.importance, 2),
          integer(PID.sensitivity, 3),
          time(PID.expiryTime, MAY_6),
          time(PID.flagCompleteTime, MAY_6),
          text(store.named({ set: PROPERTY_SET.common, name: 0x8530 }), "Follow  up"),
          time(store.named({ set: PROPERTY_SET.task, name: 0x8104 }), Date.UTC(2024, 4, 6)),
          time(store.named({ set: PROPERTY_SET.task, name: 0x8105 }), Date.UTC(2024, 4, 7)),
          text(store.named({ set: PROPERTY_SET.common, name: 0x85b6 }), "Board only"),
          binary(
            store.named({ set: PROPERTY_SET.common, name: 0x8520 }),
            verbStream(
              [
                { type: 0, name: "Reply" },
                { type: 4, name: "Approve" },
                { type: 4, name: "Später" },
              ],
              true,
            ),
          ),
          text(store.named({ set: PROPERTY_SET.common, name: 0x8524 }), "Approve"),
          text(store.named({ set: PROPERTY_SET.rss, name: 0x8901 }), `https://news.example/${"1".repeat(300)}`),
        ],
        attachments: [{ properties: [text(PID.attachLongFilename, "Plan.DOCX")], data: Buffer.from("x") }],
      },
    ]);
    expect(item?.kind === "object" && item.flags).toEqual([
      "seen",
      "importance:high",
      "sensitivity:confidential",
      "classification:Board only",
      "follow-up:Follow up",
      "follow-up-start:2024-05-06",
      "due:2024-05-07",
      "completed:2024-05-06T09:00:00Z",
      "expires:2024-05-06T09:00:00Z",
      "vote-option:Approve",
      "vote-option:Später",
      "vote:Approve",
      `link:https://news.example/${"1".repeat(300)}`,
    ]);
    expect(item?.kind === "object" && item.message.attachments[0]?.mediaType).toBe(
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    );
  });

  it("of a message of old Outlook has the time it is to be answered by, and answers in its code page", async () => {
    const votes = verbStream([{ type: 4, name: "Nein, später" }], false);
    const items = await itemsOfStore(format, (store) => {
      const verbs = store.named({ set: PROPERTY_SET.common, name: 0x8520 });
      const message = (...properties: readonly WrittenProperty[]): WrittenMessage => ({
        properties: [
          ...mailProperties({ subject: "Vote", body: "b", sentAt: MAY_6, from: "ann@mill.example" }),
          integer(PID.messageCodePage, 1252),
          ...properties,
        ],
      });
      return [
        message(time(PID.replyTime, MAY_6), binary(verbs, votes)),
        message(
          time(store.named({ set: PROPERTY_SET.task, name: 0x810f }), Date.UTC(2024, 4, 8)),
          binary(verbs, votes.subarray(0, 12)),
        ),
        message(binary(verbs, Buffer.alloc(3))),
      ];
    });
    expect(items.map((item) => (item.kind === "object" ? item.flags : null))).toEqual([
      ["seen", "due:2024-05-06T09:00:00Z", "vote-option:Nein, später"],
      ["seen", "completed:2024-05-08"],
      ["seen"],
    ]);
  });

  it("has a follow-up flag, and for a task the delegator", async () => {
    const items = await itemsOfStore(format, (store) => {
      const task = (name: number): number => store.named({ set: PROPERTY_SET.task, name });
      const flagged = (messageClass: string): WrittenMessage => ({
        properties: [
          text(PID.messageClass, messageClass),
          text(store.named({ set: PROPERTY_SET.common, name: 0x8530 }), "Call"),
          integer(PID.flagStatus, 1),
          time(PID.flagCompleteTime, MAY_6),
          time(PID.expiryTime, MAY_6),
          time(task(0x8104), Date.UTC(2024, 4, 6)),
          time(task(0x8105), Date.UTC(2024, 4, 7)),
          binary(task(0x8117), taskAssigners(["Ann Lund", "Jörg"])),
          integer(task(0x811a), 4),
          integer(store.named({ set: PROPERTY_SET.common, name: 0x8518 }), 2),
        ],
      });
      return [flagged("IPM.Contact"), flagged("IPM.Task")];
    });
    const flag = { follow_up: "Call", follow_up_completed: "2024-05-06T09:00:00Z", expires: "2024-05-06T09:00:00Z" };
    expect(items.map(fieldsOf)).toEqual([
      { ...flag, follow_up_status: "completed", follow_up_start: "2024-05-06", follow_up_due: "2024-05-07" },
      {
        ...flag,
        start_date: "2024-05-06",
        due_date: "2024-05-07",
        assigners: "Ann Lund; Jörg",
        last_change: "due date changed",
        mode: "accepted",
      },
    ]);
  });

  it("has the target of an attachment that is only a link", async () => {
    const link = (method: number, ...target: readonly WrittenProperty[]) => ({
      properties: [integer(PID.attachMethod, method), ...target],
    });
    const [item] = await itemsOfStore(format, () => [
      {
        properties: mailProperties({ subject: "Links", body: "b", sentAt: MAY_6, from: "ann@mill.example" }),
        attachments: [
          link(2, text(PID.attachPathname, "\\\\mill\\plans\\quay.doc")),
          link(7, text(PID.attachLongPathname, "https://files.mill.example/quay.docx")),
          link(4),
        ],
      },
    ]);
    expect(item?.kind === "object" && item.message.findings.map(({ message }) => message)).toEqual([
      "an attachment is only a link to \\\\mill\\plans\\quay.doc; its bytes are not in the store",
      "an attachment is only a link to https://files.mill.example/quay.docx; its bytes are not in the store",
      "an attachment is only a link; its bytes are not in the store",
    ]);
    const parts = item?.kind === "object" ? item.message.attachments : [];
    expect(parts.map(({ filename, linkTarget }) => [filename, linkTarget])).toEqual([
      ["quay.doc", "\\\\mill\\plans\\quay.doc"],
      ["quay.docx", "https://files.mill.example/quay.docx"],
      ["", null],
    ]);
  });

  it("reports findings of the attachments of an attached message", async () => {
    const about = { subject: "Links", body: "b", sentAt: MAY_6, from: "ann@mill.example" };
    const link = (target: string) => ({
      properties: [integer(PID.attachMethod, 7), text(PID.attachLongPathname, target)],
    });
    const targets = ["https://files.mill.example/quay%20a.docx", "\\\\mill\\all plans\\quay é.doc"];
    const message = { properties: mailProperties(about), attachments: targets.map(link) };
    const [item] = await itemsOfStore(format, () => [
      { properties: mailProperties(about), attachments: [{ properties: [], message }] },
    ]);
    const [part] = item?.kind === "object" ? item.message.attachments : [];
    const parts = parseMessage(Buffer.from(part!.bytes())).attachments;
    expect(parts.map(({ filename, linkTarget }) => [filename, linkTarget])).toEqual([
      ["quay a.docx", targets[0]],
      ["quay é.doc", targets[1]],
    ]);
  });
});

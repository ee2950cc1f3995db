import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { keptItemsOf } from "../../../test/kept-items.ts";
import { recurrenceBlob, timeZoneDefinition, timeZoneStruct } from "../../../test/pst-writer/appointment-blobs.ts";
import { binary, boolean, integer, text, texts, time } from "../../../test/pst-writer/property-writer.ts";
import { buildStore, patternBytes, sampleMail } from "../../../test/pst-writer/sample-store.ts";
import { mailProperties, type StoreWriter, type WrittenMessage } from "../../../test/pst-writer/store-writer.ts";
import { ArchiveError } from "../../errors.ts";
import { parseMessage } from "../../mime/parse-message.ts";
import { PROPERTY_SET } from "../../properties/named-properties.ts";
import { TYPE } from "../../properties/property-bytes.ts";
import { PID } from "../../properties/property-ids.ts";
import type { SourceItem, SourceLimits } from "../reading/source.ts";
import { pst } from "./pst.ts";

const UNICODE = { layout: "unicode", encoding: "permute" } as const;
const NO_LIMITS: SourceLimits = { password: null, skipProtected: false };
const directory = mkdtempSync(join(tmpdir(), "pst-test-"));
let files = 0;

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function fileOf(bytes: Buffer): string {
  files++;
  const path = join(directory, `store-${files}.pst`);
  writeFileSync(path, bytes);
  return path;
}

async function read(
  bytes: Buffer,
  limits = NO_LIMITS,
): Promise<{ readonly items: readonly SourceItem[]; readonly notes: readonly SourceItem[]; readonly units: number }> {
  const opened = await pst.open(fileOf(bytes), limits);
  const units = [...opened.units()];
  return { items: await keptItemsOf(units), notes: opened.notes, units: units.length };
}

async function only(message: WrittenMessage | ((store: StoreWriter) => WrittenMessage)): Promise<SourceItem> {
  const bytes = buildStore(UNICODE, (store) =>
    store.addMessage(store.addFolder("Inbox"), typeof message === "function" ? message(store) : message),
  );
  const { items } = await read(bytes);
  expect(items).toHaveLength(1);
  return items[0]!;
}

function mail(item: SourceItem | undefined): Extract<SourceItem, { kind: "object" }> {
  if (item?.kind !== "object") throw new Error(`not a mail: ${item?.kind}`);
  return item;
}

async function errorOf(bytes: Buffer, limits = NO_LIMITS): Promise<ArchiveError> {
  try {
    await read(bytes, limits);
  } catch (error) {
    if (error instanceof ArchiveError) return error;
    throw error;
  }
  throw new Error("no error");
}

describe("the PST adapter", () => {
  it("rejects other files with a one-line error", async () => {
    const error = await errorOf(Buffer.from("just some text, and not a store at all"));
    expect([error.code, error.message.includes("\n")]).toEqual(["UNSUPPORTED_FORMAT", false]);
    expect((await errorOf(buildStore(UNICODE, () => undefined).subarray(0, 300))).code).toBe("DAMAGED_SOURCE");
    expect(
      (await errorOf(Buffer.concat([buildStore(UNICODE, () => undefined).subarray(0, 600), Buffer.alloc(90_000)])))
        .code,
    ).toBe("DAMAGED_SOURCE");
  });

  it("requires the password, and skips protected stores on request", async () => {
    const bytes = buildStore(UNICODE, (store) => store.addMessage(store.addFolder("Inbox"), sampleMail(1)), {
      password: "pass",
    });
    expect((await errorOf(bytes)).code).toBe("PASSWORD_REQUIRED");
    expect((await errorOf(bytes, { password: "other", skipProtected: false })).code).toBe("PASSWORD_REQUIRED");
    expect((await read(bytes, { password: "pass", skipProtected: false })).items).toHaveLength(1);
    const skipped = await read(bytes, { password: null, skipProtected: true });
    expect([skipped.items.length, skipped.notes.map((note) => note.kind)]).toEqual([0, ["skipped"]]);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(skipped.notes[0]).toMatchObject({ code: "password-protected", sha256 });
  });

  it("divides the store into units with every item once", async () => {
    const bytes = buildStore(UNICODE, (store) => {
      const folders = [store.addFolder("Inbox"), store.addFolder("Sent Items")];
      for (let number = 0; number < 450; number++) store.addMessage(folders[number % 2]!, sampleMail(number));
      store.addMessage(folders[0]!, sampleMail(450), false);
    });
    const { items, units } = await read(bytes);
    expect(units).toBe(3);
    expect(new Set(items.map(({ location }) => location)).size).toBe(451);
    const subjects = items.map((item) => mail(item).message.envelope.subject);
    expect(new Set(subjects).size).toBe(451);
    expect(items.filter((item) => mail(item).flags.includes("orphan")).map(({ mailbox }) => mailbox)).toEqual([
      "Inbox",
    ]);
    expect(items.filter(({ mailbox }) => mailbox === "Sent Items")).toHaveLength(225);
  });

  it("prefers transport headers to properties", async () => {
    const headers = [
      "Microsoft Mail Internet Headers Version 2.0",
      "Received: from a by b; Tue, 2 Jan 2024 10:00:05 +0000",
      "Message-ID: <m1@example.org>",
      "References: <r1@example.org> <r2@example.org>",
      "From: =?utf-8?Q?J=C3=B6rg?= <joerg@example.org>",
      "To: Ann <ann@example.org>",
      "Precedence: list",
      "Date: Tue, 2 Jan 2024 10:00:00 +0000",
      "Content-Type: multipart/mixed; boundary=x",
    ].join("\r\n");
    const item = mail(
      await only({
        properties: [
          ...mailProperties({ subject: "Größe", body: "text\r\nmore\r\n", sentAt: 0, from: "/O=X/CN=JOERG" }),
          text(PID.transportHeaders, headers),
          text(PID.inReplyTo, "<parent@example.org>"),
          binary(PID.conversationIndex, Buffer.from("01".repeat(27), "hex")),
          text(PID.internetMessageId, "<other@example.org>"),
        ],
        recipients: [
          { type: 1, name: "Ann", email: "/O=X/CN=ANN", addressType: "EX" },
          { type: 3, name: "Secret", email: "secret@example.org" },
        ],
      }),
    );
    const { envelope } = item.message;
    expect(envelope).toEqual({
      messageId: "m1@example.org",
      inReplyTo: ["parent@example.org"],
      references: ["r1@example.org", "r2@example.org"],
      conversationIndexRoot: "01".repeat(22),
      subject: "Größe",
      from: { name: "Jörg", email: "joerg@example.org" },
      sender: null,
      replyTo: [],
      to: [{ name: "Ann", email: "ann@example.org" }],
      cc: [],
      bcc: [{ name: "Secret", email: "secret@example.org" }],
      sentAt: Date.UTC(2024, 0, 2, 10),
      receivedAt: 1000,
      gmailThreadId: null,
      isAutomatic: true,
      messageKind: "mail",
    });
    expect([item.message.textBody, item.message.findings]).toEqual(["text\nmore\n", []]);
  });

  it("resolves an X.500 sender by its recipients table, or keeps it", async () => {
    const properties = (email: string) => mailProperties({ subject: "s", body: "b", sentAt: 0, from: email });
    const known = mail(
      await only({
        properties: properties("/O=X/CN=Jim"),
        recipients: [{ type: 1, name: "Jim", email: "/o=x/cn=jim", addressType: "EX", smtp: "jim@example.org" }],
      }),
    );
    expect(known.message.envelope.from!.email).toBe("jim@example.org");
    expect(mail(await only({ properties: properties("/O=X/CN=Jim") })).message.envelope.from!.email).toBe(
      "/O=X/CN=Jim",
    );
  });

  it("resolves an X.500 sender by any other item of the file", async () => {
    const from = (email: string, headers?: string): WrittenMessage => ({
      properties: [
        ...mailProperties({ subject: email, body: "b", sentAt: 0, from: email }),
        ...(headers === undefined ? [] : [text(PID.transportHeaders, headers)]),
      ],
    });
    const bytes = buildStore(UNICODE, (store) => {
      const inbox = store.addFolder("Inbox");
      const contacts = store.addFolder("Contacts");
      for (const email of ["/O=X/CN=Recipient", "/O=X/CN=Contact", "/O=X/CN=Header", "/O=X/CN=Nobody"])
        store.addMessage(inbox, from(email));
      store.addMessage(inbox, {
        ...from("other@example.org"),
        recipients: [
          { type: 1, name: "R", email: "/o=x/cn=recipient", addressType: "EX", smtp: "recipient@example.org" },
        ],
      });
      // A sender identified only by its own headers, which also resolve the others.
      store.addMessage(inbox, from("/O=X/CN=HEADER", "From: H <header@example.org>\r\nSubject: h"));
      store.addMessage(contacts, {
        properties: [
          text(PID.messageClass, "IPM.Contact"),
          text(store.named({ set: PROPERTY_SET.address, name: 0x8083 }), "/o=x/cn=contact"),
          text(store.named({ set: PROPERTY_SET.address, name: 0x8084 }), "contact@example.org"),
        ],
      });
    });
    const { items } = await read(bytes);
    const senders = items.slice(0, 4).map((item) => mail(item).message.envelope.from!.email);
    expect(senders).toEqual(["recipient@example.org", "contact@example.org", "header@example.org", "/O=X/CN=Nobody"]);
  });

  it("searches all items of a large store for X.500 names if a sample has one", async () => {
    const bytes = buildStore(UNICODE, (store) => {
      const inbox = store.addFolder("Inbox");
      for (let number = 0; number < 700; number++) {
        const email = number % 7 === 0 ? "/O=X/CN=Jim" : "ann@example.org";
        const recipients =
          number === 601
            ? [{ type: 1, name: "J", email: "/o=x/cn=jim", addressType: "EX", smtp: "jim@example.org" } as const]
            : [];
        store.addMessage(inbox, {
          properties: mailProperties({ subject: "s", body: "b", sentAt: 0, from: email }),
          recipients,
        });
      }
    });
    const { items } = await read(bytes);
    expect(new Set(items.map((item) => mail(item).message.envelope.from!.email))).toEqual(
      new Set(["jim@example.org", "ann@example.org"]),
    );
  });

  it("keeps the attachments of appointments, and of contacts as a field of the item", async () => {
    const data = patternBytes(9000, 3);
    const attachments = [{ properties: [text(PID.attachLongFilename, "plan.bin")], data }];
    const bytes = buildStore(UNICODE, (store) => {
      const calendar = store.addFolder("Calendar");
      const start = time(store.named({ set: PROPERTY_SET.appointment, name: 0x820d }), Date.UTC(2024, 0, 1));
      const appointment = [text(PID.messageClass, "IPM.Appointment"), text(PID.subject, "Planning"), start];
      store.addMessage(calendar, { properties: appointment, attachments });
      store.addMessage(calendar, { properties: appointment });
      store.addMessage(calendar, {
        properties: [text(PID.messageClass, "IPM.Contact"), text(PID.displayName, "Ann")],
        attachments,
      });
    });
    const { items } = await read(bytes);
    expect(items.map(({ kind }) => kind)).toEqual(["appointment", "appointment", "item"]);
    const [planning, other, ann] = items;
    const attachmentsOf = (item: SourceItem | undefined) =>
      item?.kind === "appointment" ? item.attachments.map((part) => [part.filename, part.bytes()]) : null;
    expect([attachmentsOf(planning), attachmentsOf(other)]).toEqual([[["plan.bin", data]], []]);
    const sha256 = createHash("sha256").update(data).digest("hex");
    expect(ann?.kind === "item" && ann.item.fields["attachments"]).toBe(
      `plan.bin (application/octet-stream, 9000 bytes, sha256 ${sha256})`,
    );
  });

  it("distinguishes appointments without an id that differ only in time", async () => {
    const bytes = buildStore(UNICODE, (store) => {
      const calendar = store.addFolder("Calendar");
      const start = store.named({ set: PROPERTY_SET.appointment, name: 0x820d });
      for (const day of [1, 2, 2]) {
        const lunch = [
          text(PID.messageClass, "IPM.Appointment"),
          text(PID.subject, "Lunch"),
          time(start, Date.UTC(2024, 0, day)),
        ];
        store.addMessage(calendar, { properties: lunch });
      }
    });
    const { items } = await read(bytes);
    const uids = items.map((item) => (item.kind === "appointment" ? item.entry.uid : ""));
    expect([new Set(uids).size, uids[1] === uids[2]]).toEqual([2, true]);
  });

  it("returns flags and categories", async () => {
    const item = await only((store) => ({
      properties: [
        ...sampleMail(1).properties.filter(({ id }) => id !== PID.messageFlags),
        integer(PID.messageFlags, 1 | 8),
        integer(PID.lastVerbExecuted, 102),
        integer(PID.flagStatus, 2),
        texts(store.named({ set: PROPERTY_SET.publicStrings, name: "Keywords" }), ["Blue category", "Züge"]),
      ],
    }));
    expect(mail(item).flags).toEqual(["seen", "replied", "flagged", "draft", "label:Blue category", "label:Züge"]);
  });

  it("renders attached messages as message/rfc822, the same bytes each time", async () => {
    const data = patternBytes(5000, 3);
    const inner: WrittenMessage = {
      properties: [
        ...mailProperties({
          subject: "Über\r\nuns",
          body: "inner ünïcode",
          sentAt: Date.UTC(2020, 1, 3),
          from: "x@example.org",
        }),
        text(PID.internetMessageId, "<in@x>"),
      ],
      recipients: [{ type: 1, name: 'Ann "A" Ä', email: "ann@example.org" }],
      attachments: [
        {
          properties: [
            text(PID.attachLongFilename, "tab ü.bin"),
            text(PID.attachContentId, "c1"),
            integer(PID.attachFlags, 4),
          ],
          data,
        },
      ],
    };
    const item = mail(
      await only({
        ...sampleMail(1),
        attachments: [
          {
            properties: [],
            message: { ...inner, attachments: [...inner.attachments!, { properties: [], message: inner }] },
          },
        ],
      }),
    );
    const [part] = item.message.attachments;
    expect([part!.mediaType, part!.filename.endsWith(".eml")]).toEqual(["message/rfc822", true]);
    expect(Buffer.compare(part!.bytes(), part!.bytes())).toBe(0);
    const message = parseMessage(Buffer.from(part!.bytes()));
    expect(message.envelope).toMatchObject({
      subject: "Über uns",
      messageId: "in@x",
      sentAt: Date.UTC(2020, 1, 3),
      from: { name: "", email: "x@example.org" },
    });
    expect(message.envelope.to).toEqual([{ name: 'Ann "A" Ä', email: "ann@example.org" }]);
    expect(message.textBody?.trim()).toBe("inner ünïcode");
    const [file, nested] = message.attachments;
    expect([file!.filename, file!.contentId, Buffer.compare(file!.bytes(), data)]).toEqual(["tab ü.bin", "c1", 0]);
    const innermost = parseMessage(Buffer.from(nested!.bytes()));
    expect(Buffer.compare(innermost.attachments[0]!.bytes(), data)).toBe(0);
  });

  it("computes equal hashes in every layout, and another one if an attachment differs", async () => {
    const withData = (data: Buffer): WrittenMessage => ({
      ...sampleMail(5),
      attachments: [{ properties: [text(PID.attachLongFilename, "f")], data }],
    });
    const hashes: string[] = [];
    for (const layout of ["ansi", "unicode", "unicode-4k"] as const) {
      const { items } = await read(
        buildStore({ layout, encoding: "cyclic" }, (store) =>
          store.addMessage(store.addFolder("A"), withData(patternBytes(50_000, 1))),
        ),
      );
      hashes.push(mail(items[0]).sha256);
    }
    expect(new Set(hashes).size).toBe(1);
    expect(mail(await only(withData(patternBytes(50_000, 2)))).sha256).not.toBe(hashes[0]);
  });

  it("reads a series in its time zone, with an entry for each changed occurrence", async () => {
    const rule = {
      bias: -60,
      standard: { month: 10, day: 5, weekday: 0, hour: 3 },
      daylight: { month: 3, day: 5, weekday: 0, hour: 2 },
    };
    const lid = (store: StoreWriter, name: number, set: string = PROPERTY_SET.appointment): number =>
      store.named({ set, name });
    const uid = Buffer.from(
      `040000008200e00074c5b7101a82e008${"07e80105"}${"00".repeat(16)}10000000${"ab".repeat(16)}`,
      "hex",
    );
    const start = Date.UTC(2024, 2, 18, 8);
    const bytes = buildStore(UNICODE, (store) => {
      const blob = recurrenceBlob({
        frequency: "weekly",
        type: 1,
        period: 1,
        specific: [0x02],
        end: { count: 4 },
        start: Date.UTC(2024, 2, 18),
        startMinute: 540,
        endMinute: 600,
        deleted: [Date.UTC(2024, 2, 25)],
        exceptions: [
          {
            original: Date.UTC(2024, 3, 1, 9),
            start: Date.UTC(2024, 3, 2, 14),
            end: Date.UTC(2024, 3, 2, 15),
            subject: "Moved",
          },
        ],
      });
      store.addMessage(store.addFolder("Calendar"), {
        properties: [
          ...mailProperties({ subject: "Weekly", body: "agenda", sentAt: 0, from: "boss@example.org" }).filter(
            ({ id }) => id !== PID.messageClass,
          ),
          text(PID.messageClass, "IPM.Appointment"),
          time(lid(store, 0x820d), start),
          time(lid(store, 0x820e), start + 3_600_000),
          binary(lid(store, 0x8216), blob),
          binary(lid(store, 0x8233), timeZoneStruct(rule)),
          binary(lid(store, 0x8260), timeZoneDefinition("W. Europe Standard Time", [{ year: 1601, ...rule }])),
          text(lid(store, 0x8208), "Room 1"),
          integer(lid(store, 0x8205), 2),
          integer(lid(store, 0x8201), 3),
          binary(store.named({ set: PROPERTY_SET.meeting, name: 3 }), uid),
        ],
        recipients: [{ type: 1, name: "Ann", email: "ann@example.org" }],
        attachments: [
          {
            properties: [],
            message: {
              properties: [
                text(PID.messageClass, "IPM.OLE.CLASS.{00061055-0000-0000-C000-000000000046}"),
                text(PID.body, "other agenda"),
                time(lid(store, 0x8228), Date.UTC(2024, 3, 1, 7)),
              ],
              recipients: [{ type: 2, name: "Bo", email: "bo@example.org" }],
            },
          },
        ],
      });
    });
    const { items } = await read(bytes);
    const entries = items.map((item) => (item.kind === "appointment" ? item.entry : null));
    expect(items.map(({ location }) => location.replace(/^nid:[0-9a-f]+/, ""))).toEqual(["", "/occurrence:1"]);
    expect(entries[0]).toMatchObject({
      uid: uid.toString("hex").toUpperCase().replace("07E80105", "00000000"),
      subject: "Weekly",
      description: "agenda",
      location: "Room 1",
      start,
      sequence: 3,
      timezone: "Europe/Berlin",
      status: "confirmed",
      busyStatus: "busy",
      organizer: { email: "boss@example.org" },
      attendees: [{ name: "Ann", email: "ann@example.org", role: "req-participant", status: "needs-action" }],
      // Spans the last Sunday of March: 9 o'clock is 8 UTC before and 7 UTC after.
      recurrence: {
        rrule: "FREQ=WEEKLY;BYDAY=MO;COUNT=4;WKST=SU",
        exdates: [Date.UTC(2024, 2, 25, 8)],
        text: "every week on Monday, 4 times",
      },
    });
    expect(entries[1]).toMatchObject({
      subject: "Moved",
      recurrenceId: Date.UTC(2024, 3, 1, 7),
      start: Date.UTC(2024, 3, 2, 12),
      description: "other agenda",
      attendees: [{ name: "Bo", email: "bo@example.org", role: "opt-participant" }],
      recurrence: null,
    });
  });

  it("reads meeting mail as mail with its entry", async () => {
    const meeting =
      (messageClass: string) =>
      (store: StoreWriter): WrittenMessage => ({
        properties: [
          ...sampleMail(1).properties.filter(({ id }) => id !== PID.messageClass),
          text(PID.messageClass, messageClass),
          time(store.named({ set: PROPERTY_SET.appointment, name: 0x820d }), Date.UTC(2024, 0, 1)),
          boolean(store.named({ set: PROPERTY_SET.appointment, name: 0x8215 }), true),
        ],
        recipients: [{ type: 2, name: "", email: "opt@example.org" }],
      });
    const entryOf = async (messageClass: string) => mail(await only(meeting(messageClass))).calendar[0]!;
    const writer = { email: "writer1@example.org" };
    expect(await entryOf("IPM.Schedule.Meeting.Request")).toMatchObject({
      method: "REQUEST",
      allDay: true,
      organizer: writer,
      attendees: [{ role: "opt-participant" }],
    });
    expect(await entryOf("IPM.Schedule.Meeting.Canceled")).toMatchObject({ method: "CANCEL", status: "cancelled" });
    expect(await entryOf("IPM.Schedule.Meeting.Resp.Neg")).toMatchObject({
      method: "REPLY",
      attendees: [{ ...writer, status: "declined" }],
    });
  });

  it.each([
    ["IPM.Contact", "contact"],
    ["IPM.DistList", "distribution_list"],
    ["IPM.Task", "task"],
    ["IPM.StickyNote", "note"],
    ["IPM.Activity", "journal"],
    ["IPM.Microsoft.ScheduleData.FreeBusy", "other"],
  ])("keeps an %s as an item", async (messageClass, kind) => {
    const item = await only((store) => ({
      properties: [
        text(PID.messageClass, messageClass),
        text(PID.subject, "Thing"),
        text(PID.body, "note text"),
        text(store.named({ set: PROPERTY_SET.address, name: 0x8083 }), "c@example.org"),
        integer(store.named({ set: PROPERTY_SET.task, name: 0x8101 }), 1),
        {
          id: store.named({ set: PROPERTY_SET.task, name: 0x8102 }),
          type: TYPE.floating64,
          bytes: Buffer.from("000000000000e03f", "hex"),
        },
      ],
    }));
    if (item.kind !== "item") throw new Error(item.kind);
    expect([item.item.kind, item.item.subject, item.item.fields["body"]]).toEqual([kind, "Thing", "note text"]);
    if (kind === "contact") expect(item.item.fields["email_1"]).toBe("c@example.org");
    if (kind === "task") expect(item.item.fields).toMatchObject({ status: "in progress", percent_complete: "50%" });
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { keptItemsOf } from "../../../test/kept-items.ts";
import {
  ATTACHMENT_PATH,
  categories,
  elements,
  listed,
  mailboxes,
  olmFile,
  olmMail,
  sampleOlm,
  sampleParts,
} from "../../../test/olm-writer.ts";
import { buildZip, type ZipPart } from "../../../test/zip-file.ts";
import { parseMessage } from "../../mime/parse-message.ts";
import { inspectInput } from "../finding/resolve-input.ts";
import { openSource } from "../formats/detect-format.ts";
import { OriginalReader } from "../read-original.ts";
import type { OpenedSource, SourceItem } from "../reading/source.ts";
import { halveUnit, lostItems, unitBytes } from "../work-units.ts";

const directory = mkdtempSync(join(tmpdir(), "olm-test-"));
const LIMITS = { password: null, skipProtected: false } as const;
const INBOX = "Local/com.microsoft.__Messages/Inbox";

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function put(bytes: Buffer, name = "mail.olm"): string {
  const path = join(directory, name);
  writeFileSync(path, bytes);
  return path;
}

const open = (bytes: Buffer): Promise<OpenedSource> => openSource(put(bytes), LIMITS);
const read = async (bytes: Buffer): Promise<readonly SourceItem[]> => keptItemsOf((await open(bytes)).units());

type Mail = Extract<SourceItem, { kind: "object" }>;

/** Result of reading one message. */
async function readMail(fields: Parameters<typeof olmMail>[0], ...beside: readonly ZipPart[]): Promise<Mail> {
  const content = olmFile("emails", [["email", olmMail(fields)]]);
  const [item] = await read(buildZip([{ name: `${INBOX}/message_00001.xml`, content }, ...beside]));
  if (item?.kind !== "object") throw new TypeError("no message was read");
  return item;
}

/** Result of reading one item of a list. */
async function readItem(name: string, fields: Parameters<typeof olmMail>[0]): Promise<SourceItem> {
  const [item] = await read(
    buildZip([{ name: `Local/List/List.xml`, content: olmFile(`${name}s`, [[name, fields]]) }]),
  );
  return item!;
}

describe("an archive", () => {
  it("is detected by its extension, and is not a packed file", async () => {
    const path = put(sampleOlm());
    expect(inspectInput(path)).toMatchObject({ paths: [path], packed: [] });
    expect((await openSource(path, LIMITS)).format).toBe("olm");
    expect(inspectInput(put(sampleOlm(), "mail.zip")).packed).toHaveLength(1);
  });

  it("returns its items in the mailboxes of Outlook", async () => {
    const items = await read(sampleOlm());
    expect(items.map(({ kind, mailbox }) => [kind, mailbox])).toEqual([
      ["object", "Inbox"],
      ["object", "Inbox/Buoys"],
      ["item", "Address Book"],
      ["appointment", "Calendar"],
      ["item", "Tasks"],
      ["item", "Notes"],
    ]);
    expect(items[0]!.location).toBe("Accounts/ann@site.example/com.microsoft.__Messages/Inbox/message_00001.xml");
  });

  it("includes the account if there are several", async () => {
    const content = olmFile("emails", [["email", olmMail({})]]);
    const items = await read(
      buildZip([
        { name: `${INBOX}/message_00001.xml`, content },
        { name: "Accounts/ann@site.example/com.microsoft.__Messages/Sent/message_00001.xml", content },
      ]),
    );
    expect(items.map(({ mailbox }) => mailbox)).toEqual(["Local/Inbox", "ann@site.example/Sent"]);
  });

  it("returns the same items for any division of units", async () => {
    const content = (number: number): string =>
      olmFile("emails", [["email", olmMail({ OPFMessageCopyMessageID: `${number}@site.example` })]]);
    const parts = Array.from({ length: 502 }, (_, number) => ({
      name: `${INBOX}/m${number}.xml`,
      content: content(number),
    }));
    const units = [...(await open(buildZip(parts))).units()];
    expect(units).toHaveLength(2);
    expect(unitBytes(units[1]!)).toBe(content(500).length + content(501).length);
    const halves = units.flatMap((unit) => halveUnit(unit) ?? [unit]);
    const places = (items: readonly SourceItem[]): readonly string[] => items.map(({ location }) => location);
    expect(places(await keptItemsOf(halves))).toEqual(places(await keptItemsOf(units)));
    const lost = await lostItems(units[1]!, { code: "reader-stopped", message: "stopped" });
    expect([...lost].map(({ kind, location }) => [kind, location])).toEqual([
      ["damaged", `${INBOX}/m500.xml`],
      ["damaged", `${INBOX}/m501.xml`],
    ]);
  });

  it("gives several items of a file separate locations", async () => {
    const items = await read(
      buildZip([
        {
          name: "Local/Notes/Notes.xml",
          content: olmFile("notes", [
            ["note", {}],
            ["note", {}],
          ]),
        },
      ]),
    );
    expect(items.map(({ location }) => location)).toEqual(["Local/Notes/Notes.xml", "Local/Notes/Notes.xml/note:1"]);
  });
});

describe("a mail", () => {
  it("contains the values of its fields", async () => {
    const { message, flags } = await readMail({
      OPFMessageCopySubject: 'Buoys & "beacons" <4>',
      OPFMessageCopySenderAddress: mailboxes(["Cleo Marsh", "cleo@site.example"]),
      OPFMessageCopyToAddresses: mailboxes(["Bob Hale", "bob@site.example"], ["bob@x.example", "bob@x.example"]),
      OPFMessageCopyCCAddresses: mailboxes(["Dan", "/o=Site/cn=dan"]),
      OPFMessageCopyBCCAddresses: mailboxes(["", "eve@site.example"]),
      OPFMessageCopyReplyToAddresses: mailboxes(["Desk", "desk@site.example"]),
      OPFMessageCopyInReplyTo: "<0@site.example>",
      OPFMessageCopyReferences: "<a@site.example> <0@site.example>",
      OPFMessageCopyThreadIndex: Buffer.alloc(27, 7).toString("base64"),
      OPFMessageCopyGetFlagStatus: "1",
      OPFMessageCopyDueDateTime: "2016-05-20T00:00:00",
      OPFMessageGetPriority: "1",
      OPFMessageCopyCategoryList: categories("Sea", "Work & home"),
    });
    expect(message.envelope).toMatchObject({
      messageId: "1.report@site.example",
      subject: 'Buoys & "beacons" <4>',
      from: { name: "Ann Reed", email: "ann@site.example" },
      sender: { name: "Cleo Marsh", email: "cleo@site.example" },
      to: [
        { name: "Bob Hale", email: "bob@site.example" },
        { name: "", email: "bob@x.example" },
      ],
      cc: [{ name: "Dan", email: "/o=Site/cn=dan" }],
      bcc: [{ name: "", email: "eve@site.example" }],
      replyTo: [{ name: "Desk", email: "desk@site.example" }],
      inReplyTo: ["0@site.example"],
      references: ["a@site.example", "0@site.example"],
      conversationIndexRoot: "07".repeat(22),
      sentAt: Date.UTC(2016, 4, 9, 8, 30, 0),
      receivedAt: Date.UTC(2016, 4, 9, 8, 30, 7),
      messageKind: "mail",
    });
    expect(message.textBody).toBe("The mooring holds.\n");
    expect(flags).toEqual(["seen", "flagged", "importance:high", "due:2016-05-20", "label:Sea", "label:Work & home"]);
  });

  it.each([
    ["5", ["seen", "importance:low"]],
    ["3", ["seen"]],
    ["0", ["seen"]],
  ])("has the importance of priority %s", async (priority, flags) => {
    expect((await readMail({ OPFMessageGetPriority: priority })).flags).toEqual(flags);
  });

  it("has its HTML and its files", async () => {
    const [mail] = await read(sampleOlm());
    if (mail?.kind !== "object") throw new TypeError("no message was read");
    expect(mail.message.htmlBody).toContain("<b>mooring</b> holds &amp; turns");
    expect(mail.message.attachments).toMatchObject([
      { filename: "chart.png", mediaType: "image/png", disposition: "inline", contentId: "chart@site.example" },
    ]);
    expect(mail.message.attachments[0]!.bytes().toString()).toBe("chart bytes");
    const again = parseMessage(mail.rendered());
    expect(again.envelope.subject).toBe("Report on buoy 4");
    expect(Buffer.from(again.attachments[0]!.bytes()).toString()).toBe("chart bytes");
  });

  it("completes the fields from the original mail", async () => {
    const source =
      "From: Fay <fay@site.example>\nTo: gil@site.example\nMessage-ID: <9@site.example>\nList-Id: <crew.site.example>\nSubject: Tides\nDate: Tue, 10 May 2016 10:00:00 +0200\n\nHigh at noon.\n";
    const xml = olmFile("emails", [["email", { OPFMessageCopySource: source }]]);
    const [item] = await read(buildZip([{ name: `${INBOX}/m.xml`, content: xml }]));
    expect(item).toMatchObject({
      message: {
        envelope: {
          messageId: "9@site.example",
          subject: "Tides",
          sentAt: Date.UTC(2016, 4, 10, 8),
          isAutomatic: true,
        },
        textBody: "High at noon.\n",
      },
    });
    const both = await readMail({ OPFMessageCopySource: source });
    expect(both.message.envelope.subject).toBe("Tides");
    expect(both.message.textBody).toBe("The mooring holds.\n");
    expect(both.rendered().toString()).toContain("List-Id: <crew.site.example>");
  });

  it("reads the variants of other versions", async () => {
    const { message, flags } = await readMail({
      OPFMessageCopyFromAddresses: elements({
        emailAddress: elements({
          OPFContactEmailAddressAddress: "hal@site.example",
          OPFContactEmailAddressName: "Hal",
        }),
      }),
      OPFMessageCopySenderAddress: "",
      OPFMessageCopyToAddresses: "",
      OPFMessageCopyDisplayTo: "Ivy; Jo Lund",
      OPFMessageCopySentTime: "2016-05-09T10:30:00+02:00",
      OPFMessageCopyHTMLBody: { elements: "<p>Not <i>escaped</i><br>at all</p>" },
      OPFMessageGetIsRead: "false",
    });
    expect(message.envelope).toMatchObject({
      from: { name: "Hal", email: "hal@site.example" },
      to: [
        { name: "Ivy", email: "" },
        { name: "Jo Lund", email: "" },
      ],
      sentAt: Date.UTC(2016, 4, 9, 8, 30),
    });
    expect(message.htmlBody).toBe("<p>Not <i>escaped</i><br>at all</p>");
    expect(flags).toEqual([]);
  });

  it.each([
    ["in a file", "Local/com.microsoft.__Attachments/meeting.ics"],
    ["beside it", "meeting.ics"],
  ])("is an invitation stored %s", async (_, url) => {
    const ics = "BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VEVENT\nUID:1\nEND:VEVENT\nEND:VCALENDAR\n";
    const name = url.includes("/") ? url : `${INBOX}/${url}`;
    const { message } = await readMail(
      { OPFMessageCopyMeetingData: url, OPFMessageIsMeeting: "1" },
      { name, content: ics },
    );
    expect(message.calendarParts).toEqual([{ text: ics, method: "REQUEST" }]);
    expect(message.envelope.messageKind).toBe("meeting_request");
  });
});

describe("items that are not mail", () => {
  it("is an appointment with its rule", async () => {
    const item = await readItem("appointment", {
      OPFCalendarEventCopyUUID: "event-1",
      OPFCalendarEventCopySummary: "Survey",
      OPFCalendarEventCopyDescriptionPlain: "Bring charts",
      OPFCalendarEventCopyLocation: "Pier 2",
      OPFCalendarEventCopyStartTime: "2016-05-09T02:00:00",
      OPFCalendarEventCopyEndTime: "2016-05-09T03:00:00",
      OPFCalendarEventCopyStartTimeZone: "(UTC+07:00) Bangkok, Hanoi, Jakarta",
      OPFCalendarEventCopyOrganizer: "ann@site.example",
      OPFCalendarEventCopyFreeBusyStatus: "2",
      OPFCalendarEventGetHasReminder: "1",
      OPFCalendarEventCopyReminderDelta: "1800",
      OPFCalendarEventGetIsPrivate: "1E0",
      OPFCalendarEventCopyCategoryList: categories("Sea"),
      OPFCalendarEventCopyModDate: "2016-05-01T00:00:00",
      OPFCalendarEventCopyAttendeeList: listed(
        "appointmentAttendee",
        {
          OPFCalendarAttendeeAddress: "bob@site.example",
          OPFCalendarAttendeeName: "Bob",
          OPFCalendarAttendeeType: "1",
        },
        {
          OPFCalendarAttendeeAddress: "cleo@site.example",
          OPFCalendarAttendeeName: "Cleo",
          OPFCalendarAttendeeType: "2",
        },
      ),
      OPFCalendarEventCopyRecurrence: elements({
        OPFRecurrenceIsNumbered: "1",
        OPFRecurrenceGetOccurenceCount: "5",
        OPFRecurrencePattern: elements({
          OPFRecurrencePatternType: "OPFRecurrencePatternWeekly",
          OPFRecurrencePatternInterval: "2",
          OPFRecurrencePatternDaysOfWeek: elements({ monday: "1", friday: "1E0", sunday: "0" }),
        }),
      }),
    });
    expect(item).toMatchObject({
      kind: "appointment",
      entry: {
        uid: "event-1",
        subject: "Survey",
        description: "Bring charts",
        location: "Pier 2",
        start: Date.UTC(2016, 4, 9, 2),
        end: Date.UTC(2016, 4, 9, 3),
        allDay: false,
        timezone: "Asia/Bangkok",
        organizer: { email: "ann@site.example" },
        attendees: [
          { name: "Bob", email: "bob@site.example", role: "req-participant", status: "needs-action" },
          { name: "Cleo", email: "cleo@site.example", role: "opt-participant", status: "needs-action" },
        ],
        recurrence: { rrule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;COUNT=5" },
        busyStatus: "busy",
        sensitivity: "private",
        categories: ["Sea"],
        reminderMinutes: 30,
        updatedAt: Date.UTC(2016, 4, 1),
      },
    });
  });

  it("is all-day in its own zone", async () => {
    const item = await readItem("appointment", {
      OPFCalendarEventGetIsAllDayEvent: "1",
      OPFCalendarEventCopyStartTime: "2016-05-08T17:00:00",
      OPFCalendarEventCopyEndTime: "2016-05-09T17:00:00",
      OPFCalendarEventCopyStartTimeZone: "(UTC+07:00) Bangkok, Hanoi, Jakarta",
    });
    expect(item).toMatchObject({
      entry: { allDay: true, start: Date.UTC(2016, 4, 9), end: Date.UTC(2016, 4, 10), timezone: null },
    });
  });

  it.each([
    [{ OPFRecurrencePatternType: "OPFRecurrencePatternDaily" }, "FREQ=DAILY"],
    [
      { OPFRecurrencePatternType: "OPFRecurrencePatternAbsoluteMonthly", OPFRecurrencePatternDayOfMonth: "9" },
      "FREQ=MONTHLY;BYMONTHDAY=9",
    ],
    [
      {
        OPFRecurrencePatternType: "OPFRecurrencePatternRelativeMonthly",
        OPFRecurrencePatternWeek: "5",
        OPFRecurrencePatternDaysOfWeek: elements({ weekdays: "1" }),
      },
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
    ],
    [
      {
        OPFRecurrencePatternType: "OPFRecurrencePatternAbsoluteYearly",
        OPFRecurrencePatternMonth: "5",
        OPFRecurrencePatternDayOfMonth: "9",
      },
      "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=9",
    ],
    [{ OPFRecurrencePatternType: "OPFRecurrencePatternHourly" }, null],
  ])("recurs by the rule of %j", async (pattern, rrule) => {
    const item = await readItem("appointment", {
      OPFCalendarEventCopyRecurrence: elements({ OPFRecurrencePattern: elements(pattern) }),
    });
    expect(item.kind === "appointment" ? (item.entry.recurrence?.rrule ?? null) : "").toBe(rrule);
  });

  it("is a contact with all of its fields", async () => {
    const item = await readItem("contact", {
      OPFContactCopyFirstName: "Bob",
      OPFContactCopyLastName: "Hale",
      OPFContactCopyDisplayName: "Bob Hale",
      OPFContactCopyBusinessCompany: "Harbour Works",
      OPFContactCopyBusinessTitle: "Diver",
      OPFContactCopyCellPhone: "+1 202-555-0142",
      OPFContactCopyBusinessStreetAddress: "2 Pier Road",
      OPFContactCopyBusinessCity: "Millhaven",
      OPFContactCopyBirthday: "1970-02-03T00:00:00",
      OPFContactCopyNotesPlain: "Knows the wreck.",
      OPFContactCopyAstrologySign: "Pisces",
      OPFContactGetFlagStatus: "1",
      OPFContactCopyDefaultEmailAddress: listed("contactEmailAddress", {
        OPFContactEmailAddressAddress: "bob@site.example",
      }),
      OPFContactCopyEmailAddressList: listed(
        "contactEmailAddress",
        { OPFContactEmailAddressAddress: "bob@site.example" },
        { OPFContactEmailAddressAddress: "hale@x.example" },
      ),
      OPFContactCopyCategoryList: categories("Crew"),
    });
    expect(item).toMatchObject({
      kind: "item",
      item: {
        kind: "contact",
        subject: "Bob Hale",
        fields: {
          given_name: "Bob",
          surname: "Hale",
          company: "Harbour Works",
          job_title: "Diver",
          mobile_phone: "+1 202-555-0142",
          email_1: "bob@site.example",
          email_2: "hale@x.example",
          business_address: "2 Pier Road, Millhaven",
          birthday: "1970-02-03",
          astrology_sign: "Pisces",
          categories: "Crew",
          body: "Knows the wreck.",
        },
      },
    });
    expect(item.kind === "item" && Object.keys(item.item.fields)).not.toContain("get_flag_status");
  });

  it.each([
    [
      "group",
      { OPFGroupCopyDisplayName: "Crew", OPFGroupCopyMemberList: mailboxes(["Bob", "bob@site.example"]) },
      { kind: "distribution_list", subject: "Crew", fields: { name: "Crew", members: "Bob <bob@site.example>" } },
    ],
    [
      "task",
      {
        OPFTaskCopyName: "Paint the buoy",
        OPFTaskCopyNotePlain: "Red",
        OPFTaskCopyStartDateTime: "2016-05-09T00:00:00",
        OPFTaskCopyDueDateTime: "2016-05-12T00:00:00",
        OPFTaskCopyCompletedDateTime: "2016-05-11T00:00:00",
      },
      {
        kind: "task",
        subject: "Paint the buoy",
        fields: {
          status: "completed",
          start_date: "2016-05-09",
          due_date: "2016-05-12",
          completed_date: "2016-05-11",
          is_complete: "yes",
          body: "Red",
        },
      },
    ],
    [
      "note",
      { OPFNoteCopyText: "Depths\n12 m at low tide", OPFNoteCopyCreationDate: "2016-05-09T08:00:00" },
      {
        kind: "note",
        subject: "Depths",
        fields: { body: "Depths\n12 m at low tide", created: "2016-05-09T08:00:00Z" },
      },
    ],
  ])("is a %s", async (name, fields, wanted) => {
    expect(await readItem(name, fields)).toMatchObject({ item: wanted });
  });
});

describe("a damaged archive", () => {
  it("is read without its directory", async () => {
    const whole = sampleOlm();
    const cut = whole.subarray(0, whole.length - 200);
    const opened = await open(cut);
    expect(opened.notes).toMatchObject([{ kind: "note", code: "file-truncated" }]);
    expect((await keptItemsOf(opened.units())).map(({ location }) => location)).toEqual(
      (await read(whole)).map(({ location }) => location),
    );
  });

  it("reports unreadable files", async () => {
    const [first, ...others] = sampleParts().filter(({ name }) => String(name).includes("message_"));
    const [damaged, whole] = await read(buildZip([{ ...first!, crc: 7 }, ...others]));
    expect(damaged).toMatchObject({
      kind: "damaged",
      code: "olm-damaged",
      message: expect.stringContaining("checksum"),
    });
    expect(whole?.kind).toBe("object");
  });

  it("finds an attachment without a path by its name, if only one file has it", async () => {
    const list = listed("messageAttachment", { OPFAttachmentName: "plan.pdf" });
    const file = (folder: string): ZipPart => ({
      name: `${folder}/com.microsoft.__Attachments/plan.pdf`,
      content: "x",
    });
    const sizes = async (...files: readonly ZipPart[]) =>
      (await readMail({ OPFMessageCopyAttachmentList: list }, ...files)).message.attachments.map(
        (part) => part.bytes().length,
      );
    expect(await sizes(file(INBOX))).toEqual([1]);
    expect(await sizes(file(INBOX), file("Local/com.microsoft.__Messages/Sent"))).toEqual([0]);
    expect(await sizes({ name: `${INBOX}/plan.pdf/other`, content: "x" })).toEqual([0]);
  });

  it.each([
    ["in the archive", "my%20plan%2Bb.pdf", "my plan+b.pdf"],
    ["in the message", "my plan+b.pdf", "my%20plan%2Bb.pdf"],
    ["in both", "my%20plan.pdf", "my%20plan.pdf"],
    ["nowhere", "100% of it.pdf", "100% of it.pdf"],
  ])("finds an attachment whose name is escaped %s", async (_, stored, url) => {
    const list = listed("messageAttachment", { OPFAttachmentName: "plan.pdf", OPFAttachmentURL: url });
    const attached = { name: `${INBOX}/com.microsoft.__Attachments/${stored}`, content: "x" };
    const { message } = await readMail({ OPFMessageCopyAttachmentList: list }, attached);
    expect(message.attachments.map((part) => part.bytes().length)).toEqual([1]);
  });

  it.each(["utf-16le", "utf-16be"])("reads XML in %s", async (encoding) => {
    const written = olmFile("emails", [["email", olmMail({ OPFMessageCopySubject: "Größe €" })]]);
    const little = Buffer.from(`\ufeff${written.replace("UTF-8", "UTF-16")}`, "utf16le");
    const content = encoding === "utf-16le" ? little : little.swap16();
    const [item] = await read(buildZip([{ name: `${INBOX}/message_00001.xml`, content }]));
    expect(item).toMatchObject({ kind: "object", message: { envelope: { subject: "Größe €" } } });
  });

  it("reports missing or damaged attachments", async () => {
    const parts = sampleParts();
    const gone = await read(buildZip(parts.filter(({ name }) => name !== ATTACHMENT_PATH)));
    expect(gone[0]).toMatchObject({ message: { findings: [{ code: "attachment-missing" }] } });
    const broken = await read(
      buildZip(parts.map((part) => (part.name === ATTACHMENT_PATH ? { ...part, crc: 7 } : part))),
    );
    expect(broken[1]).toMatchObject({ kind: "note", code: "attachment-damaged" });
  });

  it("is rejected if it would unpack to more than the limit", async () => {
    const content = olmFile("emails", [["email", olmMail({})]]);
    const shared = [
      { name: `${INBOX}/1.xml`, content },
      { name: `${INBOX}/2.xml`, content, sharesHeaderOf: 0 },
    ];
    await expect(open(buildZip(shared))).rejects.toMatchObject({ code: "UNSAFE_ARCHIVE" });
    const bomb = [{ name: `${INBOX}/1.xml`, content, declaredBytes: 4_000_000_000 }];
    await expect(open(buildZip(bomb))).rejects.toMatchObject({ code: "UNSAFE_ARCHIVE" });
  });

  it.each([
    ["holds nothing of Outlook", buildZip([{ name: "a.txt", content: "a" }]), "SOURCE_EMPTY"],
    ["is no zip file", Buffer.from("no zip file"), "UNSUPPORTED_FORMAT"],
    ["has lost all its files", Buffer.from("PK\x03\x04 and no more"), "DAMAGED_SOURCE"],
  ])("is an error if it %s", async (_, bytes, code) => {
    await expect(open(bytes)).rejects.toMatchObject({ code });
  });

  it("limits how often one attachment is used in a unit", async () => {
    const content = olmFile(
      "emails",
      Array.from({ length: 20 }, () => [
        "email",
        olmMail({
          OPFMessageCopyAttachmentList: listed("messageAttachment", { OPFAttachmentName: "a", OPFAttachmentURL: "a" }),
        }),
      ]),
    );
    const items = await read(
      buildZip([
        { name: `${INBOX}/m.xml`, content },
        { name: "a", content: "bytes" },
      ]),
    );
    const given = items.flatMap((item) =>
      item.kind === "object" ? item.message.attachments.map((part) => part.bytes().length) : [],
    );
    expect(given).toEqual([...Array(16).fill(5), 0, 0, 0, 0]);
  });

  it("never throws on changed bytes", async () => {
    const whole = sampleOlm();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 40 }),
        fc.nat(whole.length),
        async (changes, end) => {
          const bytes = Buffer.from(whole.subarray(0, end < 40 ? whole.length : end));
          for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
          await read(bytes).catch((error: unknown) => expect(error).toHaveProperty("code"));
        },
      ),
      { numRuns: 150 },
    );
  });
});

it("is read by its location, and a change is reported", async () => {
  const path = put(sampleOlm(), "again.olm");
  const opened = await openSource(path, LIMITS);
  const [item] = await keptItemsOf(opened.units());
  if (item?.kind !== "object") throw new TypeError("no message was read");
  const reader = new OriginalReader({
    directories: [],
    password: null,
    unpackedDirectory: join(directory, "unpacked"),
  });
  const place = {
    format: "olm",
    charset: null,
    sourcePath: path,
    mailbox: item.mailbox,
    location: item.location,
    sha256: item.sha256,
  } as const;
  expect(await reader.read(place)).toEqual({ state: "available", bytes: item.rendered(), isExact: false });
  expect(await reader.read({ ...place, sha256: "0".repeat(64) })).toMatchObject({ state: "changed" });
});

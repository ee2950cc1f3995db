import { describe, expect, it } from "vitest";
import { categories, elements, listed, mailboxes, olmFile, olmMail } from "../../test/olm-writer.ts";
import { itemPieces, kindOfFile } from "./item-pieces.ts";
import { readOlmAppointment } from "./olm-appointment.ts";
import { OLM_ITEM_READERS } from "./olm-items.ts";
import { readOlmMessage } from "./olm-message.ts";
import { recurrenceOf } from "./olm-recurrence.ts";
import { addressesOf, categoriesOf, instantOf, isSet, numberOf } from "./olm-values.ts";
import { readXml, type XmlElement } from "./xml-element.ts";

type Fields = Parameters<typeof olmMail>[0];

/** Bytes of the only item of a file. */
function itemOf(root: string, name: string, fields: Fields): XmlElement {
  const xml = Buffer.from(olmFile(root, [[name, fields]]));
  const [piece] = itemPieces(xml, kindOfFile(xml)!);
  return readXml(piece!.toString())!;
}

describe("a file", () => {
  it.each([
    ["emails", "email"],
    ["contacts", "contact"],
    ["groups", "group"],
    ["appointments", "appointment"],
    ["tasks", "task"],
    ["notes", "note"],
    ["categories", "other"],
  ])("of %s contains items of kind %s", (root, kind) => {
    expect(kindOfFile(Buffer.from(olmFile(root, [])))).toEqual({ kind, prefix: "" });
  });

  it("without XML contains none, and namespace prefixes are ignored", () => {
    expect(kindOfFile(Buffer.from("PK\x03\x04"))).toBeNull();
    expect(kindOfFile(Buffer.from("<?xml version='1.0'?><o:emails>"))).toEqual({ kind: "email", prefix: "o:" });
  });

  it("is divided into its items, also if the last has no end", () => {
    const cut = (xml: string): readonly string[] =>
      Array.from(itemPieces(Buffer.from(xml), { kind: "email", prefix: "" }), String);
    expect(cut("<emails><email>a</email>\n<email b='1'>b</email></emails>")).toEqual([
      "<email>a</email>",
      "<email b='1'>b</email>",
    ]);
    expect(cut("<emails><email>a<email>b</email>")).toEqual(["<email>a", "<email>b</email>"]);
    expect(cut("<emails><emailAddress/></emails>")).toEqual([]);
  });
});

it("reads numbers, flags, times, categories and addresses of elements", () => {
  const item = itemOf("emails", "email", {
    number: "4",
    flag: "1E0",
    none: "0E0",
    when: "2016-05-09T08:30:00",
    never: "soon",
    categories: categories("Red", ""),
    people: mailboxes(["Ann Reed", "ann@site.example"], ["bob@site.example", "bob@site.example"], ["Carl", ""]),
    written: "Ann <ann@site.example>",
  });
  expect([numberOf(item, "number"), numberOf(item, "missing")]).toEqual([4, null]);
  expect([isSet(item, "flag"), isSet(item, "none"), isSet(item, "missing")]).toEqual([true, false, false]);
  expect([instantOf(item, "when"), instantOf(item, "never")]).toEqual([Date.UTC(2016, 4, 9, 8, 30), null]);
  expect([categoriesOf(item, "categories"), categoriesOf(item, "missing")]).toEqual([["Red"], []]);
  expect(addressesOf(item, "people")).toEqual([
    { name: "Ann Reed", email: "ann@site.example" },
    { name: "", email: "bob@site.example" },
    { name: "Carl", email: "" },
  ]);
  expect(addressesOf(item, "written")).toEqual([{ name: "Ann", email: "ann@site.example" }]);
});

describe("a mail", () => {
  it("is read with sender, date, text and attachments", () => {
    const email = itemOf(
      "emails",
      "email",
      olmMail({
        OPFMessageCopyAttachmentList: listed("messageAttachment", {
          OPFAttachmentName: "chart.png",
          OPFAttachmentContentType: "image/png",
          OPFAttachmentURL: "chart_0001",
        }),
      }),
    );
    const { message, flags } = readOlmMessage(email, (url) => ({ bytes: () => Buffer.from(url) }));
    expect(message.envelope).toMatchObject({
      messageId: "1.report@site.example",
      subject: "Report on buoy 4",
      from: { name: "Ann Reed", email: "ann@site.example" },
      to: [{ name: "Bob Hale", email: "bob@site.example" }],
      sentAt: Date.UTC(2016, 4, 9, 8, 30),
    });
    expect([message.textBody, flags]).toEqual(["The mooring holds.\n", expect.arrayContaining(["seen"])]);
    expect(message.attachments.map(({ filename, mediaType, bytes }) => [filename, mediaType, String(bytes())])).toEqual(
      [["chart.png", "image/png", "chart_0001"]],
    );
  });

  it("reports missing attachments", () => {
    const list = listed("messageAttachment", { OPFAttachmentName: "gone.doc", OPFAttachmentURL: "gone_0001" });
    const email = itemOf("emails", "email", olmMail({ OPFMessageCopyAttachmentList: list }));
    expect(readOlmMessage(email, () => null).message.findings.length).toBeGreaterThan(0);
  });
});

describe("an appointment", () => {
  it("has its times and busy status", () => {
    const entry = readOlmAppointment(
      itemOf("appointments", "appointment", {
        OPFCalendarEventCopySummary: "Survey",
        OPFCalendarEventCopyStartTime: "2016-05-09T08:30:00",
        OPFCalendarEventCopyEndTime: "2016-05-09T09:30:00",
        OPFCalendarEventCopyFreeBusyStatus: "3",
        OPFCalendarEventCopyUUID: "uid-1",
      }),
      "fallback",
    );
    expect(entry).toMatchObject({
      uid: "uid-1",
      subject: "Survey",
      start: Date.UTC(2016, 4, 9, 8, 30),
      end: Date.UTC(2016, 4, 9, 9, 30),
      busyStatus: "out_of_office",
      allDay: false,
    });
  });

  it("gets a UID if it has none", () => {
    expect(readOlmAppointment(itemOf("appointments", "appointment", {}), "fallback").uid).toBe("fallback");
  });
});

describe("a rule", () => {
  const ruleOf = (type: string, pattern: Fields, end: Fields = {}): string | undefined =>
    recurrenceOf(
      itemOf("tasks", "task", {
        OPFRecurrencePattern: elements({ OPFRecurrencePatternType: `OPFRecurrencePattern${type}`, ...pattern }),
        ...end,
      }),
      true,
    )?.rrule;
  const onMondays = { OPFRecurrencePatternDaysOfWeek: elements({ monday: "1E0", friday: "1E0" }) };

  it.each([
    ["FREQ=DAILY", "Daily", { OPFRecurrencePatternInterval: "1" }],
    ["FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", "Weekly", { OPFRecurrencePatternInterval: "2", ...onMondays }],
    [
      "FREQ=MONTHLY;BYMONTHDAY=28,29;BYSETPOS=-1",
      "AbsoluteMonthly",
      { OPFRecurrencePatternDayOfMonth: "29", OPFRecurrencePatternMonth: "3" },
    ],
    [
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1",
      "AbsoluteYearly",
      { OPFRecurrencePatternDayOfMonth: "29", OPFRecurrencePatternMonth: "2" },
    ],
    ["FREQ=MONTHLY;BYMONTHDAY=14", "AbsoluteMonthly", { OPFRecurrencePatternDayOfMonth: "14" }],
    ["FREQ=MONTHLY;BYDAY=MO,FR;BYSETPOS=-1", "RelativeMonthly", { ...onMondays, OPFRecurrencePatternWeek: "5" }],
    [
      "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=14",
      "AbsoluteYearly",
      { OPFRecurrencePatternMonth: "5", OPFRecurrencePatternDayOfMonth: "14" },
    ],
    ["FREQ=MONTHLY", "AbsoluteMonthly", { OPFRecurrencePatternDayOfMonth: "32" }],
    [undefined, "Lunar", {}],
  ])("is written as %s", (rrule, type, pattern) => {
    expect(ruleOf(type, pattern)).toBe(rrule);
  });

  it("ends after a count, or on a day", () => {
    const counted = { OPFRecurrenceIsNumbered: "1E0", OPFRecurrenceGetOccurenceCount: "4" };
    const dated = { OPFRecurrenceHasEndDate: "1E0", OPFRecurrenceCopyEndDate: "2016-05-09T00:00:00" };
    expect([ruleOf("Daily", {}, counted), ruleOf("Daily", {}, dated)]).toEqual([
      "FREQ=DAILY;COUNT=4",
      "FREQ=DAILY;UNTIL=20160509",
    ]);
    expect(recurrenceOf(null, true)).toBeNull();
  });
});

it.each([
  ["contact", "contacts", { OPFContactCopyDisplayName: "Ann Reed", OPFContactCopyCellPhone: "555 0100" }],
  ["task", "tasks", { OPFTaskCopyName: "Water the plants" }],
  ["note", "notes", { OPFNoteCopyTitle: "Plants", OPFNoteCopyText: "Water them." }],
] as const)("reads a %s", (kind, root, fields) => {
  const item = OLM_ITEM_READERS[kind](itemOf(root, kind, fields));
  expect(item).toMatchObject({ kind });
  expect(JSON.stringify(item)).toMatch(/Ann Reed|[Pp]lants/);
});

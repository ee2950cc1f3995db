import { describe, expect, it } from "vitest";
import { type CalendarEntry, INTERNAL_ENTRY_DEFAULTS } from "../../mail/records/calendar-event.ts";
import { PII_TYPES } from "../../mail/records/provenance.ts";
import { Redactor } from "./redact-record.ts";

const ENTRY: CalendarEntry = {
  ...INTERNAL_ENTRY_DEFAULTS,
  uid: "",
  method: null,
  status: "confirmed",
  sequence: 0,
  subject: "Lunch",
  description: "",
  location: "",
  start: null,
  end: null,
  allDay: false,
  timezone: null,
  organizer: null,
  attendees: [],
  recurrence: null,
  recurrenceId: null,
  busyStatus: null,
  createdAt: null,
  updatedAt: null,
};

function redactedUid(uid: string): string {
  const record = new Redactor(PII_TYPES).record({
    kind: "appointment",
    entry: { ...ENTRY, uid },
    isPart: false,
    ...{ mailbox: "", location: "", sha256: "", attachments: [] },
  });
  return record.kind === "appointment" ? record.entry.uid : "";
}

/** A GlobalObjectId that contains the UID of another program. */
function globalObjectId(uid: string): string {
  const data = Buffer.concat([Buffer.from("vCal-Uid\u0001\0\0\0", "latin1"), Buffer.from(`${uid}\0`, "latin1")]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  return `040000008200E00074C5B7101A82E008${"00".repeat(20)}${size.toString("hex")}${data.toString("hex")}`.toUpperCase();
}

it("redacts attachments of an item, and counts each value once", () => {
  const filename = "plan for ann.lee@example.org.txt";
  const file = {
    filename,
    mediaType: "text/plain",
    sizeBytes: 4,
    sha256: "a".repeat(64),
    linkTarget: null,
    attachedMessage: null,
  };
  const redactor = new Redactor(["email"]);
  const record = redactor.record({
    kind: "item",
    item: { kind: "task", subject: "Plan", fields: { attachments: `${filename} (4 bytes)` } },
    ...{ mailbox: "", location: "", sha256: "" },
    attachments: [{ ...file, disposition: "attachment", contentId: null, staged: null, text: "" }],
  });
  expect(record.attachments[0]!.filename).toBe("plan for [REDACTED:email]");
  expect(redactor.counts.email).toBe(1);
});

describe("redaction of an event", () => {
  const phone = "713-555-0123";
  const entryOf = (entry: Partial<CalendarEntry>): string => {
    const record = new Redactor(PII_TYPES).record({
      kind: "appointment",
      entry: { ...ENTRY, ...entry },
      isPart: false,
      ...{ mailbox: "", location: "", sha256: "", attachments: [] },
    });
    return JSON.stringify(record.kind === "appointment" ? record.entry : null);
  };

  it("reaches the rule of a series and the words of an attendee, which may contain anything", () => {
    const attendees = [{ name: phone, email: "ann@example.org", role: phone, status: phone }];
    const recurrence = { rrule: `FREQ=WEEKLY;X-CALL=${phone}`, exdates: [], text: "every week" };
    expect(entryOf({ attendees, recurrence })).not.toContain(phone);
  });

  it.each([
    "FREQ=WEEKLY;UNTIL=20010520T100000Z;INTERVAL=2;BYDAY=MO,TU,WE;WKST=SU",
    "FREQ=MONTHLY;COUNT=1234567890;BYMONTHDAY=10,11,12,13,14,15,16,17,18;BYSETPOS=-1",
    "FREQ=YEARLY;BYYEARDAY=100,200,300,-100;BYHOUR=10;BYMINUTE=0,15,30,45",
  ])("keeps the rule %s", (rrule) => {
    expect(entryOf({ recurrence: { rrule, exdates: [], text: "" } })).toContain(rrule);
  });
});

describe("UID of an event", () => {
  it("becomes a digest if it contains an address, equal for every spelling", () => {
    const redacted = redactedUid("20010515T100000-ann.lee@example.org");
    expect(redacted).toMatch(/^redacted:[0-9a-f]{32}$/);
    expect(redactedUid("20010515t100000-Ann.Lee@example.org")).toBe(redacted);
    expect(redactedUid("20010515T100000-bob.lee@example.org")).not.toBe(redacted);
    expect(redactedUid(redacted)).toBe(redacted);
  });

  it("is decoded if Exchange wrote it as hexadecimal digits", () => {
    expect(redactedUid(globalObjectId("1-ann.lee@example.org"))).toMatch(/^redacted:/);
    const own = globalObjectId("1-2-3");
    expect(redactedUid(own)).toBe(own);
  });

  it.each(["", "7f3c2a10-5b7e-4c11-9a55-0242ac120002", "040000008200E00074C5B7101A82E0080000000010"])(
    "is unchanged if it is %j",
    (uid) => {
      expect(redactedUid(uid)).toBe(uid);
    },
  );
});

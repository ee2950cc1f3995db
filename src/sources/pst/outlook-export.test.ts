import { describe, expect, it } from "vitest";
import { MsgWriter } from "../../../test/msg-writer/msg-writer.ts";
import { itemsOfStore, SOME_FORMATS } from "../../../test/pst-writer/items-of-store.ts";
import { binary, integer, text, texts, time } from "../../../test/pst-writer/property-writer.ts";
import { mailProperties, type WrittenMessage } from "../../../test/pst-writer/store-writer.ts";
import { readCalendar } from "../../calendar/read-calendar.ts";
import { parseMessage } from "../../mime/parse-message.ts";
import { PROPERTY_SET, type PropertyName } from "../../properties/named-properties.ts";
import { PID } from "../../properties/property-ids.ts";
import { readMsgItems } from "../msg/msg-items.ts";
import type { SourceItem } from "../reading/source.ts";

const SENT = Date.UTC(2021, 4, 14, 12);
const START = Date.UTC(2021, 4, 20, 9);
const CATEGORIES = ["Blue Category", "Reed, Ann", "Mühle"];
const UID = Buffer.from("040000008200E00074C5B7101A82E008000000000102030405060708", "hex");
const TO = { type: 1, name: "Ben Quay", email: "ben@x.example" } as const;

type Named = (name: PropertyName) => number;

function mail(named: Named): WrittenMessage {
  return {
    properties: [
      ...mailProperties({ subject: "Plan", body: "Text.", sentAt: SENT, from: "ann@x.example" }),
      integer(PID.importance, 2),
      integer(PID.sensitivity, 3),
      texts(named({ set: PROPERTY_SET.publicStrings, name: "Keywords" }), CATEGORIES),
    ],
    recipients: [TO],
  };
}

function meeting(named: Named, messageClass: string): WrittenMessage {
  const { properties } = mail(named);
  return {
    properties: [
      ...properties.filter(({ id }) => id !== PID.messageClass),
      text(PID.messageClass, messageClass),
      time(named({ set: PROPERTY_SET.appointment, name: 0x820d }), START),
      time(named({ set: PROPERTY_SET.appointment, name: 0x820e }), START + 3_600_000),
      text(named({ set: PROPERTY_SET.appointment, name: 0x8208 }), "Lock 4"),
      binary(named({ set: PROPERTY_SET.meeting, name: 0x0003 }), UID),
    ],
    recipients: [TO],
  };
}

function rendered(item: SourceItem | undefined) {
  if (item?.kind !== "object") throw new Error(`no message: ${item?.kind}`);
  const bytes = item.rendered();
  expect(item.rendered()).toEqual(bytes);
  return { item, bytes, read: parseMessage(bytes) };
}

async function itemOf(source: string, made: (named: Named) => WrittenMessage): Promise<SourceItem | undefined> {
  if (source === "msg") {
    const writer = new MsgWriter();
    return readMsgItems(
      writer.write(made((name) => writer.named(name))),
      { mailbox: "INBOX", location: "a.msg" },
      [],
    )[0];
  }
  const format = SOME_FORMATS.find(({ layout }) => layout === source)!;
  return (await itemsOfStore(format, (store) => [made((name) => store.named(name))]))[0];
}

describe.each(["msg", "unicode", "ansi"])("a message of Outlook (%s) as EML", (source) => {
  it("keeps categories, importance and sensitivity", async () => {
    const { item, read, bytes } = rendered(await itemOf(source, mail));
    const expected = ["importance:high", "sensitivity:confidential", ...CATEGORIES.map((name) => `label:${name}`)];
    expect(item.flags).toEqual(["seen", ...expected]);
    expect(read.marks).toEqual(expected);
    expect(bytes.toString()).toContain("\r\nX-Priority: 1\r\n");
  });

  it("has its current flags, and otherwise the sent content", async () => {
    const headers = "Importance: low\r\nKeywords: old\r\nX-Mill: 4\r\nSubject: Plan\r\n";
    const { bytes } = rendered(
      await itemOf(source, (named) => {
        const made = mail(named);
        return { ...made, properties: [...made.properties, text(PID.transportHeaders, headers)] };
      }),
    );
    const head = bytes.toString().split("\r\n\r\n")[0]!;
    expect(head.match(/^(?:importance|keywords|x-mill):.*/gim)).toEqual([
      "X-Mill: 4",
      "Importance: high",
      "Keywords: Blue Category,",
    ]);
  });

  it.each([
    ["IPM.Schedule.Meeting.Request", "REQUEST"],
    ["IPM.Schedule.Meeting.Canceled", "CANCEL"],
    ["IPM.Schedule.Meeting.Resp.Pos", "REPLY"],
  ])("of class %s has an iTIP part", async (messageClass, method) => {
    const { item, read } = rendered(await itemOf(source, (named) => meeting(named, messageClass)));
    expect(read.calendarParts).toMatchObject([{ method }]);
    expect(read.attachments).toEqual([]);
    const [part] = read.calendarParts;
    expect(part!.text).toContain(`\r\nMETHOD:${method}\r\n`.replaceAll("\r\n", "\n"));
    const { entries } = readCalendar(part!);
    const [{ uid, start, end, location, categories, importance }] = item.calendar as [(typeof item.calendar)[0]];
    expect(entries).toMatchObject([{ method, uid, start, end, location, categories, importance }]);
    expect([uid, start]).toEqual([UID.toString("hex").toUpperCase(), START]);
    expect(entries[0]!.organizer?.email).toBe(method === "REPLY" ? TO.email : "ann@x.example");
  });

  it("keeps the meetings of attached messages", async () => {
    const { item } = rendered(
      await itemOf(source, (named) => ({
        ...mail(named),
        attachments: [{ properties: [], message: meeting(named, "IPM.Schedule.Meeting.Request") }],
      })),
    );
    const [attached] = item.message.attachments;
    expect(parseMessage(Buffer.from(attached!.bytes())).calendarParts).toMatchObject([{ method: "REQUEST" }]);
  });
});

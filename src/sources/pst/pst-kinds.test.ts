import { describe, expect, it } from "vitest";
import { itemsOfStore, SOME_FORMATS } from "../../../test/pst-writer/items-of-store.ts";
import { integer, text, time } from "../../../test/pst-writer/property-writer.ts";
import { mailProperties, type WrittenMessage } from "../../../test/pst-writer/store-writer.ts";
import type { MessageKind } from "../../mail/records/message-kind.ts";
import { PROPERTY_SET } from "../../properties/named-properties.ts";
import { PID } from "../../properties/property-ids.ts";

/** A message class, and its kind. */
const CLASSES: readonly (readonly [string, MessageKind])[] = [
  ["IPM.Note", "mail"],
  ["IPM.Post", "mail"],
  ["IPM.Schedule.Meeting.Request", "meeting_request"],
  ["IPM.Schedule.Meeting.Resp.Tent", "meeting_answer"],
  ["IPM.Schedule.Meeting.Canceled", "meeting_cancellation"],
  ["IPM.TaskRequest.Accept", "task_request"],
  ["REPORT.IPM.Note.NDR", "non_delivery_report"],
  ["REPORT.IPM.Note.DR", "delivery_report"],
  ["REPORT.IPM.Note.IPNRN", "read_receipt"],
  ["IPM.Outlook.Recall", "recall"],
  ["IPM.Recall.Report.Success", "recall"],
  ["IPM.Sharing", "sharing"],
  ["IPM.Post.Rss", "rss"],
  ["IPM.Note.Microsoft.Voicemail.UM.CA", "voicemail"],
  ["IPM.Note.Microsoft.Fax", "fax"],
  ["IPM.Note.Mobile.SMS", "sms"],
  ["IPM.Note.Microsoft.Conversation", "chat"],
  ["IPM.Note.EnterpriseVault.Shortcut", "vault_stub"],
  ["IPM.Note.SMIME.MultipartSigned", "signed"],
  ["IPM.Note.SMIME", "encrypted"],
];

const mail = (fields: Partial<WrittenMessage>, ...more: WrittenMessage["properties"]): WrittenMessage => ({
  ...fields,
  properties: [
    ...mailProperties({ subject: "s", body: "b", sentAt: 0, from: "ann@mill.example" }).filter(
      ({ id }) => !more.some((other) => other.id === id),
    ),
    ...more,
  ],
});

describe.each(SOME_FORMATS)("messages of a $layout store, encoding $encoding", (format) => {
  const kindsOf = async (messages: readonly WrittenMessage[]): Promise<readonly unknown[]> =>
    (await itemsOfStore(format, () => messages)).map((item) =>
      item.kind === "object" ? item.message.envelope.messageKind : item.kind,
    );

  it("have the kind of their class", async () => {
    const messages = CLASSES.map(([messageClass]) => mail({}, text(PID.messageClass, messageClass)));
    expect(await kindsOf(messages)).toEqual(CLASSES.map(([, kind]) => kind));
  });

  it("without a class are classified by their properties", async () => {
    const items = await itemsOfStore(format, (store) => [
      { properties: [time(store.named({ set: PROPERTY_SET.appointment, name: 0x820d }), Date.UTC(2024, 0, 1))] },
      { properties: [text(store.named({ set: PROPERTY_SET.address, name: 0x8083 }), "bo@mill.example")] },
      { properties: [integer(store.named({ set: PROPERTY_SET.task, name: 0x8101 }), 1)] },
      { properties: [text(PID.subject, "A mail")] },
    ]);
    expect(items.map((item) => (item.kind === "item" ? item.item.kind : item.kind))).toEqual([
      "appointment",
      "contact",
      "task",
      "object",
    ]);
  });

  it("have the kind of their attachment, headers or text if the class is not sufficient", async () => {
    const one = (tag: string, data: Buffer): Partial<WrittenMessage> => ({
      attachments: [{ properties: [text(PID.attachMimeTag, tag)], data }],
    });
    const smime = text(PID.messageClass, "IPM.Note.SMIME");
    const signed = Buffer.from("300b06092a864886f70d010702", "hex");
    expect(
      await kindsOf([
        mail(one("application/x-microsoft-rpmsg-message", Buffer.from("x"))),
        mail(one("application/pkcs7-mime", signed), smime),
        mail(
          one("application/pkcs7-mime", Buffer.from("Content-Type: multipart/signed; boundary=x\r\n\r\n--x")),
          smime,
        ),
        mail(one("multipart/signed", Buffer.from("Content-Type: multipart/signed; boundary=x\r\n\r\n--x"))),
        mail(one("application/pkcs7-signature", signed)),
        mail({}, text(PID.transportHeaders, "From: a@mill.example\r\nList-Id: <m.lists.example>\r\n")),
        mail({}, text(PID.body, "-----BEGIN PGP MESSAGE-----\r\n\r\nhQEM")),
      ]),
    ).toEqual(["rights_protected", "signed", "signed", "signed", "signed", "list", "encrypted"]);
  });
});

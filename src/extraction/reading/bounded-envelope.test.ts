import { describe, expect, it } from "vitest";
import type { Address } from "../../mail/address.ts";
import { parseMessage } from "../../mime/parse-message.ts";
import {
  BYTES_A_CONTACT,
  boundEnvelope,
  contactRecipients,
  FREE_RECIPIENT_CONTACTS,
  MAX_ADDRESS_LENGTH,
  MAX_MESSAGE_ID_LENGTH,
  MAX_RECIPIENT_CONTACTS,
  MAX_RECIPIENTS,
  MAX_SUBJECT_LENGTH,
  MIN_RECIPIENT_CONTACTS,
} from "./bounded-envelope.ts";

const { envelope } = parseMessage(
  Buffer.from("From: Ann <ann@hostile.example>\r\nTo: bob@hostile.example\r\nMessage-ID: <1@hostile.example>\r\n\r\nx"),
);

/** Bytes of a message that may have as many contacts as any. */
const SIZE = 2_000_000;

function people(count: number, field: string): readonly Address[] {
  return Array.from({ length: count }, (_, number) => ({ name: "", email: `${field}${number}@hostile.example` }));
}

const codesOf = (bounded: ReturnType<typeof boundEnvelope>): readonly string[] =>
  bounded.findings.map(({ code }) => code);

describe("boundEnvelope", () => {
  it("leaves what is within all limits as it is", () => {
    const full = {
      ...envelope,
      subject: "x".repeat(MAX_SUBJECT_LENGTH),
      messageId: "i".repeat(MAX_MESSAGE_ID_LENGTH),
      from: { name: "n".repeat(MAX_ADDRESS_LENGTH), email: "e".repeat(MAX_ADDRESS_LENGTH) },
      to: people(MAX_RECIPIENT_CONTACTS, "to"),
    };
    expect(boundEnvelope(full, SIZE)).toEqual({ envelope: full, findings: [] });
    expect(boundEnvelope(full, SIZE).envelope).toBe(full);
    expect(contactRecipients(full, SIZE)).toBe(full);
  });

  it("cuts a subject between characters, and says how long it was", () => {
    const bounded = boundEnvelope({ ...envelope, subject: `${"x".repeat(MAX_SUBJECT_LENGTH - 1)}\u{1f600}` }, SIZE);
    expect(bounded.envelope.subject).toBe(`${"x".repeat(MAX_SUBJECT_LENGTH - 1)}\ufffd`);
    expect(bounded.findings).toEqual([{ code: "subject-cut", message: "subject of 65537 characters cut after 65536" }]);
  });

  it("cuts addresses and names wherever they stand", () => {
    const long = { name: "n".repeat(MAX_ADDRESS_LENGTH + 1), email: "e".repeat(MAX_ADDRESS_LENGTH + 5) };
    const bounded = boundEnvelope({ ...envelope, from: long, cc: [long], replyTo: [long] }, SIZE);
    expect(codesOf(bounded)).toEqual(["address-cut"]);
    for (const { name, email } of [bounded.envelope.from!, bounded.envelope.cc[0]!, bounded.envelope.replyTo[0]!])
      expect([name.length, email.length]).toEqual([MAX_ADDRESS_LENGTH, MAX_ADDRESS_LENGTH]);
    expect(bounded.envelope.to).toEqual(envelope.to);
  });

  it("keeps the first recipients, those of To first, and fewer of them as contacts", () => {
    const sent = { ...envelope, to: people(MAX_RECIPIENTS, "to"), cc: people(2, "cc"), bcc: people(3, "bcc") };
    const bounded = boundEnvelope(sent, SIZE);
    expect(bounded.findings).toEqual([
      {
        code: "recipients-cut",
        message: "more than 10000 recipients in 2000000 bytes: the first 50000 were kept, the first 10000 are contacts",
      },
    ]);
    expect([bounded.envelope.to.length, bounded.envelope.cc.length, bounded.envelope.bcc.length]).toEqual([
      MAX_RECIPIENTS,
      0,
      0,
    ]);
    expect(contactRecipients(bounded.envelope, SIZE).to).toEqual(sent.to.slice(0, MAX_RECIPIENT_CONTACTS));
  });

  it("leaves out Message-IDs that nothing could refer to", () => {
    const long = "i".repeat(MAX_MESSAGE_ID_LENGTH + 1);
    const bounded = boundEnvelope({ ...envelope, messageId: long, references: ["a@b", long], inReplyTo: [long] }, SIZE);
    expect(codesOf(bounded)).toEqual(["message-id-too-long"]);
    expect([bounded.envelope.messageId, bounded.envelope.references, bounded.envelope.inReplyTo]).toEqual([
      null,
      ["a@b"],
      [],
    ]);
  });

  it("makes fewer contacts of a short message, so that it does not come out many times as large", () => {
    const sent = { ...envelope, to: people(3_000, "to"), cc: people(2, "cc") };
    expect(contactRecipients(sent, 25_600).to).toHaveLength(MIN_RECIPIENT_CONTACTS);
    expect(contactRecipients(sent, 256_000).to).toHaveLength(FREE_RECIPIENT_CONTACTS + 256_000 / BYTES_A_CONTACT);
    expect(boundEnvelope(sent, 25_600)).toEqual({
      envelope: sent,
      findings: [
        {
          code: "recipients-cut",
          message: "more than 1100 recipients in 25600 bytes: all were kept, the first 1100 are contacts",
        },
      ],
    });
    const few = { ...envelope, to: people(MIN_RECIPIENT_CONTACTS, "to") };
    expect(boundEnvelope(few, 0)).toEqual({ envelope: few, findings: [] });
  });
});

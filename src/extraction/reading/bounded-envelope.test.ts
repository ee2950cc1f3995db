import { describe, expect, it } from "vitest";
import type { Address } from "../../mail/records/address.ts";
import { parseMessage } from "../../mime/parse-message.ts";
import {
  boundEnvelope,
  MAX_ADDRESS_LENGTH,
  MAX_MESSAGE_ID_LENGTH,
  MAX_RECIPIENTS,
  MAX_SUBJECT_BYTES,
} from "./bounded-envelope.ts";

const { envelope } = parseMessage(
  Buffer.from("From: Ann <ann@hostile.example>\r\nTo: bob@hostile.example\r\nMessage-ID: <1@hostile.example>\r\n\r\nx"),
);

function people(count: number, field: string): readonly Address[] {
  return Array.from({ length: count }, (_, number) => ({ name: "", email: `${field}${number}@hostile.example` }));
}

const codesOf = (bounded: ReturnType<typeof boundEnvelope>): readonly string[] =>
  bounded.findings.map(({ code }) => code);

describe("boundEnvelope", () => {
  it("does not change an envelope within all limits", () => {
    const full = {
      ...envelope,
      subject: "x".repeat(MAX_SUBJECT_BYTES),
      messageId: "i".repeat(MAX_MESSAGE_ID_LENGTH),
      from: { name: "n".repeat(MAX_ADDRESS_LENGTH), email: "e".repeat(MAX_ADDRESS_LENGTH) },
      to: people(200, "to"),
    };
    expect(boundEnvelope(full)).toEqual({ envelope: full, findings: [] });
    expect(boundEnvelope(full).envelope).toBe(full);
  });

  it("truncates a subject between characters, and reports its length", () => {
    const bounded = boundEnvelope({ ...envelope, subject: `x${"\u{1f600}".repeat(MAX_SUBJECT_BYTES / 4)}` });
    expect(bounded.envelope.subject).toBe(`x${"\u{1f600}".repeat(MAX_SUBJECT_BYTES / 4 - 1)}`);
    expect(bounded.findings).toEqual([{ code: "subject-cut", message: "subject of 65537 bytes truncated to 65536" }]);
  });

  it("truncates addresses and names in every field", () => {
    const long = { name: "n".repeat(MAX_ADDRESS_LENGTH + 1), email: "e".repeat(MAX_ADDRESS_LENGTH + 5) };
    const bounded = boundEnvelope({ ...envelope, from: long, cc: [long], replyTo: [long] });
    expect(codesOf(bounded)).toEqual(["address-cut"]);
    for (const { name, email } of [bounded.envelope.from!, bounded.envelope.cc[0]!, bounded.envelope.replyTo[0]!])
      expect([name.length, email.length]).toEqual([MAX_ADDRESS_LENGTH, MAX_ADDRESS_LENGTH]);
    expect(bounded.envelope.to).toEqual(envelope.to);
  });

  it("keeps the first recipients, To first", () => {
    const sent = { ...envelope, to: people(MAX_RECIPIENTS, "to"), cc: people(2, "cc"), bcc: people(3, "bcc") };
    const bounded = boundEnvelope(sent);
    expect(bounded.findings).toEqual([
      {
        code: "recipients-cut",
        message: "50005 recipients: the first 50000 were kept, but not all became contacts",
      },
    ]);
    expect([bounded.envelope.to.length, bounded.envelope.cc.length, bounded.envelope.bcc.length]).toEqual([
      MAX_RECIPIENTS,
      0,
      0,
    ]);
  });

  it("omits Message-IDs that are too long", () => {
    const long = "i".repeat(MAX_MESSAGE_ID_LENGTH + 1);
    const bounded = boundEnvelope({ ...envelope, messageId: long, references: ["a@b", long], inReplyTo: [long] });
    expect(codesOf(bounded)).toEqual(["message-id-too-long"]);
    expect([bounded.envelope.messageId, bounded.envelope.references, bounded.envelope.inReplyTo]).toEqual([
      null,
      ["a@b"],
      [],
    ]);
  });

  it("reports recipients that do not become contacts, and keeps them", () => {
    const sent = { ...envelope, to: people(3_000, "to"), cc: people(2, "cc") };
    const message = "3002 recipients: all were kept, but not all became contacts";
    expect(boundEnvelope(sent)).toEqual({ envelope: sent, findings: [{ code: "recipients-cut", message }] });
  });
});

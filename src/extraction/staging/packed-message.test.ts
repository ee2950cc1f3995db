import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ownMessageId } from "../../mail/content-key.ts";
import { packMessage, unpackMessage } from "./packed-message.ts";
import type { StagedMessage } from "./staged-record.ts";

const text = fc.string({ unit: "grapheme", maxLength: 12 });
const texts = fc.array(text, { maxLength: 3 });
const address = fc.record({ name: text, email: text });
const addresses = fc.array(address, { maxLength: 3 });
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const instant = optional(fc.integer());
const sha256 = fc.stringMatching(/^[0-9a-f]{64}$/);

const envelope = fc.record({
  ...{ messageId: optional(text), inReplyTo: texts, references: texts, conversationIndexRoot: optional(text), subject: text },
  ...{ from: optional(address), sender: optional(address), replyTo: addresses, to: addresses, cc: addresses, bcc: addresses },
  ...{ sentAt: instant, receivedAt: instant },
});

const attachment = fc.record({
  ...{
    filename: text,
    mediaType: text,
    sizeBytes: fc.nat(),
    sha256,
    disposition: fc.constantFrom("attachment" as const, "inline" as const),
  },
  ...{ contentId: optional(text), staged: optional(text) },
});

const message: fc.Arbitrary<StagedMessage> = fc
  .record({
    ...{
      envelope,
      subjectKey: text,
      mailbox: text,
      location: text,
      flags: texts,
      sha256,
      sizeBytes: fc.nat(),
      gmailThreadId: optional(text),
    },
    ...{ attachments: fc.array(attachment, { maxLength: 2 }), isAutomatic: fc.boolean() },
    findings: fc.array(fc.record({ code: text, message: text }), { maxLength: 2 }),
  })
  .map((facts) => ({ ...facts, kind: "message", calendar: [], key: facts.envelope.messageId ?? ownMessageId(facts.sha256) }));

describe("packMessage", () => {
  it("keeps everything of a message through JSON", () => {
    fc.assert(
      fc.property(message, (staged) => {
        expect(unpackMessage(JSON.parse(JSON.stringify(packMessage(staged))))).toEqual(staged);
      }),
    );
  });

  it("tells mail without Message-ID from mail with one", () => {
    const [staged] = fc.sample(message, 1) as [StagedMessage];
    const without = { ...staged, key: ownMessageId(staged.sha256), envelope: { ...staged.envelope, messageId: null } };
    expect(unpackMessage(packMessage(without)).envelope.messageId).toBeNull();
    const withOne = { ...staged, key: "1@ridge.example", envelope: { ...staged.envelope, messageId: "1@ridge.example" } };
    expect(unpackMessage(packMessage(withOne)).envelope.messageId).toBe("1@ridge.example");
  });
});

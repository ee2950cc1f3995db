import fc from "fast-check";
import { expect, it } from "vitest";
import { MESSAGE_KINDS } from "../../mail/records/message-kind.ts";
import { packMessage, unpackMessage } from "./packed-message.ts";
import type { StagedMessage } from "./staged-message.ts";

const text = fc.string({ unit: "grapheme", maxLength: 12 });
const texts = fc.array(text, { maxLength: 3 });
const address = fc.record({ name: text, email: text });
const addresses = fc.array(address, { maxLength: 3 });
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const instant = optional(fc.integer());
const sha256 = fc.stringMatching(/^[0-9a-f]{64}$/);

const attachment = fc.record({
  ...{
    filename: text,
    mediaType: text,
    sizeBytes: fc.nat(),
    sha256,
    disposition: fc.constantFrom("attachment" as const, "inline" as const),
  },
  ...{
    linkTarget: fc.constantFrom(null, "https://files.mill.example/a b"),
    attachedMessage: fc.constantFrom(null, "Plan.eml/Crane.eml"),
    contentId: optional(text),
    staged: optional(text),
    text,
  },
});

const message: fc.Arbitrary<StagedMessage> = fc.record({
  kind: fc.constant("message"),
  ...{
    messageId: text,
    inReplyTo: texts,
    references: texts,
    conversationIndexRoot: optional(text),
    subject: text,
    baseSubjectKey: text,
  },
  ...{
    from: optional(address),
    sender: optional(address),
    replyTo: addresses,
    to: addresses,
    cc: addresses,
    bcc: addresses,
  },
  ...{ sentAt: instant, receivedAt: instant, gmailThreadId: optional(text), isAutomatic: fc.boolean() },
  messageKind: optional(fc.constantFrom(...MESSAGE_KINDS)),
  ...{ mailbox: text, location: text, flags: texts, sha256, sizeBytes: fc.nat() },
  findings: fc.array(fc.record({ code: fc.constantFrom("subject-cut" as const, "redacted" as const), message: text }), {
    maxLength: 2,
  }),
  ...{ attachments: fc.array(attachment, { maxLength: 2 }), calendar: fc.constant([]) },
});

it("preserves all fields of a message in JSON", () => {
  fc.assert(
    fc.property(message, (staged) => {
      expect(unpackMessage(JSON.parse(JSON.stringify(packMessage(staged, staged))))).toEqual(staged);
    }),
  );
});

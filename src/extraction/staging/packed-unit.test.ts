import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessageHeaderRecord, ParsedRecord, ParsedUnit } from "./message-header-record.ts";
import { packUnit, unpackUnit } from "./packed-unit.ts";

// Few different texts, so that they repeat as in mail.
const text = fc.oneof(fc.constantFrom("", "ann@x.example", "Ann"), fc.string({ unit: "grapheme", maxLength: 6 }));
const texts = fc.array(text, { maxLength: 3 });
const address = fc.record({ name: text, email: text });
const addresses = fc.array(address, { maxLength: 3 });
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const word = fc.nat({ max: 0xffff_ffff });

const skeleton: fc.Arbitrary<MessageHeaderRecord> = fc.record({
  ...{
    kind: fc.constant("message" as const),
    key: fc.tuple(word, word, word, word),
    messageId: optional(text),
    references: texts,
  },
  ...{ conversationIndexRoot: optional(text), gmailThreadId: optional(text), subjectKey: text, mailbox: text },
  ...{
    isReply: fc.boolean(),
    isAutomatic: fc.boolean(),
    listAddress: optional(fc.constantFrom("list@mill.example", "weavers@mill.example")),
    sentAt: optional(fc.integer({ min: -1e14, max: 1e14 })),
  },
  receivedAt: optional(fc.integer({ min: -1e14, max: 1e14 })),
  ...{
    from: optional(address),
    sender: optional(address),
    replyTo: addresses,
    to: addresses,
    cc: addresses,
    bcc: addresses,
  },
  exportedNames: optional(texts),
  ownAddresses: texts,
});

const record: fc.Arbitrary<ParsedRecord> = fc.oneof(
  skeleton,
  fc.record({ kind: fc.constant("appointment" as const), isPart: fc.boolean(), mailbox: text }),
  fc.record({
    ...{
      kind: fc.constantFrom("skipped" as const, "damaged" as const, "note" as const),
      code: fc.constantFrom("subject-cut" as const, "redacted" as const),
      message: text,
    },
    ...{ sha256: optional(text), mailbox: text, location: text },
  }),
);

const unit: fc.Arbitrary<ParsedUnit> = fc.record({
  ...{
    records: fc.array(record, { maxLength: 6 }),
    fileHashes: fc.array(optional(text), { maxLength: 3 }),
    bytes: fc.nat(),
  },
});

describe("packUnit", () => {
  it("preserves all fields and the order of a unit in a structured clone", () => {
    fc.assert(
      fc.property(unit, (parsed) => {
        expect(unpackUnit(structuredClone(packUnit(parsed)))).toEqual(parsed);
      }),
    );
  });

  it("writes each address once", () => {
    const [message] = fc.sample(skeleton, 1) as [MessageHeaderRecord];
    const to = [{ name: "Ann Roe", email: "ann.roe@x.example" }];
    const records = Array.from({ length: 100 }, () => ({ ...message, to }));
    const { json } = packUnit({ records, fileHashes: [], bytes: 0 });
    expect(json.split("ann.roe@x.example")).toHaveLength(2);
  });
});

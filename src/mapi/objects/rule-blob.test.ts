import fc from "fast-check";
import { expect, it } from "vitest";
import { actionBlob, conditionBlob, contains, forwardBlob, logical, tag, uint32 } from "../../../test/rule-blobs.ts";
import { TYPE } from "../../properties/property-bytes.ts";
import { PID } from "../../properties/property-ids.ts";
import { readRule } from "./rule-blob.ts";

const conditionsOf = (condition: Buffer): string | null => readRule(null, conditionBlob(condition)).conditions;

it("describes conditions in words", () => {
  const importance = Buffer.concat([Buffer.from([4, 4]), tag(PID.importance, 3), tag(PID.importance, 3), uint32(2)]);
  const key = Buffer.from("SMTP:ANN@MILL.EXAMPLE\0", "latin1");
  const fromAnn = Buffer.concat([
    Buffer.from([3, 0, 0, 0, 0]),
    tag(PID.senderSearchKey, TYPE.binary),
    tag(PID.senderSearchKey, TYPE.binary),
    uint32(key.length),
    key,
  ]);
  const large = Buffer.concat([Buffer.from([7, 2]), tag(PID.body, TYPE.string), uint32(5000)]);
  const anyTo = Buffer.concat([
    Buffer.from([9]),
    tag(PID.messageRecipients, TYPE.object),
    contains(PID.displayName, "Bo"),
  ]);
  expect(
    conditionsOf(
      logical(0, contains(PID.subject, "tide"), logical(1, importance, fromAnn), logical(2, large), logical(2, anyTo)),
    ),
  ).toBe(
    '(subject contains "tide" and (importance = 2 or sender is "SMTP:ANN@MILL.EXAMPLE") and not size of text > 5000 ' +
      'and not a recipient has name contains "Bo")',
  );
});

it("shows the level of Outlook's junk mail rule", () => {
  const level = tag(PID.spamConfidenceLevel, TYPE.integer32);
  const isThere = Buffer.concat([Buffer.from([8]), level]);
  const isHigh = Buffer.concat([Buffer.from([4, 2]), level, level, uint32(5)]);
  expect(conditionsOf(logical(0, isThere, isHigh))).toBe(
    "(spam confidence level is there and spam confidence level > 5)",
  );
});

it("omits conditions that are always or never true", () => {
  expect(conditionsOf(logical(0))).toBe("always");
  expect(conditionsOf(logical(2, logical(1)))).toBe("always");
  expect(conditionsOf(logical(1, logical(1), contains(PID.subject, "x")))).toBe('subject contains "x"');
});

it("describes actions in words, with the recipients of forwarded mail", () => {
  expect(readRule(forwardBlob("Bob", "bob@other.example"), null).actions).toEqual([
    "forward to Bob <bob@other.example>",
  ]);
  expect(
    readRule(actionBlob([10, Buffer.alloc(0)], [11, Buffer.alloc(0)], [99, Buffer.alloc(3)]), null).actions,
  ).toEqual(["delete", "mark as read", "action 99"]);
});

it("is reported if it violates the standard, at any depth", () => {
  expect(conditionsOf(Buffer.from([77]))).toBeNull();
  expect(conditionsOf(Buffer.alloc(100_000, 2))).toBeNull();
  expect(conditionsOf(logical(0, contains(PID.subject, "cut")).subarray(0, 20))).toBeNull();
  expect(readRule(Buffer.from("ffff", "hex"), null).actions).toBeNull();
});

it("never throws", () => {
  const pieces = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom(contains(PID.subject, "x"), logical(0), logical(1), forwardBlob("a", "b"), uint32(0xffff_ffff)),
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const blob = Buffer.concat(parts);
      expect(() => readRule(blob, blob)).not.toThrow();
    }),
  );
});

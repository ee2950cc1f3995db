import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inferLanguages } from "./inferred-language.ts";

const [NONE, EN, DE] = [0, 1, 2];

interface Row {
  readonly detected: number;
  readonly sender: number;
  readonly mailbox: number;
  readonly isEmpty?: boolean;
}

function inferred(rows: readonly Row[]): readonly number[] {
  return Array.from(
    inferLanguages({
      detected: Uint32Array.from(rows, ({ detected }) => detected),
      hasText: Uint8Array.from(rows, ({ isEmpty }) => (isEmpty === true ? 0 : 1)),
      senders: Int32Array.from(rows, ({ sender }) => sender),
      mailboxes: Int32Array.from(rows, ({ mailbox }) => mailbox),
    }),
  );
}

const times = (count: number, row: Row): readonly Row[] => Array.from({ length: count }, () => row);

describe("the language of a message that is too short to detect", () => {
  it("is that of the sender's other messages, or of the mailbox", () => {
    const german = times(3, { detected: DE, sender: 1, mailbox: 1 });
    const english = times(5, { detected: EN, sender: 2, mailbox: 1 });
    const mailbox = times(9, { detected: EN, sender: 3, mailbox: 2 });
    const short = [
      { detected: NONE, sender: 1, mailbox: 1 },
      { detected: NONE, sender: 4, mailbox: 2 },
      { detected: NONE, sender: -1, mailbox: 2 },
    ];
    expect(inferred([...german, ...english, ...mailbox, ...short]).slice(-3)).toEqual([DE, EN, EN]);
  });

  it("is unknown if both use several languages, or too few messages have one", () => {
    const both = [
      ...times(4, { detected: DE, sender: 1, mailbox: 1 }),
      ...times(3, { detected: EN, sender: 1, mailbox: 1 }),
    ];
    expect(inferred([...both, { detected: NONE, sender: 1, mailbox: 1 }]).at(-1)).toBe(NONE);
    const few = times(2, { detected: DE, sender: 1, mailbox: 1 });
    expect(inferred([...few, { detected: NONE, sender: 1, mailbox: 1 }]).at(-1)).toBe(NONE);
  });

  it("is not inferred for messages with a detected language or without text", () => {
    const german = times(3, { detected: DE, sender: 1, mailbox: 1 });
    expect(inferred([...german, { detected: NONE, sender: 1, mailbox: 1, isEmpty: true }])).toEqual([0, 0, 0, 0]);
  });

  it("does not depend on the order of the messages", () => {
    const row = fc.record({
      detected: fc.integer({ min: 0, max: 2 }),
      sender: fc.integer({ min: -1, max: 2 }),
      mailbox: fc.integer({ min: 1, max: 2 }),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
        expect(inferred(rows.toReversed()).toReversed()).toEqual(inferred(rows));
      }),
    );
  });
});

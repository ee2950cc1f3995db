import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { othersWithText, RepeatedTexts, repeatedKeys, repeatsColumn } from "./repeated-texts.ts";

type Row = readonly [key: number | null, thread: number, author: number, subject?: number];

/** The column of messages 1, 2, …; 0 is no message. */
function columnOf(rows: readonly Row[]): readonly number[] {
  const keys = Float64Array.from([Number.NaN, ...rows.map(([key]) => key ?? Number.NaN)]);
  return Array.from(
    repeatsColumn({
      keys,
      repeated: repeatedKeys(keys),
      threads: Uint32Array.from([0, ...rows.map(([, thread]) => thread)]),
      authors: Int32Array.from([-1, ...rows.map(([, , author]) => author)]),
      subjects: Uint32Array.from([0, ...rows.map(([, , , subject = 0]) => subject)]),
    }),
  ).slice(1);
}

describe("which messages repeat a text", () => {
  it("are those of one author or one thread, whatever stands between", () => {
    expect(
      columnOf([
        [14, 1, 1],
        [16, 1, 1],
        [14, 2, 1],
        [14, 1, 2],
      ]),
    ).toEqual([1, 0, 1, 1]);
  });

  it("are not those of strangers, nor those without a text or an author", () => {
    expect(
      columnOf([
        [14, 1, 1],
        [14, 2, 2],
        [14, 3, -1],
        [14, 4, -1],
      ]),
    ).toEqual([0, 0, 0, 0]);
    expect(
      columnOf([
        [null, 1, 1],
        [null, 1, 1],
      ]),
    ).toEqual([0, 0]);
  });

  it("are those of strangers where the text is long", () => {
    expect(
      columnOf([
        [15, 1, 1],
        [14, 2, 2],
        [15, 3, -1],
        [15, 4, 4],
      ]),
    ).toEqual([1, 0, 1, 1]);
  });

  it("are those of one subject, whoever sent them", () => {
    const row = (author: number, subject: number): Row => [14, author, author, subject];
    expect(columnOf([row(1, 5), row(2, 5), row(3, 6)])).toEqual([1, 1, 0]);
    expect(columnOf([row(1, 0), row(2, 0)])).toEqual([0, 0]);
  });

  it("are joined over others that share an author with one and a thread with the other", () => {
    expect(
      columnOf([
        [14, 1, 1],
        [14, 2, 2],
        [14, 1, 2],
      ]),
    ).toEqual([1, 1, 1]);
  });

  it("agree with joining every pair", () => {
    const row = fc.tuple(
      fc.constantFrom(null, 1, 2),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: -1, max: 3 }),
      fc.integer({ min: 0, max: 2 }),
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
        const groups = rows.map((_, index) => index + 1);
        const joins = (a: Row, b: Row): boolean =>
          a[0] !== null &&
          a[0] === b[0] &&
          (a[0]! % 2 === 1 || a[1] === b[1] || (a[2] === b[2] && a[2] >= 0) || (a[3] === b[3] && a[3]! > 0));
        for (const a of rows.keys())
          for (const b of rows.keys())
            if (joins(rows[a]!, rows[b]!)) {
              const [from, to] = [Math.max(groups[a]!, groups[b]!), Math.min(groups[a]!, groups[b]!)];
              for (const [at, group] of groups.entries()) if (group === from) groups[at] = to;
            }
        const sizes = groups.map((group) => groups.filter((other) => other === group).length);
        expect(columnOf(rows)).toEqual(groups.map((group, at) => (sizes[at]! > 1 ? group : 0)));
      }),
    );
  });
});

describe("a list of messages", () => {
  const texts = new RepeatedTexts(Uint32Array.from([0, 1, 0, 1, 4, 4]));

  it("keeps the first of each text, in its order", () => {
    expect([5, 3, 2, 1, 4].filter(texts.firstOfText())).toEqual([5, 3, 2]);
    expect(texts.othersOf(3)).toEqual([1]);
    expect(texts.othersOf(2)).toEqual([]);
  });

  it("knows the others of each text, however it is asked", () => {
    const column = Uint32Array.from([0, 1, 0, 1, 4, 4, 1]);
    const known = new RepeatedTexts(column);
    for (const [document, others] of [[], [3, 6], [], [1, 6], [5], [4], [1, 3], []].entries()) {
      expect(known.othersOf(document)).toEqual(others);
      expect(othersWithText(column, document)).toEqual(others);
    }
  });

  it("is left as it is where no keys are", () => {
    const unknown = new RepeatedTexts(new Uint32Array(0));
    expect([2, 1].filter(unknown.firstOfText())).toEqual([2, 1]);
    expect(unknown.othersOf(2)).toEqual([]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messagesWithText, RepeatedTexts, repeatsColumn } from "./repeated-texts.ts";

describe("which messages repeat a text", () => {
  it("are those with an equal key, after the first", () => {
    const keys = Float64Array.from([Number.NaN, 14, 16, 14, Number.NaN, 14, 18, 18]);
    expect([...repeatsColumn(keys)]).toEqual([0, 1, 0, 1, 0, 1, 6, 6]);
  });

  it("are all that have a text together with another", () => {
    const text = fc.option(fc.nat(4), { nil: Number.NaN });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
        const keys = [Number.NaN, ...texts];
        const column = repeatsColumn(Float64Array.from(keys));
        for (const [at, key] of keys.entries())
          for (const [before, earlier] of keys.slice(0, at).entries()) {
            const isSame = column[at] !== 0 && column[at] === column[before];
            expect(isSame).toBe(key === earlier);
          }
      }),
    );
  });
});

describe("a list of messages", () => {
  it("finds the other messages with each text, for every kind of request", () => {
    const column = Uint32Array.from([0, 1, 0, 1, 4, 4, 1]);
    const known = new RepeatedTexts(column);
    for (const [document, others] of [[], [3, 6], [], [1, 6], [5], [4], [1, 3], []].entries()) {
      const text = known.textOf(document);
      for (const saying of [known.messagesOf(text), messagesWithText(column, text)])
        expect(saying.filter((other) => other !== document)).toEqual(others);
    }
  });

  it("is unchanged without keys", () => {
    const unknown = new RepeatedTexts(new Uint32Array(0));
    expect(unknown.textOf(2)).toBe(0);
    expect(unknown.messagesOf(0)).toEqual([]);
  });
});

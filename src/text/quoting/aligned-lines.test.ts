import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alignedStretches } from "./aligned-lines.ts";

function stretchesOf(text: string): readonly (readonly [string, string])[] {
  return alignedStretches(text).map(({ kind, start, end }) => [kind, text.slice(start, end)] as const);
}

const PATCH = `diff --git a/crane.c b/crane.c
index 1234567..89abcde 100644
--- a/crane.c
+++ b/crane.c
@@ -1,4 +1,4 @@
 int lift(void)
 {
-	return 1;
+	return 2;

 }
`;
const TABLE = `Berth   Ship          Tons
------  ------------  ----
1       Anna Maria     400
2       Boreas       1,200
`;

describe("alignedStretches", () => {
  it("finds a patch with its headers", () => {
    expect(stretchesOf(`Here it is.\n\n${PATCH}\nThanks\n`)).toEqual([["patch", PATCH]]);
    expect(stretchesOf(`${PATCH}-- \n2.39.5\n`)).toEqual([["patch", PATCH]]);
    expect(stretchesOf(`@@ -1 +1 @@\n-a\n+b\nDone.`)).toEqual([["patch", "@@ -1 +1 @@\n-a\n+b\n"]]);
  });

  it("finds a table with its rules, by tabs too", () => {
    expect(stretchesOf(`The berths:\n${TABLE}\nRegards\n`)).toEqual([["table", TABLE]]);
    expect(stretchesOf("a\t1\nbb\t2\nccc\t3\n")).toEqual([["table", "a\t1\nbb\t2\nccc\t3\n"]]);
  });

  it("excludes prose, lists, signatures and rules", () => {
    for (const text of [
      "One sentence.  Another one.  And a third.\nMore of it.  And more.\nThe end.  Really.\n",
      "- one\n- two\n+ three\n--- \n*** four\n",
      "Ann Reed    Harbour Office\nBerth 7\n",
      "--------------------------\n==========================\n",
      "--- Forwarded by Ann Reed ---\nHello\n",
      "*  one\n*  two\n*  three\n",
      ">  quoted\n>  twice\n>  and more\n",
      "| framed text here    |\n| and more of it      |\n| and the end         |\n",
      "They called this morning  and said that all of it could be sold  at a fair price, with the approval of the harbour, in a week.\n".repeat(
        3,
      ),
      "a  b\nc    d\n     e     f\n",
      "",
    ])
      expect(stretchesOf(text), text).toEqual([]);
  });

  it("returns complete, ordered and separate lines of any text", () => {
    const line = fc.oneof(
      fc.constantFrom("a  b  c", "--- x", "+++ y", "@@ -1,2 +3 @@", "+ z", "\t", "", "one two", "-- ", "----  ---"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line), (parts) => {
        const text = parts.join("\n");
        let last = 0;
        for (const { start, end } of alignedStretches(text)) {
          expect(start >= last && end > start).toBe(true);
          expect(start === 0 || text[start - 1] === "\n").toBe(true);
          expect(end === text.length || text[end - 1] === "\n").toBe(true);
          last = end;
        }
      }),
    );
  });
});

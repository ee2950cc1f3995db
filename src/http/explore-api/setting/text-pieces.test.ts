import fc from "fast-check";
import { expect, it } from "vitest";
import { PIECE_LENGTH, pieceCount, textPiece } from "./text-pieces.ts";

it("divides any text without loss, between characters", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -3, max: 3 }), fc.boolean(), (full, more, isOdd) => {
      const length = Math.max(0, full * PIECE_LENGTH + more);
      const text = (isOdd ? "a" : "") + "😀".repeat(Math.ceil(length / 2));
      const pieces = Array.from({ length: pieceCount(text) }, (_, number) => textPiece(text, number));
      expect(pieces.map((piece) => piece.text).join("") === text).toBe(true);
      let start = 0;
      for (const piece of pieces) {
        expect(piece.start).toBe(start);
        expect(piece.text.isWellFormed()).toBe(true);
        start += piece.text.length;
      }
    }),
    { numRuns: 60 },
  );
});

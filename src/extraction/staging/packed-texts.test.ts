import { expect, it } from "vitest";
import { packTexts, unpackTexts } from "./packed-texts.ts";

it("returns texts in order after they crossed threads", () => {
  const texts = ["Ann Miller", "", "mill.example", "Zoë\nLine", "\u{1f4e7}"];
  const packed = packTexts(texts);
  expect([...unpackTexts(structuredClone(packed))]).toEqual(texts);
  expect(packed.utf8.buffer.byteLength).toBe(packed.ends.at(-1));
});

it("packs no texts", () => {
  expect([...unpackTexts(packTexts([]))]).toEqual([]);
});

import { expect, it } from "vitest";
import { TextMemory } from "./text-memory.ts";

const MIB = 1 << 20;
const text = (bytes: number, subject: string | null = null) => ({
  body: new Uint8Array(bytes),
  subject: subject === null ? null : Buffer.from(subject),
  files: null,
});

it("caches the most recently read texts, up to 16 MiB", () => {
  const memory = new TextMemory();
  for (let document = 0; document < 200; document++) {
    memory.keep(document, text(MIB / 8));
    // Read each time, so it is evicted last.
    memory.get(0, false, false);
  }
  expect(memory.get(0, false, false)).toBeDefined();
  expect(memory.get(1, false, false)).toBeUndefined();
  expect(memory.get(199, false, false)).toBeDefined();
  const kept = Array.from({ length: 200 }, (_, document) => document).filter((document) =>
    memory.get(document, false, false),
  );
  expect(kept.length).toBe(127);
});

it("counts a text that is read again once", () => {
  const memory = new TextMemory();
  memory.keep(1, text(MIB / 8));
  for (let time = 0; time < 500; time++) memory.keep(2, text(MIB / 8));
  expect(memory.get(1, false, false)).toBeDefined();
});

it("evicts nothing for a huge text", () => {
  const memory = new TextMemory();
  memory.keep(1, text(10));
  memory.keep(2, text(20 * MIB));
  expect(memory.get(1, false, false)).toBeDefined();
  expect(memory.get(2, false, false)).toBeUndefined();
});

it("reads a text again if it was cached without its subject or files", () => {
  const memory = new TextMemory();
  memory.keep(1, text(10));
  memory.keep(2, text(10, ""));
  expect(memory.get(1, true, false)).toBeUndefined();
  expect(memory.get(2, true, false)).toBeDefined();
  expect(memory.get(2, true, true)).toBeUndefined();
  memory.keep(3, { ...text(10), files: [{ name: "a.txt", text: "a" }] });
  expect(memory.get(3, false, true)).toBeDefined();
  memory.keep(4, { ...text(10), files: [{ name: "a.txt", text: "a".repeat(MIB) }] });
  expect(memory.get(4, false, false)).toBeUndefined();
});

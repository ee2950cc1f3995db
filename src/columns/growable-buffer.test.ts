import { expect, it } from "vitest";
import { GrowableBuffer } from "./growable-buffer.ts";
import { Utf8Buffer } from "./utf8-buffer.ts";

it("grows in place within its reservation, then moves with its contents", () => {
  const memory = new GrowableBuffer(8);
  const first = memory.buffer;
  new Uint8Array(first)[7] = 7;
  memory.resize(1 << 20);
  expect(memory.buffer).toBe(first);
  memory.resize((1 << 20) + 1);
  expect(memory.buffer).not.toBe(first);
  expect([new Uint8Array(memory.buffer)[7], new Uint8Array(memory.buffer)[1 << 20]]).toEqual([7, 0]);
  memory.resize(0);
  memory.resize(8);
  expect(new Uint8Array(memory.buffer)[7]).toBe(0);
});

it("rejects sizes above 32 bits", () => {
  const message = "a run can store at most 4294967295 bytes of one kind in memory";
  expect(() => new GrowableBuffer(8).resize(2 ** 32)).toThrow(
    expect.objectContaining({ code: "ARCHIVE_FULL", message }),
  );
});

it("collects text and bytes as UTF-8", () => {
  const buffer = new Utf8Buffer();
  const text = "Grüße, 世界 🌍\n".repeat(2_000);
  buffer.text(text);
  buffer.append(Buffer.from("end"));
  expect(buffer.view().toString()).toBe(`${text}end`);
  buffer.reserve(3);
  buffer.bytes[buffer.length++] = 0x21;
  expect(buffer.view().toString("utf8", buffer.length - 4)).toBe("end!");
  buffer.clear();
  expect(buffer.view()).toHaveLength(0);
});

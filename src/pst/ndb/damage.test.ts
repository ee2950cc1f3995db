import { expect, it } from "vitest";
import { DamageLog } from "./damage.ts";

it("collects damage up to a limit", () => {
  const log = new DamageLog(100);
  for (let block = 0; block < 30; block++) log.note("block-damaged", `block ${block}`);
  const notes = log.drain();
  expect(notes).toHaveLength(20);
  expect(notes[0]).toEqual({ code: "block-damaged", message: "block 0" });
  expect(log.drain()).toEqual([]);
});

it("limits the bytes read for one item, and reports when the limit is reached", () => {
  const log = new DamageLog(100);
  expect([log.spend(60), log.spend(60), log.spend(40)]).toEqual([true, false, true]);
  expect(log.remaining()).toBe(0);
  expect(log.drain().map(({ code }) => code)).toEqual(["limit-reached"]);
  expect(log.remaining()).toBe(100);
});

it("limits the values of an item to 32 MiB", () => {
  const log = new DamageLog(100);
  expect([log.mayKeep(20 << 20), log.mayKeep(20 << 20), log.mayKeep(12 << 20)]).toEqual([true, false, true]);
  log.drain();
  expect(log.mayKeep(20 << 20)).toBe(true);
});

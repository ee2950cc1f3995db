import { expect, it } from "vitest";
import { PublishGate } from "./publish-gate.ts";

it("lets a run publish unless it was stopped, and reports a stop that comes too late", () => {
  const gate = new PublishGate();
  expect(gate.pass()).toBe(true);
  expect(gate.close()).toBe(false);
  expect(gate.pass()).toBe(true);
});

it("holds a stopped run back, in whatever thread it is", () => {
  const gate = new PublishGate();
  expect(new PublishGate(gate.memory).close()).toBe(true);
  expect(gate.pass()).toBe(false);
  expect(gate.close()).toBe(true);
});

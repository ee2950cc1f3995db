import { expect, it } from "vitest";
import { PublishGate } from "./publish-gate.ts";

it("lets a run publish unless it was stopped, and reports a late stop", () => {
  const gate = new PublishGate();
  expect(gate.pass()).toBe(true);
  expect(gate.close()).toBe(false);
  expect(gate.pass()).toBe(true);
});

it("blocks a stopped run in any thread", () => {
  const gate = new PublishGate();
  expect(new PublishGate(gate.memory).close()).toBe(true);
  expect(gate.pass()).toBe(false);
  expect(gate.close()).toBe(true);
});

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ArchiveError } from "../../../errors.ts";
import { loggedFault } from "./logged-fault.ts";

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

it("logs kind, code and location of a fault and its causes, but no names from messages", () => {
  const cause = thrownBy(() => readFileSync("/nowhere/Secret Plan.mbox"));
  const [fault, reason, ...rest] = loggedFault(
    new ArchiveError("SOURCE_UNREADABLE", "Secret Plan.mbox\n    at Secret", { cause }),
  );
  expect(fault).toMatchObject({ type: "ArchiveError", code: "SOURCE_UNREADABLE" });
  expect(reason).toMatchObject({ type: "Error", code: "ENOENT" });
  expect(rest).toEqual([]);
  expect(reason?.at.join()).toContain("logged-fault.test.ts");
  expect(JSON.stringify([fault, reason])).not.toMatch(/Secret Plan|nowhere/);
});

it("hides text quoted by JSON.parse, and logs programming errors", () => {
  expect(JSON.stringify(loggedFault(thrownBy(() => JSON.parse("secret"))))).not.toContain("secret");
  expect(loggedFault(thrownBy(() => (null as unknown as string).length))[0]?.message).toContain(
    "Cannot read properties of null",
  );
});

it("accepts any value, and ends in cyclic causes", () => {
  expect(loggedFault("text")).toEqual([]);
  const loop: Error & { cause?: unknown } = new Error("a");
  loop.cause = loop;
  expect(loggedFault(loop).length).toBeLessThan(10);
});

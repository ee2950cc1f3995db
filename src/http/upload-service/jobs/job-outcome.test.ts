import { describe, expect, it } from "vitest";
import { ArchiveError } from "../../../errors.ts";
import { jobFaultOf } from "./job-fault.ts";
import { outcomeOf } from "./job-outcome.ts";
import type { JobEnd } from "./job-process.ts";

const END: JobEnd = { fault: null, exitCode: 0, signalName: null, lastWords: "" };
const RESULT = {
  counts: { messages: 1, contacts: 1, threads: 1, topics: 1, calendarEvents: 0, attachments: 0 },
  extractedAt: 5,
};

describe("the outcome of a job", () => {
  it("is the result written by the job, for any exit code", () => {
    const kill: JobEnd = { ...END, exitCode: null, signalName: "SIGKILL" };
    expect([END, kill].map((end) => outcomeOf(end, RESULT))).toEqual([
      { kind: "completed", result: RESULT },
      { kind: "completed", result: RESULT },
    ]);
  });

  it("is the fault that the job reported", () => {
    const fault = { code: "PASSWORD_REQUIRED", message: "mail.pst: protected", trace: ["ArchiveError"] } as const;
    expect(outcomeOf({ ...END, exitCode: null, signalName: "SIGKILL", fault }, null)).toEqual({
      kind: "failed",
      fault: { code: "PASSWORD_REQUIRED", message: "mail.pst: protected" },
      trace: ["ArchiveError"],
    });
  });

  it.each(["SIGKILL", "SIGTERM"])("is an interruption when others ended it by %s", (signalName) => {
    const outcome = outcomeOf({ ...END, exitCode: null, signalName }, null);
    expect(outcome).toMatchObject({ kind: "interrupted", fault: { code: "EXTRACTION_CRASHED" } });
    expect(outcome).toHaveProperty("fault.message", expect.stringContaining(signalName));
  });

  it.each([
    ["SIGSEGV", { exitCode: null, signalName: "SIGSEGV" }],
    ["exit code 3", { exitCode: 3 }],
    ["exit code 0", { exitCode: 0 }],
    ["it could not be started", { exitCode: null }],
  ] as const)("is a failure for good after %s: another try would end so again", (how, end) => {
    const outcome = outcomeOf({ ...END, ...end }, null);
    expect(outcome).toMatchObject({ kind: "failed", fault: { code: "EXTRACTION_CRASHED" } });
    expect(outcome).toHaveProperty("fault.message", expect.stringContaining(how));
  });

  it("distinguishes a full heap from other ends, and suggests a solution", () => {
    const lastWords =
      "<--- Last few GCs --->\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n    at secret\n";
    for (const end of [{ signalName: "SIGABRT", exitCode: null }, { exitCode: 134 }]) {
      const outcome = outcomeOf({ ...END, ...end, lastWords }, null);
      expect(outcome).toMatchObject({ kind: "failed", fault: { code: "EXTRACTION_CRASHED" } });
      expect(outcome).toHaveProperty("fault.message", expect.stringMatching(/ran out of memory: .*split the archive/));
    }
  });

  it("reports everything in one line", () => {
    for (const end of [END, { ...END, signalName: "SIGKILL" }, { ...END, lastWords: "heap out of memory\nmore" }])
      expect(outcomeOf(end, null)).toHaveProperty("fault.message", expect.not.stringContaining("\n"));
  });
});

describe("the fault of a job", () => {
  it("keeps the error of the upload, with a hint for uploads", () => {
    expect(jobFaultOf(new ArchiveError("DAMAGED_SOURCE", "mail.pst: nothing can be read"))).toMatchObject({
      code: "DAMAGED_SOURCE",
      message: "mail.pst: nothing can be read",
    });
    expect(jobFaultOf(new ArchiveError("PASSWORD_REQUIRED", "mail.pst: is protected")).message).toBe(
      "mail.pst: is protected: set the field password and upload it again",
    );
  });

  it("contains no path of the server", () => {
    for (const code of ["DISK_FULL", "OUTPUT_UNWRITABLE", "INTERNAL_ERROR"] as const) {
      const fault = jobFaultOf(new ArchiveError(code, "cannot write /var/lib/secret/uploads"));
      expect(fault.code).toBe(code);
      expect(fault.message).not.toContain("secret");
    }
  });

  it("contains no text of an unexpected error, which may quote mail", () => {
    const fault = jobFaultOf(new TypeError("cannot read 'Dear Mara' of undefined\n    at the top of my letter"));
    expect(fault.code).toBe("INTERNAL_ERROR");
    expect(JSON.stringify(fault)).not.toContain("Mara");
    expect(fault.trace[0]).toBe("TypeError");
    expect(fault.trace.length).toBeGreaterThan(1);
  });

  it("identifies a full disk and a full worker by system codes", () => {
    expect(jobFaultOf(Object.assign(new Error("write"), { code: "ENOSPC" })).code).toBe("DISK_FULL");
    const worker = Object.assign(new Error("terminated"), { code: "ERR_WORKER_OUT_OF_MEMORY" });
    expect(jobFaultOf(new ArchiveError("INTERNAL_ERROR", "a worker stopped", { cause: worker })).code).toBe(
      "EXTRACTION_CRASHED",
    );
  });
});

import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { settleOutput } from "../../src/extraction/publishing/output-claim.ts";
import { type DiskFault, layUnderDisk, systemError } from "../disk-layer.ts";
import { ALL_FORMATS } from "../extraction-request.ts";
import { UNSLOWED_DIRECTORY } from "../power-cut.ts";
import { extractInline } from "../property/extraction.ts";
import { LETTERS, rawMessage, writeMbox } from "./fixture-mail.ts";

/**
 * Number of calls at which each kind of fault occurs in each kind of run; DISTURBED_CALLS=all tests every call (some
 * minutes).
 */
const DISTURBED_CALLS = process.env["DISTURBED_CALLS"] === "all" ? Number.POSITIVE_INFINITY : 15;

const scratch = mkdtempSync(join(UNSLOWED_DIRECTORY, "archivetool-disturbed-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const never = new AbortController().signal;
const [first, second, third] = LETTERS.map(rawMessage) as [string, string, string];
const mail = join(scratch, "mail.mbox");
const EARLY = [first, third];
const LATE = [first, second, third];

let places = 0;
function newPlace(): string {
  places++;
  return join(scratch, `output-${places}`);
}

async function extract(output: string, paths: readonly string[], incremental: boolean): Promise<void> {
  await extractInline(paths, output, { incremental }, ALL_FORMATS);
}

/** Hash of every file except the lock; includes leftovers of runs. */
function contentOf(directory: string): Record<string, string> {
  const entries = safely(() => readdirSync(directory, { recursive: true, withFileTypes: true }));
  const files = entries.filter((entry) => entry.isFile() && entry.name !== ".archivetool-lock");
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(directory.length + 1), createHash("sha256").update(readFileSync(path)).digest("hex")];
    }),
  );
}

function safely<T>(list: () => readonly T[]): readonly T[] {
  try {
    return list();
  } catch {
    return [];
  }
}

const KINDS = {
  "a first run": { earlier: null, incremental: false },
  "a run over an earlier output": { earlier: EARLY, incremental: false },
  "a further run": { earlier: EARLY, incremental: true },
} as const;

const failsWith =
  (code: string): DiskFault =>
  (call) =>
    systemError(code, call);
const noFault: DiskFault = () => null;
const ERRORS = ["EIO", "ENOSPC", "EDQUOT"] as const;

/** Faults at a call and, after a kill, at all later ones. The errors take turns. */
const FAULTS: Readonly<Record<string, (at: number, turn: number) => (call: number) => DiskFault>> = {
  "a kill": (at) => (call) => (call >= at ? failsWith("EKILLED") : noFault),
  "an error": (at, turn) => (call) => (call === at ? failsWith(ERRORS[turn % ERRORS.length]!) : noFault),
};

describe.each(Object.entries(KINDS))("%s", (_kind, { earlier, incremental }) => {
  it.each(Object.keys(FAULTS))("is undone or finished after %s at any point", async (fault) => {
    const begin = newPlace();
    if (earlier !== null) {
      writeMbox(mail, earlier);
      await extract(begin, [mail], false);
    }
    writeMbox(mail, LATE);
    const before = contentOf(begin);
    const disturbed = async (faultAt: (call: number) => DiskFault) => {
      const output = newPlace();
      if (earlier !== null) cpSync(begin, output, { recursive: true });
      let calls = 0;
      const takeAway = layUnderDisk((call) => {
        calls++;
        return faultAt(calls)(call);
      });
      try {
        await extract(output, [mail], incremental);
        return { output, calls, hasFailed: false };
      } catch {
        return { output, calls, hasFailed: true };
      } finally {
        takeAway();
      }
    };
    const whole = await disturbed(() => noFault);
    expect(whole.hasFailed).toBe(false);
    const after = contentOf(whole.output);
    expect(Object.keys(after).length).toBeGreaterThan(15);
    const step = Math.max(1, Math.floor(whole.calls / DISTURBED_CALLS));
    for (let at = 1 + (step >> 1), turn = 0; at <= whole.calls; at += step, turn++) {
      const what = `${fault} (turn ${turn}) at call ${at} of ${whole.calls}`;
      const { output, hasFailed } = await disturbed(FAULTS[fault]!(at, turn));
      const hadLeftovers = safely(() => readdirSync(output)).some((name) => name.startsWith(".archivetool-run"));
      const notes = await settleOutput(output, never);
      expect(notes.length > 0, what).toBe(hadLeftovers);
      const found = contentOf(output);
      const isAfter = found["index.md"] === after["index.md"];
      expect(found, what).toEqual(isAfter ? after : before);
      if (!hasFailed) expect(isAfter, what).toBe(true);
      await extract(output, [mail], incremental);
      expect(contentOf(output), what).toEqual(after);
      rmSync(output, { recursive: true });
    }
  });
});

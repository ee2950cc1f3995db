import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type DiskFault, layUnderDisk, systemError } from "../../../test/disk-layer.ts";
import { ForgetfulDisk, type KeptNames, UNSLOWED_DIRECTORY } from "../../../test/power-cut.ts";
import { missingDirectories } from "../../files/make-directories.ts";
import { claimOutput, removeStoppedRun, settleOutput } from "./output-claim.ts";
import { PublishGate } from "./publish-gate.ts";

const scratch = mkdtempSync(join(UNSLOWED_DIRECTORY, "archivetool-claim-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let count = 0;
function newPlace(): string {
  count++;
  return join(scratch, `place-${count}`);
}

const never = new AbortController().signal;

type Output = Readonly<Record<string, string>>;

/**
 * Output of an earlier run, and changes of the next one: some files are rewritten, some removed, some are in new
 * directories.
 */
const EARLIER: Output = {
  "archive.db": "earlier store",
  "provenance.json": "earlier record",
  "index.md": "earlier index",
  "wiki/contacts/a.md": "earlier a",
  "wiki/old/b.md": "earlier b",
};
const LATER: Output = {
  "archive.db": "later store, and longer",
  "provenance.json": "later record",
  "index.md": "later index",
  "wiki/contacts/a.md": "later a",
  "wiki/contacts/c.md": "later c",
  "wiki/new/deep/d.md": "later d",
};

async function run(directory: string, output: Output): Promise<void> {
  const claimant = {
    directory,
    processId: process.pid,
    begunAt: 0,
    command: null,
    isIncremental: false,
    signal: never,
  };
  const claim = await claimOutput(claimant);
  try {
    for (const [path, text] of Object.entries(output)) {
      const target = join(claim.run.output, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
    writeFileSync(join(claim.run.staging, "text"), "not redacted");
    await claim.publish(new Set(), { signal: never, gate: new PublishGate() });
  } finally {
    claim.close();
  }
}

/** Every file except the lock, which always exists, and the list of files, which differs with them. */
function contentOf(directory: string): Record<string, string> {
  const content: Record<string, string> = {};
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(directory.length + 1);
    if (entry.isFile() && path !== ".archivetool-lock" && path !== ".archivetool-files.json")
      content[path.replaceAll("\\", "/")] = readFileSync(join(directory, path), "utf8");
  }
  return content;
}

function leftoversIn(directory: string): readonly string[] {
  return readdirSync(directory).filter((name) => name.startsWith(".archivetool-run") || name.endsWith(".tmp"));
}

/** State before a run: no output, or an earlier output that contains a file of the user. */
const BEGINNINGS = { "a first run": null, "a run over an earlier output": EARLIER } as const;
const NOTES: Output = { "wiki/my notes.md": "mine" };

async function begin(earlier: Output | null): Promise<string> {
  const directory = newPlace();
  if (earlier === null) return directory;
  await run(directory, earlier);
  for (const [path, text] of Object.entries(NOTES)) writeFileSync(join(directory, path), text);
  return directory;
}

function expected(earlier: Output | null, output: Output): Output {
  return earlier === null ? output : { ...output, ...NOTES };
}

interface Disturbance {
  readonly calls: number;
  readonly error: unknown;
}

/** Runs over a directory on a failing disk. Returns the calls made and the error. */
async function disturbed(directory: string, faultAt: (call: number) => DiskFault): Promise<Disturbance> {
  let calls = 0;
  const takeAway = layUnderDisk((call) => {
    calls++;
    return faultAt(calls)(call);
  });
  try {
    await run(directory, LATER);
    return { calls, error: null };
  } catch (error) {
    return { calls, error };
  } finally {
    takeAway();
  }
}

const noFault: DiskFault = () => null;
const failsWith =
  (code: string): DiskFault =>
  (call) =>
    systemError(code, call);

/** Simulates a kill: nothing reaches the disk from a certain call on. */
const FAULTS: Readonly<Record<string, (at: number) => (call: number) => DiskFault>> = {
  kill: (at) => (call) => (call >= at ? failsWith("EKILLED") : noFault),
  EIO: (at) => (call) => (call === at ? failsWith("EIO") : noFault),
  ENOSPC: (at) => (call) => (call === at ? failsWith("ENOSPC") : noFault),
  EDQUOT: (at) => (call) => (call === at ? failsWith("EDQUOT") : noFault),
  EXDEV: (at) => (call) => (call === at ? failsWith("EXDEV") : noFault),
  "a disk that stays broken": (at) => (call) => (call >= at ? failsWith("EIO") : noFault),
};

/**
 * Readers find the complete earlier or later output, and another run gives the same result as an undisturbed one.
 */
async function requireWhole(directory: string, earlier: Output | null, what: string): Promise<"earlier" | "later"> {
  const hadLeftovers = safely(() => leftoversIn(directory), []).some((name) => name.startsWith(".archivetool-run"));
  const notes = await settleOutput(directory, never);
  expect(notes.length > 0, `${what}: leftovers are reported`).toBe(hadLeftovers);
  const found = safely(() => contentOf(directory), {});
  expect(
    safely(() => leftoversIn(directory), []).filter((name) => name.startsWith(".archivetool-run")),
    what,
  ).toEqual([]);
  const later = expected(earlier, LATER);
  const before = earlier === null ? {} : expected(earlier, earlier);
  const isLater = found["index.md"] === LATER["index.md"];
  const { ["provenance.json.tmp"]: _, ...files } = found;
  expect(files, what).toEqual(isLater ? later : before);
  await run(directory, LATER);
  expect(contentOf(directory), what).toEqual(later);
  expect(leftoversIn(directory), what).toEqual([]);
  return isLater ? "later" : "earlier";
}

function safely<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}

describe.each(Object.entries(BEGINNINGS))("%s", (_name, earlier) => {
  it.each(Object.keys(FAULTS))("is all or nothing if %s happens at any file operation", async (fault) => {
    const { calls } = await disturbed(await begin(earlier), () => noFault);
    expect(calls).toBeGreaterThan(40);
    const ends = new Set<string>();
    for (let at = 1; at <= calls; at++) {
      const directory = await begin(earlier);
      const { error } = await disturbed(directory, FAULTS[fault]!(at));
      const end = await requireWhole(directory, earlier, `${fault} at call ${at} of ${calls}`);
      if (error === null) expect(end, `${fault} at call ${at}: success is true`).toBe("later");
      ends.add(`${end}, ${error === null ? "success" : "error"}`);
    }
    // Checks that both cases occurred: interrupted before the new output was complete, and after.
    expect(ends.size).toBeGreaterThan(1);
  });

  it.skipIf(process.platform !== "linux").each(["synced", "all"] as const)(
    "survives a power failure at any file operation, if the disk keeps %s names",
    async (kept: KeptNames) => {
      const directory = await begin(earlier);
      const parent = newPlace();
      mkdirSync(parent);
      const root = join(parent, "output");
      if (earlier !== null) {
        mkdirSync(root);
        for (const [path, text] of Object.entries(allOf(directory))) {
          mkdirSync(dirname(join(root, path)), { recursive: true });
          writeFileSync(join(root, path), text);
        }
      }
      const disk = new ForgetfulDisk(parent);
      const images: string[] = [];
      const cut = (): void => {
        const image = newPlace();
        disk.cut(image, kept);
        images.push(join(image, "output"));
      };
      let isCutting = false;
      const { error } = await disturbed(root, () => (call) => {
        if (isCutting) return null;
        isCutting = true;
        cut();
        disk.observe(call);
        isCutting = false;
        return null;
      });
      expect(error).toBeNull();
      cut();
      disk.close();
      expect(allOf(images.at(-1)!), "what success has said").toEqual(allOf(root));
      const ends = new Set<string>();
      for (const [call, image] of images.entries())
        ends.add(await requireWhole(image, earlier, `cut at call ${call} of ${images.length}`));
      expect([...ends].sort()).toEqual(["earlier", "later"]);
    },
  );
});

/** All files by path. */
function allOf(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(directory.length + 1), readFileSync(path, "utf8")];
    }),
  );
}

it.each(["complete", "without its owner file, as by an interrupted removal"])(
  "removes the directory of a stopped run: %s",
  async (state) => {
    const directory = newPlace();
    const stopped = { directory, processId: process.pid, begunAt: 0 };
    const made = missingDirectories(directory);
    const claim = await claimOutput({ ...stopped, command: null, isIncremental: false, signal: never });
    if (state !== "complete") rmSync(join(claim.run.root, "owner.json"));
    removeStoppedRun(stopped, made);
    expect(existsSync(directory)).toBe(false);
    claim.close();
  },
);

it("keeps the directory of a run whose owner file cannot be read", async () => {
  const directory = newPlace();
  const stopped = { directory, processId: process.pid, begunAt: 0 };
  const claim = await claimOutput({ ...stopped, command: null, isIncremental: false, signal: never });
  writeFileSync(join(claim.run.root, "owner.json"), "{");
  removeStoppedRun(stopped, []);
  expect(existsSync(claim.run.root)).toBe(true);
  claim.close();
});

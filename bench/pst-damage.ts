import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ArchiveError } from "../src/errors.ts";
import { pst } from "../src/sources/pst.ts";
import { readUnit } from "../src/sources/work-units.ts";
import { DAMAGE_KINDS, type DamageKind, damageStore } from "../test/pst-writer/corruption.ts";
import { fuzzStore, STORE_FORMATS } from "../test/pst-writer/sample-store.ts";
import { isInstalled } from "./peers.ts";

/** Variants of each format and case: 2,394 in all. */
const VARIANTS = 38;
const MAILS = 12;

/**
 * What is damaged, and how. Stores that somebody lived in have pages of their trees all over; others all at the end.
 */
const CASES: readonly { readonly name: string; readonly kind: DamageKind; readonly mailsPerCommit: number }[] = [
  ...DAMAGE_KINDS.map((kind) => ({ name: kind, kind, mailsPerCommit: Number.POSITIVE_INFINITY })),
  { name: "truncated, trees all over", kind: "truncated", mailsPerCommit: 2 },
];

/** A program that takes longer for one store of 200 KB hangs. */
const HANG_MS = 6_000;

interface Sum {
  ours: number;
  theirs: number;
  refused: number;
  fewer: number;
  theirFaults: number;
  slowestMs: number;
}

/** Reads every damaged variant of small stores with the reader and with readpst, and sums what each recovers. */
export async function benchDamage(directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, "damaged.pst");
  const output = join(directory, "readpst");
  const hasPeer = isInstalled("readpst");
  console.log(
    "| Damage | Variants | Messages, ours | Messages, readpst | Ours fewer | We refuse | readpst crashed or hung | Slowest, ours (CPU ms) |",
  );
  console.log("|---|---|---|---|---|---|---|---|");
  for (const { name, kind, mailsPerCommit } of CASES) {
    const sum: Sum = { ours: 0, theirs: 0, refused: 0, fewer: 0, theirFaults: 0, slowestMs: 0 };
    for (const format of STORE_FORMATS) {
      const whole = fuzzStore(format, MAILS, mailsPerCommit);
      for (let seed = 0; seed < VARIANTS; seed++) {
        writeFileSync(path, damageStore(whole, kind, seed));
        const ours = await countOurs(path, sum);
        const theirs = hasPeer ? countTheirs(path, output, sum) : 0;
        sum.ours += ours;
        sum.theirs += theirs;
        if (ours < theirs) sum.fewer++;
      }
    }
    const cells = [
      name,
      STORE_FORMATS.length * VARIANTS,
      sum.ours,
      sum.theirs,
      sum.fewer,
      sum.refused,
      sum.theirFaults,
      sum.slowestMs.toFixed(0),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}

async function countOurs(path: string, sum: Sum): Promise<number> {
  const start = process.cpuUsage();
  let messages = 0;
  try {
    const opened = await pst.open(path, { password: null, skipProtected: false });
    for (const unit of opened.units()) {
      for (const item of readUnit(unit)) {
        if (item.kind !== "mapi") continue;
        messages++;
        for (const part of item.message.attachments) part.bytes();
      }
    }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    sum.refused++;
  }
  const { user, system } = process.cpuUsage(start);
  sum.slowestMs = Math.max(sum.slowestMs, (user + system) / 1000);
  return messages;
}

function countTheirs(path: string, output: string, sum: Sum): number {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output);
  const { signal } = spawnSync("readpst", ["-j", "0", "-e", "-o", output, path], { stdio: "ignore", timeout: HANG_MS });
  if (signal !== null) sum.theirFaults++;
  return readdirSync(output, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".eml")).length;
}

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ArchiveError } from "../src/errors.ts";
import { pst } from "../src/sources/pst/pst.ts";
import { readUnit } from "../src/sources/work-units.ts";
import { DAMAGE_KINDS, type DamageKind, damageStore } from "../test/pst-writer/corruption.ts";
import { fuzzStore, STORE_FORMATS } from "../test/pst-writer/sample-store.ts";
import { isInstalled } from "./peers.ts";

/** Default number of variants of each format and case. */
const VARIANTS = 38;
const MAILS = 12;

/** Kinds of damage. In used stores, pages of the trees are spread; in others, they are at the end. */
const CASES: readonly { readonly name: string; readonly kind: DamageKind; readonly mailsPerCommit: number }[] = [
  ...DAMAGE_KINDS.map((kind) => ({ name: kind, kind, mailsPerCommit: Number.POSITIVE_INFINITY })),
  { name: "truncated, trees all over", kind: "truncated", mailsPerCommit: 2 },
];

/** Time for a store of 200 KB, normally read in 20 ms, after which a program counts as hung. */
const HANG_MS = 1_000;

interface Sum {
  variants: number;
  ours: number;
  theirs: number;
  refused: number;
  fewer: number;
  /** Variants that repeat an item, whose counts would not match. */
  repeated: number;
  theirFaults: number;
  slowestMs: number;
}

/**
 * Reads every damaged variant of small stores with the reader and with readpst, and sums the recovered items. Stops
 * on an error of the reader. @param variants of each format and case
 */
export async function benchDamage(directory: string, variants = VARIANTS): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, "damaged.pst");
  const output = join(directory, "readpst");
  const hasPeer = isInstalled("readpst");
  console.log(
    "| Damage | Variants | Messages, ours | Messages, readpst | Ours fewer | Items twice | We refuse | readpst crashed or hung | Slowest, ours (CPU ms) |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|");
  const all: Sum = { ...NOTHING };
  for (const { name, kind, mailsPerCommit } of CASES) {
    const sum: Sum = { ...NOTHING };
    for (const format of STORE_FORMATS) {
      const whole = fuzzStore(format, MAILS, mailsPerCommit);
      for (let seed = 0; seed < variants; seed++) {
        writeFileSync(path, damageStore(whole, kind, seed));
        const ours = await countOurs(path, sum);
        const theirs = hasPeer ? countTheirs(path, output, sum) : 0;
        sum.variants++;
        sum.ours += ours;
        sum.theirs += theirs;
        if (ours < theirs) sum.fewer++;
      }
    }
    printSum(name, sum);
    for (const figure of Object.keys(all) as (keyof Sum)[])
      all[figure] = figure === "slowestMs" ? Math.max(all[figure], sum[figure]) : all[figure] + sum[figure];
  }
  printSum("all", all);
}

const NOTHING: Sum = {
  ...{ variants: 0, ours: 0, theirs: 0, refused: 0, fewer: 0, repeated: 0, theirFaults: 0, slowestMs: 0 },
};

function printSum(name: string, sum: Sum): void {
  const { variants, ours, theirs, fewer, repeated, refused, theirFaults, slowestMs } = sum;
  const figures = [variants, ours, theirs, fewer, repeated, refused, theirFaults, Math.round(slowestMs)];
  console.log(`| ${name} | ${figures.map((figure) => figure.toLocaleString("en")).join(" | ")} |`);
}

async function countOurs(path: string, sum: Sum): Promise<number> {
  const start = process.cpuUsage();
  let messages = 0;
  const places = new Set<string>();
  let items = 0;
  try {
    const opened = await pst.open(path, { password: null, skipProtected: false });
    for (const unit of opened.units()) {
      for (const item of await readUnit(unit)) {
        if (item.kind !== "note") {
          items++;
          places.add(`${item.kind} ${item.location}`);
        }
        if (item.kind !== "object") continue;
        messages++;
        for (const part of item.message.attachments) part.bytes();
      }
    }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    sum.refused++;
  }
  const { user, system } = process.cpuUsage(start);
  if (places.size < items) sum.repeated++;
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

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SeededRandom } from "../examples/company/seeded-random.ts";
import type { HostileKind } from "../test/hostile/hostile-kind.ts";
import { HOSTILE_KINDS } from "../test/hostile/hostile-kinds.ts";
import { CLI, type Measurement, measure, printRow } from "./measure.ts";
import { directoryBytes, emptyWorkDirectory } from "./work-directory.ts";

const MIB = 1 << 20;
/** Default sizes in MB. */
const DEFAULT_SIZES: readonly number[] = [1, 8, 25, 100];
/** `2/3`: the second of three random parts of all kinds. */
const PART = /^(\d+)\/(\d+)$/;
/** Seed of these parts, so that those of different runs match. */
const DEAL_SEED = 15;
/** CPU seconds above which a kind is reported as slow. */
const SLOW_SECONDS = 5;
/** Maximum seconds of an extraction. */
const TIME_LIMIT_SECONDS = 900;

interface Counts {
  readonly seen: number;
  readonly kept: number;
  readonly duplicate: number;
  readonly skipped: number;
  readonly failed: number;
}

interface Row {
  readonly name: string;
  readonly sizeMb: number;
  readonly figures: Measurement;
  readonly outputBytes: number;
  /** `whole`, the loss, or how the run ended. */
  readonly outcome: string;
}

/**
 * Extracts each kind of hostile message in each size with all outputs, and prints the cost. Fails if a run ended with
 * an error, or counts do not match. @param words sizes in MB, parts of names of kinds, and a part such as `1/3`;
 * everything by default
 */
export async function benchHostile(directory: string, words: readonly string[]): Promise<void> {
  emptyWorkDirectory(directory);
  const sizes = words.filter((word) => /^\d+$/.test(word)).map(Number);
  const flags = words.filter((word) => word.startsWith("--"));
  const kinds = kindsOf(words.filter((word) => !/^\d+$/.test(word) && !word.startsWith("--")));
  const rows: Row[] = [];
  console.log("| Kind | MB | CPU s | Peak memory MB | Output MB | Outcome |");
  console.log("|---|---|---|---|---|---|");
  for (const sizeMb of sizes.length === 0 ? DEFAULT_SIZES : sizes) {
    for (const { name, extension, bytes } of kinds) {
      const source = join(directory, `message.${extension}`);
      writeFileSync(source, bytes(sizeMb * MIB));
      const row = { name, sizeMb, ...(await extractOne(source, join(directory, "output"), flags)) };
      rows.push(row);
      const { figures, outputBytes, outcome } = row;
      const [peak, output] = [figures.peakBytes, outputBytes].map((size) => (size / MIB).toFixed(0));
      printRow([name, sizeMb, figures.cpuSeconds.toFixed(1), peak, output, outcome]);
      rmSync(source);
    }
  }
  printSummary(rows);
}

/** Selected kinds in order. */
function kindsOf(words: readonly string[]): readonly HostileKind[] {
  if (words.length === 0) return HOSTILE_KINDS;
  const dealt = new Set(words.flatMap((word) => dealtKinds(PART.exec(word))));
  const names = words.filter((word) => !PART.test(word));
  return HOSTILE_KINDS.filter((kind) => dealt.has(kind) || names.some((name) => kind.name.includes(name)));
}

function dealtKinds(part: RegExpExecArray | null): readonly HostileKind[] {
  if (part === null) return [];
  const [number, parts] = [Number(part[1]), Number(part[2])];
  return new SeededRandom(DEAL_SEED).shuffled(HOSTILE_KINDS).filter((_, place) => place % parts === number - 1);
}

async function extractOne(
  source: string,
  output: string,
  flags: readonly string[],
): Promise<Omit<Row, "name" | "sizeMb">> {
  const figures = await measure([
    ...["timeout", String(TIME_LIMIT_SECONDS), process.execPath, CLI, "-q", "extract", source, "--output", output],
    ...["--json", "--csv", "--wiki", ...flags],
  ]);
  const isWhole = figures.exitCode === 0;
  const outputBytes = isWhole ? directoryBytes(output) : 0;
  const outcome = isWhole
    ? outcomeOf(join(output, "provenance.json"))
    : `exit ${figures.exitCode}: ${lastLine(figures.output)}`;
  rmSync(output, { recursive: true, force: true });
  return { figures, outputBytes, outcome };
}

function lastLine(output: string): string {
  return (
    output
      .trim()
      .split("\n")
      .findLast((line) => line.includes("rchivetool") || line.includes("rror")) ?? ""
  ).slice(0, 120);
}

/** Outcomes of the items of the only source. */
function outcomeOf(path: string): string {
  const { sources, warnings } = JSON.parse(readFileSync(path, "utf8")) as {
    readonly sources: readonly { readonly counts: Counts }[];
    readonly warnings: readonly { readonly code: string }[];
  };
  const { seen, kept, duplicate, skipped, failed } = sources[0]!.counts;
  if (seen !== kept + duplicate + skipped + failed) return "sum does not hold";
  const codes = [...new Set(warnings.map(({ code }) => code))].join(" ");
  return failed + skipped === 0 ? `whole ${codes}`.trim() : `${failed + skipped} lost of ${seen}: ${codes}`;
}

function isBroken({ outcome }: Row): boolean {
  return outcome.startsWith("exit") || outcome.startsWith("sum");
}

function printSummary(rows: readonly Row[]): void {
  const broken = rows.filter(isBroken);
  const slow = rows.filter(({ figures }) => figures.cpuSeconds > SLOW_SECONDS);
  const largest = Math.max(...rows.map(({ figures }) => figures.peakBytes)) / MIB;
  console.log(
    `\n${rows.length} runs: ${broken.length} ended or did not add up, ${slow.length} took more than ${SLOW_SECONDS} s of CPU`,
  );
  console.log(`most memory: ${largest.toFixed(0)} MB`);
  for (const { name, sizeMb, figures } of slow)
    console.log(`slow: ${name}, ${sizeMb} MB, ${figures.cpuSeconds.toFixed(1)} s`);
  if (broken.length > 0) process.exitCode = 1;
}

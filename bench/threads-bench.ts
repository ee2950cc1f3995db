import { loadavg } from "node:os";
import { join } from "node:path";
import { megabytes, printRow } from "./measure.ts";
import { ROLES, type Role, threadCosts } from "./thread-costs.ts";
import { emptyWorkDirectory } from "./work-directory.ts";

/**
 * Prints the CPU time of an extraction by phase and kind of thread and its private memory, then that of an incremental run with more mail, if
 * given, and that of one without new mail. Needs /proc.
 */
export async function benchThreads(directory: string, mail: string, more?: string): Promise<void> {
  emptyWorkDirectory(directory);
  const extract = ["-q", "extract", "-o", join(directory, "output")];
  await printCosts(`extract ${mail}`, [...extract, mail]);
  const last = more ?? mail;
  if (more !== undefined) await printCosts(`add ${more}`, [...extract, more, "--incremental"]);
  await printCosts("nothing new", [...extract, last, "--incremental"]);
}

async function printCosts(title: string, args: readonly string[]): Promise<void> {
  const begun = performance.now();
  const { byPhase, serialSeconds, peakBytes } = await threadCosts(args);
  const seconds = (performance.now() - begun) / 1000;
  console.log(`\n${title}: ${seconds.toFixed(1)} s, load ${loadavg()[0]!.toFixed(1)}\n`);
  console.log(`| CPU s | ${ROLES.join(" | ")} | sum | MB |\n|---|${"---|".repeat(ROLES.length + 2)}`);
  const total = new Map<Role, number>();
  for (const [phase, ofRoles] of byPhase) {
    printCostRow(phase, ofRoles, peakBytes.get(phase) ?? 0);
    for (const [role, cost] of ofRoles) total.set(role, (total.get(role) ?? 0) + cost);
  }
  printCostRow("all", total, Math.max(...peakBytes.values()));
  console.log(`| serial | ${serialSeconds.toFixed(2)} |${" |".repeat(ROLES.length + 1)}`);
}

function printCostRow(title: string, costs: ReadonlyMap<Role, number>, peakBytes: number): void {
  const cells = ROLES.map((role) => costs.get(role) ?? 0);
  const sum = cells.reduce((all, cost) => all + cost, 0);
  printRow([title, ...[...cells, sum].map((cost) => cost.toFixed(2)), megabytes(peakBytes)]);
}

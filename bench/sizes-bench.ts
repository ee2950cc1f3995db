import { rmSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { growArchive } from "./grow-archive.ts";
import { MboxSink } from "./mail-sink.ts";
import { megabytes, printRow } from "./measure.ts";
import { type ThreadCosts, threadCosts } from "./thread-costs.ts";
import { emptyWorkDirectory } from "./work-directory.ts";

/**
 * Prints CPU time, memory and serial share of extractions of the same mail in several sizes. Needs /proc.
 * @param factors of growth, ascending
 */
export async function benchSizes(directory: string, mail: string, factors: readonly number[]): Promise<void> {
  emptyWorkDirectory(directory);
  const [grown, output] = [join(directory, "grown.mbox"), join(directory, "output")];
  console.log("| Messages | CPU s | ms per message | elapsed s | serial CPU s | of CPU | MB | load |");
  console.log(`|${"---|".repeat(8)}`);
  for (const factor of factors) {
    const messages = await growArchive([mail], factor, new MboxSink(grown));
    const begun = performance.now();
    const costs = await threadCosts(["-q", "extract", grown, "-o", output]);
    printSize(messages, (performance.now() - begun) / 1000, costs);
    rmSync(output, { recursive: true });
  }
}

function printSize(messages: number, seconds: number, { byPhase, serialSeconds, peakBytes }: ThreadCosts): void {
  const cpu = [...byPhase.values()].flatMap((ofRoles) => [...ofRoles.values()]).reduce((sum, cost) => sum + cost, 0);
  printRow([
    messages.toLocaleString("en-US"),
    cpu.toFixed(1),
    ((cpu * 1000) / messages).toFixed(2),
    seconds.toFixed(1),
    serialSeconds.toFixed(1),
    `${((serialSeconds / cpu) * 100).toFixed(0)} %`,
    megabytes(Math.max(...peakBytes.values())),
    loadavg()[0]!.toFixed(1),
  ]);
}

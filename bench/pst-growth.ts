import { join, resolve } from "node:path";
import { FileSink } from "../test/pst-writer/file-sink.ts";
import { sampleMail } from "../test/pst-writer/sample-store.ts";
import { StoreWriter } from "../test/pst-writer/store-writer.ts";
import { measure, megabytes, printRow } from "./measure.ts";
import { emptyWorkDirectory } from "./work-directory.ts";

const READER = resolve(import.meta.dirname, "pst-reader.mjs");
/** Messages of one folder, and recipients of each of a hundred messages. */
const FOLDER_SIZES = [1, 5_000, 20_000] as const;
const RECIPIENTS = [1, 250, 1_000] as const;
const ADDRESSED = 100;

/**
 * Reads stores that differ in one size: the cost per message of a folder, or recipient of a message, must not grow
 * with it.
 */
export async function benchGrowth(directory: string): Promise<void> {
  emptyWorkDirectory(directory);
  const path = join(directory, "growth.pst");
  console.log("| Store | CPU s | Peak memory MB |");
  console.log("|---|---|---|");
  for (const messages of FOLDER_SIZES) {
    writeStore(path, messages, 2);
    await report(`one folder of ${messages} messages`, path);
  }
  for (const recipients of RECIPIENTS) {
    writeStore(path, ADDRESSED, recipients);
    await report(`${ADDRESSED} messages to ${recipients} recipients each`, path);
  }
}

function writeStore(path: string, messages: number, recipients: number): void {
  const sink = new FileSink(path);
  const store = new StoreWriter(sink, { layout: "unicode", encoding: "permute" });
  const folder = store.addFolder("Inbox");
  for (let number = 0; number < messages; number++) {
    const people = Array.from({ length: recipients }, (_, index) => ({
      type: 1 as const,
      name: `Person ${index}`,
      email: `p${index}@bench.example`,
    }));
    store.addMessage(folder, { ...sampleMail(number), recipients: people });
  }
  store.finish();
  sink.close();
}

async function report(what: string, path: string): Promise<void> {
  await measure([process.execPath, READER, path]);
  const { cpuSeconds, peakBytes } = await measure([process.execPath, READER, path]);
  printRow([what, cpuSeconds.toFixed(2), megabytes(peakBytes)]);
}

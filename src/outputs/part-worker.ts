import { parentPort, workerData } from "node:worker_threads";
import { writeNextMessage } from "../document/write-extraction.ts";
import { systemErrorCode } from "../errors.ts";
import type { EncodedMessage } from "../mail/archive.ts";
import { openArchive } from "../store/archive/open-archive.ts";
import { archiveIn } from "../store/contract/archive-location.ts";
import { DIVIDED_SCAN_MEMORY } from "../store/contract/reading-memory.ts";
import { writeMessageRow } from "./csv/write-csv.ts";
import { linesPath, type PartReply, type PartsRequest, rowsPath } from "./part-threads.ts";
import { TextFile } from "./text-file.ts";
import { VaultPartWriter } from "./wiki/vault-part.ts";

/** Entry of a thread that renders parts of the messages of an archive, until none is left. */
const { directory, ranges, json, csv, vault, next } = workerData as PartsRequest;

function reply(message: PartReply): void {
  parentPort!.postMessage(message);
}

async function renderParts(): Promise<void> {
  const archive = await openArchive(archiveIn(directory), DIVIDED_SCAN_MEMORY);
  for (let index = takeNext(); index < ranges.length; index = takeNext()) {
    const writer = new PartWriter(index);
    for await (const messages of archive.messages.scan(ranges[index])) writer.add(messages);
    reply(writer.finish());
  }
  await archive.close();
}

function takeNext(): number {
  return Atomics.add(next, 0, 1);
}

/** Renders one part in all requested formats. */
class PartWriter {
  private readonly lines: TextFile | null;
  private readonly rows: TextFile | null;
  private readonly vault: VaultPartWriter | null;
  private messages = 0;

  constructor(private readonly index: number) {
    this.lines = json ? new TextFile(linesPath(directory, index)) : null;
    this.rows = csv ? new TextFile(rowsPath(directory, index)) : null;
    this.vault = vault === null ? null : new VaultPartWriter(vault, index, () => false);
  }

  add(messages: readonly EncodedMessage[]): void {
    const { index, lines, rows } = this;
    for (const message of messages) {
      if (lines !== null) writeNextMessage(message, index === 0 && this.messages === 0, lines);
      if (rows !== null) writeMessageRow(message, rows);
      this.messages++;
    }
    this.vault?.showMessages(messages);
  }

  finish(): PartReply {
    const { index, messages, lines, rows, vault } = this;
    lines?.close();
    rows?.close();
    return { index, messages, part: vault?.finish() ?? null };
  }
}

try {
  await renderParts();
} catch (error) {
  const fault = error instanceof Error ? error : new Error(String(error));
  reply({ fault: { message: fault.message, code: systemErrorCode(fault), stack: fault.stack ?? "" } });
}

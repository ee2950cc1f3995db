import { Utf8Buffer } from "../columns/utf8-buffer.ts";
import { writeNextLine, writeNextMessage } from "../document/write-extraction.ts";
import type { Archive, EncodedMessage, MessageHeading } from "../mail/archive.ts";
import type { CsvFiles } from "./csv/write-csv.ts";
import type { EarlierRecords } from "./earlier-records.ts";
import type { WikiWriter } from "./wiki/write-wiki.ts";

/** The writers of messages; null for outputs that are not requested. */
interface CopyTargets {
  readonly csv: CsvFiles | null;
  readonly wiki: WikiWriter | null;
  /** Lines of the earlier extraction.json. */
  readonly lines: EarlierRecords | null;
}

/** Bytes of elements passed on at a time. */
const PASSED_BYTES = 1 << 18;

/**
 * Passes on all messages, but reads only those completely that an output cannot copy from the earlier one; returns them
 * as elements of extraction.json, if requested.
 */
export async function* copyMessages(
  archive: Archive,
  targets: CopyTargets,
  reportMessages: (count: number) => void,
): AsyncGenerator<readonly Uint8Array[]> {
  const copier = new MessageCopier(targets);
  for await (const headings of archive.messages.headings()) {
    for (const heading of headings) {
      if (!copier.copy(heading)) copier.addMissing(await readWhole(archive, heading));
      if (copier.elements.length < PASSED_BYTES) continue;
      yield [copier.elements.view()];
      copier.elements.clear();
    }
    reportMessages(headings.length);
  }
  if (copier.elements.length > 0) yield [copier.elements.view()];
}

async function readWhole(archive: Archive, { id, sortedAt }: MessageHeading): Promise<EncodedMessage> {
  const [message] = await archive.messages.getMany([id]);
  return { ...message!, body: Buffer.from(message!.body), sortedAt };
}

class MessageCopier {
  /** Elements of extraction.json with their separators. */
  readonly elements = new Utf8Buffer();
  private isFirst = true;
  /** Outputs to which the last message was not copied. */
  private missing = { line: false, row: false, block: false };

  constructor(private readonly targets: CopyTargets) {}

  /** Copies a message to each output that has it. Returns false if one needs the message. */
  copy(heading: MessageHeading): boolean {
    const { csv, wiki, lines } = this.targets;
    const line = lines?.of(heading.id) ?? null;
    if (line !== null) writeNextLine(line, this.isNext(), this.elements);
    const hasBlock = wiki === null || wiki.hasBlock(heading);
    if (hasBlock) wiki?.showCopied(heading);
    const hasRow = csv === null || csv.copyMessageRow(heading.id);
    this.missing = { line: lines !== null && line === null, row: !hasRow, block: !hasBlock };
    return hasBlock && hasRow && !this.missing.line;
  }

  /** Adds the last message to the other outputs. */
  addMissing(message: EncodedMessage): void {
    const { line, row, block } = this.missing;
    if (line) writeNextMessage(message, this.isNext(), this.elements);
    if (row) this.targets.csv?.showMessages([message]);
    if (block) this.targets.wiki?.showMessages([message]);
  }

  /** True for the first element only. */
  private isNext(): boolean {
    const { isFirst } = this;
    this.isFirst = false;
    return isFirst;
  }
}

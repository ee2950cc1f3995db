import { rmSync, writeFileSync } from "node:fs";
import type { Address } from "../mail/address.ts";
import { messageId } from "../mail/ids.ts";
import type { PiiType } from "../mail/provenance.ts";
import { type FieldText, IndexBuilder } from "../search/index-builder.ts";
import { scoreText } from "../sentiment/score-text.ts";
import { detectLanguage } from "../text/language.ts";
import { ownText } from "../text/split-body.ts";
import { TermSegmentEncoder } from "../topics/term-segment.ts";
import { topicTerms } from "../topics/topic-terms.ts";
import { type Actions, LEFT_OUT } from "./ledger.ts";
import { addRedactions, noRedactions, type RedactionCounts, Redactor } from "./redact-record.ts";
import { readSegment, SegmentWriter, type StagedMessage } from "./staged-record.ts";

/** The second pass over some consecutive segments: redact, tell the language, weigh the tone, cut into terms and index. */
export interface PrepareTask {
  readonly kind: "prepare";
  readonly segments: readonly { readonly path: string; readonly actions: Actions }[];
  /** Ordinal of the first message that is kept; the others follow without gaps. */
  readonly firstOrdinal: number;
  /** Base name of what is written: `<base>.rows`, `<base>.terms`, `<base>.index-<n>`. */
  readonly base: string;
  readonly redact: readonly PiiType[];
}

export interface PreparedChunk {
  readonly rowsPath: string;
  readonly termsPath: string;
  readonly indexPaths: readonly string[];
  /** Tone of each kept message in order, NaN where the text says nothing. */
  readonly sentiment: Float32Array;
  readonly redactions: Readonly<RedactionCounts>;
  /** Messages and items something was redacted in. */
  readonly redacted: readonly { readonly location: string; readonly counts: Readonly<RedactionCounts> }[];
}

export function prepareChunk(task: PrepareTask): PreparedChunk {
  const chunk = new Preparation(task);
  try {
    for (const segment of task.segments) {
      let index = 0;
      for (const { record, body } of readSegment(segment.path)) {
        const action = segment.actions[index] as number;
        index += 1;
        if (action !== LEFT_OUT) chunk.add(record, body, action);
      }
      // Not yet redacted text leaves the disk as soon as it was used.
      rmSync(segment.path);
    }
  } finally {
    chunk.close();
  }
  return chunk.result();
}

class Preparation {
  private readonly task: PrepareTask;
  private readonly rows: SegmentWriter;
  private readonly terms = new TermSegmentEncoder();
  private readonly index: IndexBuilder;
  private readonly indexPaths: string[] = [];
  private readonly sentiment: number[] = [];
  private readonly redactions = noRedactions();
  private readonly redacted: { location: string; counts: RedactionCounts }[] = [];

  constructor(task: PrepareTask) {
    this.task = task;
    this.rows = new SegmentWriter(`${task.base}.rows`);
    this.index = new IndexBuilder(task.firstOrdinal);
  }

  add(record: Parameters<Redactor["record"]>[0], body: Buffer, action: number): void {
    if (this.task.redact.length === 0) {
      this.write(record, body, action);
      return;
    }
    const redactor = new Redactor(this.task.redact);
    const redacted = redactor.record(record);
    const text = record.kind === "message" && action > LEFT_OUT ? Buffer.from(redactor.text(body.toString("utf8")), "utf8") : body;
    this.write(redacted, text, action);
    if (action < LEFT_OUT || !Object.values(redactor.counts).some((count) => count > 0)) return;
    addRedactions(this.redactions, redactor.counts);
    const location =
      record.kind === "message" ? messageId(this.task.firstOrdinal + this.sentiment.length - 1) : `${record.kind} in ${record.mailbox}`;
    this.redacted.push({ location, counts: redactor.counts });
  }

  private write(record: Parameters<Redactor["record"]>[0], body: Buffer, action: number): void {
    if (record.kind !== "message") this.rows.append(record, body);
    // Of a duplicate only the place is new.
    else if (action < 0) this.rows.append(record, EMPTY);
    else this.writeMessage(record, body);
  }

  private writeMessage(message: StagedMessage, body: Buffer): void {
    const own = ownText(body.toString("utf8"));
    const language = detectLanguage(own);
    const bodyTokens = this.index.add({ subject: Buffer.from(message.envelope.subject), body, fields: fieldsOf(message) });
    if (this.index.isFull) this.flushIndex();
    this.terms.append(topicTerms(message.envelope.subject, own, language));
    this.sentiment.push(scoreText(own, language) ?? Number.NaN);
    this.rows.append({ ...message, language, bodyTokens }, body);
  }

  private flushIndex(): void {
    const segment = this.index.takeSegment();
    if (segment === null) return;
    const path = `${this.task.base}.index-${this.indexPaths.length}`;
    writeFileSync(path, segment, { flag: "wx", mode: 0o600 });
    this.indexPaths.push(path);
  }

  close(): void {
    this.flushIndex();
    writeFileSync(`${this.task.base}.terms`, this.terms.finish(), { flag: "wx", mode: 0o600 });
    this.rows.close();
  }

  result(): PreparedChunk {
    const { base } = this.task;
    return {
      rowsPath: `${base}.rows`,
      termsPath: `${base}.terms`,
      indexPaths: this.indexPaths,
      sentiment: Float32Array.from(this.sentiment),
      redactions: this.redactions,
      redacted: this.redacted,
    };
  }
}

const EMPTY = new Uint8Array(0);

function fieldsOf(message: StagedMessage): readonly FieldText[] {
  const { from, to, cc, bcc } = message.envelope;
  const fields: FieldText[] = [{ field: "mailbox", text: Buffer.from(message.mailbox) }];
  if (from !== null) fields.push({ field: "from", text: addressText([from]) });
  if (to.length > 0) fields.push({ field: "to", text: addressText(to) });
  if (cc.length + bcc.length > 0) fields.push({ field: "cc", text: addressText([...cc, ...bcc]) });
  if (message.attachments.length > 0) {
    fields.push({ field: "filename", text: Buffer.from(message.attachments.map((attachment) => attachment.filename).join("\n")) });
    fields.push({ field: "has", text: Buffer.from("attachment") });
  }
  return fields;
}

function addressText(addresses: readonly Address[]): Buffer {
  return Buffer.from(addresses.map(({ name, email }) => `${name} <${email}>`).join("\n"));
}

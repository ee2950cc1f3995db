import { writeFileSync } from "node:fs";
import { textHash } from "../../columns/key-nodes.ts";
import { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import { authorKey } from "../../contacts/author-key.ts";
import { messageId } from "../../mail/records/ids.ts";
import type { MentionKind } from "../../mail/records/mention.ts";
import { addToOrdinal } from "../../mail/records/ordinal.ts";
import { NO_REDACTIONS, type RedactionCounts } from "../../mail/records/provenance.ts";
import type { findMentions } from "../../mentions/find-mentions.ts";
import { omittedKinds } from "../../mentions/found-mention.ts";
import { IndexBuilder } from "../../search/indexing/index-builder.ts";
import { ToneScorer } from "../../sentiment/score-text.ts";
import { templateKey } from "../../sentiment/template-key.ts";
import { LanguageDetector } from "../../text/language/language.ts";
import { openingOf, readQuotedHeaders } from "../../text/quoting/quoted-headers.ts";
import { quotedText } from "../../text/quoting/quoted-text.ts";
import { type BodyParts, splitBody, textOf } from "../../text/quoting/split-body.ts";
import { authoredText, textKey } from "../../text/tokens/text-key.ts";
import { baseSubject, isGenericSubject } from "../../threading/base-subject.ts";
import { openingCode, QuotationColumns, type QuotedMail } from "../../threading/quotations.ts";
import { TermSegmentEncoder } from "../../topics/term-segment.ts";
import { MAX_QUOTED_CHARACTERS, TopicTermScanner } from "../../topics/topic-terms.ts";
import { decodeFields, encodeFields } from "../staging/indexed-fields.ts";
import { addRedactions, type RedactionTally, Redactor, TextRemover } from "../staging/redact-record.ts";
import { readSegment, recordOf, SegmentWriter, type StagedEntry } from "../staging/staged-record.ts";
import { type Action, actionAt } from "../staging/staged-segment.ts";
import type { PreparedChunk, PrepareTask, UnreadRecord } from "../staging/task.ts";
import { TextBatch } from "../staging/text-batch.ts";
import { LANGUAGE_NGRAMS } from "./language-table.ts";

/** @param find finds mentions; null if not requested */
export function prepareChunk(task: PrepareTask, find: MentionFinder | null): PreparedChunk {
  const chunk = new Preparation(task, find);
  try {
    for (const [segment, { path, actions }] of task.segments.entries()) {
      let index = 0;
      for (const entry of readSegment(path)) {
        const action = actionAt(actions, index);
        index++;
        if (action.kind !== "left_out") chunk.add(entry, action, segment);
      }
    }
  } finally {
    chunk.close();
  }
  return chunk.result();
}

type MentionFinder = typeof findMentions;

class Preparation {
  private readonly omitted: ReadonlySet<MentionKind>;
  private readonly mentions: string[] = [];
  private readonly rows: SegmentWriter | null;
  private readonly language = new LanguageDetector(LANGUAGE_NGRAMS);
  private readonly topicTerms = new TopicTermScanner();
  private readonly terms = new TermSegmentEncoder();
  private readonly tone = new ToneScorer();
  private readonly index: IndexBuilder;
  private readonly indexPaths: string[] = [];
  /** Redacted fields. */
  private readonly fields = new Utf8Buffer();
  /** Kept messages that are not yet processed. */
  private readonly batch = new TextBatch();
  /** Kept messages, including those of the batch. */
  private messages = 0;
  private readonly languages = new Map<string | null, number>();
  private readonly languageOf: number[] = [];
  private readonly bodyTokens: number[] = [];
  private readonly textKeys: number[] = [];
  private readonly letters = new Utf8Buffer();
  private readonly sentiment: number[] = [];
  private readonly templates: number[] = [];
  private readonly quotations = new QuotationColumns(null);
  private readonly redactions: RedactionTally = { ...NO_REDACTIONS };
  private readonly redacted: { location: string; counts: RedactionCounts }[] = [];
  private readonly unreadNumbers: ReadonlySet<number>;
  private readonly unread: UnreadRecord[] = [];
  /** Entries so far. */
  private entries = 0;

  constructor(
    private readonly task: PrepareTask,
    private readonly find: MentionFinder | null,
  ) {
    this.omitted = omittedKinds(task.redact);
    this.unreadNumbers = new Set(task.unread);
    this.rows = task.redact.length === 0 ? null : new SegmentWriter(`${task.base}.rows`);
    this.index = new IndexBuilder(task.firstOrdinal, task.rangeMessages);
  }

  add(entry: StagedEntry, action: Action, segment: number): void {
    const number = this.entries;
    this.entries++;
    const { range } = this.task;
    if (range !== null && (number < range.from || number >= range.to)) return;
    if (this.unreadNumbers.has(number)) this.keepUnread(entry, action, segment);
    else if (this.rows !== null) this.redact(entry, action, this.rows);
    else if (entry.kind === "message" && action.kind === "kept") this.keep(entry.fields, entry.body);
  }

  /** Leaves the search, topic and tone fields empty, and removes text that could not be redacted from the record. */
  private keepUnread(entry: StagedEntry, action: Action, segment: number): void {
    const record = recordOf(entry);
    const isMessage = record.kind === "message";
    this.unread.push({
      segment,
      location: isMessage ? record.location : record.mailbox,
      sha256: isMessage ? record.sha256 : null,
    });
    this.rows?.append(action.kind === "copy" ? record : new TextRemover().record(record));
    if (action.kind === "kept") this.keep(EMPTY, EMPTY);
  }

  private redact(entry: StagedEntry, action: Action, rows: SegmentWriter): void {
    const redactor = new Redactor(this.task.redact, this.task.redactWords);
    const record = redactor.record(recordOf(entry));
    if (record.kind !== "message" || action.kind === "copy") {
      // Only the occurrence of a duplicate is new.
      rows.append(record);
    } else {
      const body = Buffer.from(redactor.text(entry.body.toString("utf8")), "utf8");
      encodeFields(record, record.attachments, this.fields);
      this.keep(this.fields.view(), body);
      rows.append(record, { fields: EMPTY, body });
    }
    if (action.kind === "copy" || !Object.values(redactor.counts).some((count) => count > 0)) return;
    addRedactions(this.redactions, redactor.counts);
    const location =
      record.kind === "message"
        ? messageId(addToOrdinal(this.task.firstOrdinal, this.messages - 1))
        : `${record.kind} in ${record.mailbox}`;
    this.redacted.push({ location, counts: redactor.counts });
  }

  private keep(fields: Uint8Array, body: Uint8Array): void {
    this.messages++;
    this.batch.add(fields, body);
    if (this.batch.isFull) this.readBatch();
  }

  /**
   * Runs each step for all messages of the batch, so that its tables stay in the processor's cache: running all steps
   * per message took a fifth more time.
   */
  private readBatch(): void {
    const { batch, index } = this;
    const subjects: string[] = [];
    const texts: string[] = [];
    const quotations: string[] = [];
    const bodies: SplitText[] = [];
    const authors: string[] = [];
    for (let at = 0; at < batch.count; at++) {
      const body = batch.body(at).toString("utf8");
      const author = authorOf(batch.fields(at));
      const parts = splitBody(body, author);
      authors.push(author);
      bodies.push({ body, parts });
      texts.push(textOf(body, parts, "own"));
      quotations.push(quotedText(body, parts, MAX_QUOTED_CHARACTERS));
    }
    const languages = texts.map((text) => this.language.detect(text));
    for (let at = 0; at < batch.count; at++) {
      const { subject, fields } = decodeFields(batch.fields(at));
      subjects.push(subject.toString("utf8"));
      this.bodyTokens.push(index.add({ subject, body: batch.body(at), fields }));
      if (index.isFull) this.flushIndex();
    }
    if (this.find !== null) {
      for (const [at, { body, parts }] of bodies.entries()) {
        const signature = textOf(body, parts, "signature");
        const written = [subjects[at]!, texts[at]!, signature, ...fileTexts(batch.fields(at))];
        this.mentions.push(JSON.stringify(this.find(written, this.omitted, { signature, author: authors[at]! })));
      }
    }
    for (const [at, { body, parts }] of bodies.entries()) {
      const { key } = baseSubject(subjects[at]!);
      const text = { body: batch.body(at), written: authoredText(body, parts), baseSubject: key, author: authors[at]! };
      this.textKeys.push(textKey(text, this.letters) ?? Number.NaN);
    }
    for (const [at, split] of bodies.entries()) scanQuotations(this.quotations, subjects[at]!, split);
    for (const [at, text] of texts.entries()) {
      this.topicTerms.scan({
        subject: subjects[at]!,
        ownText: text,
        quotedText: quotations[at]!,
        language: languages[at]!,
      });
      this.terms.append(this.topicTerms);
    }
    for (const [at, text] of texts.entries()) this.sentiment.push(this.tone.score(text, languages[at]!) ?? Number.NaN);
    for (const text of texts) this.templates.push(templateKey(text));
    for (const language of languages) this.languageOf.push(this.numberOf(language));
    batch.clear();
  }

  private numberOf(language: string | null): number {
    let number = this.languages.get(language);
    if (number === undefined) this.languages.set(language, (number = this.languages.size));
    return number;
  }

  private flushIndex(): void {
    const segment = this.index.takeSegment();
    if (segment === null) return;
    const path = `${this.task.base}.index-${this.indexPaths.length}`;
    writeFileSync(path, segment, { flag: "wx", mode: 0o600 });
    this.indexPaths.push(path);
  }

  close(): void {
    this.readBatch();
    this.flushIndex();
    writeFileSync(`${this.task.base}.terms`, this.terms.finish(), { flag: "wx", mode: 0o600 });
    this.rows?.close();
  }

  result(): PreparedChunk {
    const { base } = this.task;
    return {
      rowsPath: this.rows === null ? null : `${base}.rows`,
      termsPath: `${base}.terms`,
      indexPaths: this.indexPaths,
      languages: [...this.languages.keys()],
      languageOf: Uint8Array.from(this.languageOf),
      bodyTokens: Uint32Array.from(this.bodyTokens),
      textKeys: Float64Array.from(this.textKeys),
      sentiment: Float32Array.from(this.sentiment),
      templates: Int32Array.from(this.templates),
      mentions: this.mentions,
      quotations: this.quotations.pack(),
      redactions: this.redactions,
      redacted: this.redacted,
      unread: this.unread,
    };
  }
}

const EMPTY = new Uint8Array(0);

/** Name and address of the author. */
function authorOf(fields: Buffer): string {
  return (
    decodeFields(fields)
      .fields.find(({ field }) => field === "from")
      ?.text.toString() ?? ""
  );
}

/** Texts of the attachments of a message. */
function fileTexts(fields: Buffer): readonly string[] {
  return decodeFields(fields).fields.flatMap(({ field, text }) =>
    field === "attachment" ? [Buffer.from(text).toString("utf8")] : [],
  );
}

/**
 * Minimum letters of an opening that identify a message if the subject does not: strangers answer "thanks" in the same
 * minute.
 */
const MIN_TELLING_OPENING = 12;

/** A body and who wrote which part of it. */
interface SplitText {
  readonly body: string;
  readonly parts: BodyParts;
}

/**
 * Adds the quoted headers of a message as evidence for threads. With redaction, uses the redacted text: later runs have
 * no other, and no hashes of removed text are stored.
 */
function scanQuotations(columns: QuotationColumns, subject: string, { body, parts }: SplitText): void {
  const quoted: QuotedMail[] = [];
  if (parts.some(({ kind }) => kind === "quoted" || kind === "forwarded")) {
    for (const header of readQuotedHeaders(body, parts)) {
      if (header.minutes.length === 0) continue;
      const author = authorKey(header.author);
      if (author.name === "" && author.address === "") continue;
      const { key } = baseSubject(header.subject ?? subject);
      if (header.opening.length < MIN_TELLING_OPENING && isGenericSubject(key)) continue;
      quoted.push({
        subject: textHash(key),
        minutes: header.minutes,
        name: hashOrNone(author.name),
        address: hashOrNone(author.address),
        opening: openingCode(header.opening),
      });
    }
  }
  columns.add(openingCode(openingOf(body, parts)), quoted);
}

/** 0 means no text. */
function hashOrNone(text: string): number {
  return text === "" ? 0 : textHash(text) || 1;
}

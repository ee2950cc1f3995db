import { Uint32Column } from "../../columns/column.ts";
import { joinedNames, wordsAcrossLines } from "../../text/tokens/hyphenated-words.ts";
import { PackedTokens } from "../../text/tokens/packed-tokens.ts";
import { writePostings } from "./posting-codec.ts";
import { fieldMark, type SearchField } from "./search-field.ts";
import { writeSegmentHead } from "./segment.ts";
import { TermTable } from "./term-table.ts";
import { VarintWriter } from "./varint.ts";

/** Postings per segment: about 60 MB of memory, and few enough segments to merge in one pass. */
const SEGMENT_POSTINGS = 3_000_000;
/** Growth in postings, 256 KB per column. */
const POSTINGS_STEP = 1 << 16;
/** A subject is short and chosen by the writer: its words count double. */
const SUBJECT_WEIGHT = 2;
/** Weight 0 marks a term that is only in attachments; `weights.ts` defines its score. */
const FILE_WEIGHT = 0;

/** Fields of names and addresses. */
const NAMING_FIELDS: readonly SearchField[] = ["from", "to", "cc"];

/** A field of tokens and its weight. */
interface IndexPlace {
  /** Prefix of the tokens of a field; 0 for none. */
  readonly mark: number;
  readonly weight: number;
}

/** A field of a message as UTF-8 text; multiple values (addresses) are on separate lines. */
export interface FieldText {
  readonly field: Exclude<SearchField, "subject">;
  readonly text: Uint8Array;
}

/** Indexed content of one message. */
export interface IndexedDocument {
  readonly subject: Uint8Array;
  readonly body: Uint8Array;
  /**
   * `from`, `to` and `cc` as `Name <address>`, `filename` of each attachment; `has` is the word `attachment` if there
   * is one, `kind` the message kinds, `attachment` the attachment texts.
   */
  readonly fields: readonly FieldText[];
}

/**
 * Indexes messages of one contiguous range of document numbers into sorted segments. Memory is bounded by
 * SEGMENT_POSTINGS (plus one message): check `isFull` after each message and take the segment.
 */
export class IndexBuilder {
  private readonly tokens = new PackedTokens();
  private readonly terms = new TermTable();
  private lengths: number[] = [];
  /** Start of the postings of each document. */
  private documentStarts: number[] = [];
  /** Posting `n` means: term termOf[n] occurs frequencyOf[n] times in its document. In document order. */
  private readonly termColumn = new Uint32Column();
  private readonly frequencyColumn = new Uint32Column();
  private termOf = this.termColumn.view();
  private frequencyOf = this.frequencyColumn.view();
  private postingCount = 0;
  /** Postings by term, each a document and a frequency. */
  private readonly grouped = new Uint32Column();

  /**
   * @param firstDocument number of the first message that will be added; the next ones follow it without gaps.
   * @param mostMessages maximum messages of a segment
   */
  constructor(
    private firstDocument: number,
    private readonly mostMessages: number = Number.POSITIVE_INFINITY,
  ) {}

  get isFull(): boolean {
    return this.postingCount >= SEGMENT_POSTINGS || this.lengths.length >= this.mostMessages;
  }

  /** Adds the next message and returns the number of tokens of its body. */
  add({ subject, body, fields }: IndexedDocument): number {
    this.documentStarts.push(this.postingCount);
    const bodyTokens = this.addText(body, { mark: 0, weight: 1 });
    const subjectTokens = this.addText(subject, { mark: 0, weight: SUBJECT_WEIGHT });
    this.lengths.push(bodyTokens + SUBJECT_WEIGHT * subjectTokens);
    this.addWords(wordsAcrossLines(body), { mark: 0, weight: 1 });
    this.addText(subject, { mark: fieldMark("subject"), weight: 1 });
    for (const { field, text } of fields) {
      const inField = { mark: fieldMark(field), weight: 1 };
      this.addText(text, inField);
      if (NAMING_FIELDS.includes(field)) this.addWords(joinedNames(text), inField);
      if (field !== "attachment") continue;
      const inFile = { mark: 0, weight: FILE_WEIGHT };
      this.addText(text, inFile);
      for (const place of [inField, inFile]) this.addWords(wordsAcrossLines(text), place);
    }
    return bodyTokens;
  }

  /** The segment of all messages since the last one, or null. */
  takeSegment(): Uint8Array | null {
    if (this.lengths.length === 0) return null;
    const segment = this.encode();
    this.firstDocument += this.lengths.length;
    this.lengths = [];
    this.documentStarts = [];
    this.terms.clear();
    for (const column of [this.termColumn, this.frequencyColumn, this.grouped]) column.clear();
    this.termOf = this.termColumn.view();
    this.frequencyOf = this.frequencyColumn.view();
    this.postingCount = 0;
    return segment;
  }

  /** Adds further forms of words in the text. */
  private addWords(words: string, place: IndexPlace): void {
    if (words !== "") this.addText(Buffer.from(words), place);
  }

  /** Adds the tokens of a text to the latest document; returns how many there are. */
  private addText(text: Uint8Array, { mark, weight }: IndexPlace): number {
    const { tokens, terms } = this;
    let count = 0;
    terms.mark = mark;
    tokens.reset(text);
    while (tokens.next()) {
      this.reservePostings(tokens.count);
      this.addBatch(weight);
      count += tokens.count;
    }
    return count;
  }

  private addBatch(weight: number): void {
    const { tokens, terms, termOf, frequencyOf } = this;
    const documentStart = this.documentStarts.at(-1)!;
    let { postingCount } = this;
    for (let n = 0; n < tokens.count; n++) {
      const term = terms.idOf(tokens, n);
      const latest = terms.kept(term);
      if (latest >= documentStart) {
        frequencyOf[latest] = frequencyOf[latest]! + weight;
        continue;
      }
      termOf[postingCount] = term;
      frequencyOf[postingCount] = weight;
      terms.keep(term, postingCount);
      postingCount++;
    }
    this.postingCount = postingCount;
  }

  private reservePostings(count: number): void {
    if (this.postingCount + count <= this.termOf.length) return;
    const room = this.termOf.length + Math.max(count, POSTINGS_STEP);
    this.termColumn.extend(room);
    this.frequencyColumn.extend(room);
    this.termOf = this.termColumn.view();
    this.frequencyOf = this.frequencyColumn.view();
  }

  /** Counting sort by term: postings of a term stay in document order. */
  private groupByTerm(): GroupedPostings {
    const { termOf, frequencyOf, postingCount, documentStarts } = this;
    const ends = new Uint32Array(this.terms.size);
    for (let i = 0; i < postingCount; i++) ends[termOf[i]!]! += 2;
    for (let term = 0, sum = 0; term < ends.length; term++) {
      const count = ends[term]!;
      ends[term] = sum;
      sum += count;
    }
    this.grouped.extend(postingCount * 2);
    const postings = this.grouped.view();
    for (let index = 0; index < documentStarts.length; index++) {
      const end = documentStarts[index + 1] ?? postingCount;
      for (let i = documentStarts[index]!; i < end; i++) {
        const term = termOf[i]!;
        const at = ends[term]!;
        postings[at] = this.firstDocument + index;
        postings[at + 1] = frequencyOf[i]!;
        ends[term] = at + 2;
      }
    }
    return { postings, ends };
  }

  private encode(): Uint8Array {
    const { postings, ends } = this.groupByTerm();
    const segment = new VarintWriter();
    segment.reserve(this.postingCount * 2);
    writeSegmentHead(segment, {
      firstDocument: this.firstDocument,
      lengths: this.lengths,
      postingCount: this.postingCount,
      termCount: this.terms.size,
    });
    const list = new VarintWriter();
    for (const term of this.terms.sorted()) {
      const start = term === 0 ? 0 : ends[term - 1]!;
      const end = ends[term]!;
      list.clear();
      writePostings(list, postings, [start, end]);
      this.terms.writeSpelling(term, segment);
      segment.writeVarint((end - start) / 2);
      segment.writeVarint(postings[end - 2]!);
      segment.writeVarint(list.length);
      segment.writeBytes(list.bytes, 0, list.length);
    }
    return segment.bytes.subarray(0, segment.length);
  }
}

/** Postings by term, each a document and a frequency: those of term `n` are from ends[n - 1] to ends[n]. */
interface GroupedPostings {
  readonly postings: Uint32Array;
  readonly ends: Uint32Array;
}

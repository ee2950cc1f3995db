import { MAX_TOKEN_BYTES, TokenScanner } from "../text/tokens.ts";
import { writePosting } from "./posting-codec.ts";
import { FIELD_MARK_BYTES, fieldMark, type SearchField } from "./search-field.ts";
import { writeSegmentHead } from "./segment.ts";
import { TermTable } from "./term-table.ts";
import { ByteWriter } from "./varint.ts";

/** Postings gathered before a segment is due: about 60 MB of memory, and few enough segments to merge at once. */
export const SEGMENT_POSTINGS = 3_000_000;
/** Postings memory is first set aside for. */
const INITIAL_POSTINGS = 1 << 16;
/** A subject is short and chosen by the writer: its words count double. */
const SUBJECT_WEIGHT = 2;

/** A field of a message, as text in UTF-8; several values (addresses) stand on lines of their own. */
export interface FieldText {
  readonly field: Exclude<SearchField, "subject">;
  readonly text: Uint8Array;
}

/** What is indexed of one message. */
export interface IndexedDocument {
  readonly subject: Uint8Array;
  readonly body: Uint8Array;
  /** `from`, `to` and `cc` as `Name <address>`, `filename` of each attachment, `mailbox`; `has` is the word `attachment` when there is one. */
  readonly fields: readonly FieldText[];
}

/**
 * Turns the messages of one contiguous range of document numbers into sorted segments. Memory is bounded by SEGMENT_POSTINGS
 * (plus one message): ask `isFull` after each message and take the segment.
 */
export class IndexBuilder {
  private firstDocument: number;
  private readonly scanner = new TokenScanner();
  private readonly terms = new TermTable();
  private readonly fieldToken = new Uint8Array(FIELD_MARK_BYTES + MAX_TOKEN_BYTES);
  private lengths: number[] = [];
  /** Posting `n` says: term termOf[n] occurs frequencyOf[n] times in document documentOf[n]. In order of documents. */
  private termOf = new Uint32Array(INITIAL_POSTINGS);
  private documentOf = new Uint32Array(INITIAL_POSTINGS);
  private frequencyOf = new Uint32Array(INITIAL_POSTINGS);
  private postingCount = 0;
  /** Latest posting of each term. */
  private latest = new Int32Array(INITIAL_POSTINGS).fill(-1);

  /** @param firstDocument number of the first message that will be added; the next ones follow it without gaps. */
  constructor(firstDocument: number) {
    this.firstDocument = firstDocument;
  }

  get isFull(): boolean {
    return this.postingCount >= SEGMENT_POSTINGS;
  }

  /** Adds the next message and returns the number of tokens of its body. */
  add(document: IndexedDocument): number {
    const number = this.firstDocument + this.lengths.length;
    const bodyTokens = this.addWords(document.body, number, 1);
    const subjectTokens = this.addWords(document.subject, number, SUBJECT_WEIGHT);
    this.lengths.push(bodyTokens + SUBJECT_WEIGHT * subjectTokens);
    this.addFieldWords("subject", document.subject, number);
    for (const { field, text } of document.fields) this.addFieldWords(field, text, number);
    return bodyTokens;
  }

  /** The segment of all messages added since the last one, or null when there are none. */
  takeSegment(): Uint8Array | null {
    if (this.lengths.length === 0) return null;
    const segment = this.encode();
    this.firstDocument += this.lengths.length;
    this.lengths = [];
    this.terms.clear();
    this.latest.fill(-1);
    this.postingCount = 0;
    return segment;
  }

  private addWords(text: Uint8Array, document: number, weight: number): number {
    const { scanner, terms } = this;
    let count = 0;
    scanner.reset(text);
    while (scanner.next()) {
      this.addTerm(terms.idOf(scanner.bytes, scanner.length, scanner.hash), document, weight);
      count += 1;
    }
    return count;
  }

  private addFieldWords(field: SearchField, text: Uint8Array, document: number): void {
    const { scanner, terms, fieldToken } = this;
    const mark = fieldMark(field);
    fieldToken.set(mark);
    scanner.reset(text);
    while (scanner.next()) {
      for (let i = 0; i < scanner.length; i += 1) fieldToken[mark.length + i] = scanner.bytes[i]!;
      // The mark takes part in the hash, else every address word would collide with the same word of the body.
      const hash = Math.imul(scanner.hash ^ mark[1]!, 0x01000193);
      this.addTerm(terms.idOf(fieldToken, mark.length + scanner.length, hash), document, 1);
    }
  }

  private addTerm(term: number, document: number, weight: number): void {
    if (term >= this.latest.length) {
      const latest = new Int32Array(this.latest.length * 2).fill(-1);
      latest.set(this.latest);
      this.latest = latest;
    }
    const posting = this.latest[term]!;
    if (posting >= 0 && this.documentOf[posting] === document) {
      this.frequencyOf[posting] = this.frequencyOf[posting]! + weight;
      return;
    }
    const next = this.postingCount;
    if (next >= this.termOf.length) this.growPostings();
    this.termOf[next] = term;
    this.documentOf[next] = document;
    this.frequencyOf[next] = weight;
    this.latest[term] = next;
    this.postingCount = next + 1;
  }

  private growPostings(): void {
    const larger = (source: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
      const target = new Uint32Array(source.length * 2);
      target.set(source);
      return target;
    };
    this.termOf = larger(this.termOf);
    this.documentOf = larger(this.documentOf);
    this.frequencyOf = larger(this.frequencyOf);
  }

  /** Counting sort by term: postings of a term stay in document order. */
  private groupByTerm(): GroupedPostings {
    const { termOf, documentOf, frequencyOf, postingCount } = this;
    const ends = new Uint32Array(this.terms.size);
    for (let i = 0; i < postingCount; i += 1) ends[termOf[i]!]! += 1;
    for (let term = 0, sum = 0; term < ends.length; term += 1) {
      const count = ends[term]!;
      ends[term] = sum;
      sum += count;
    }
    const documents = new Uint32Array(postingCount);
    const frequencies = new Uint32Array(postingCount);
    for (let i = 0; i < postingCount; i += 1) {
      const term = termOf[i]!;
      const at = ends[term]!;
      documents[at] = documentOf[i]!;
      frequencies[at] = frequencyOf[i]!;
      ends[term] = at + 1;
    }
    return { documents, frequencies, ends };
  }

  private encode(): Uint8Array {
    const { documents, frequencies, ends } = this.groupByTerm();
    const segment = new ByteWriter();
    segment.reserve(this.postingCount * 2);
    writeSegmentHead(segment, {
      firstDocument: this.firstDocument,
      lengths: this.lengths,
      postingCount: this.postingCount,
      termCount: this.terms.size,
    });
    const postings = new ByteWriter();
    for (const term of this.terms.sorted()) {
      const from = term === 0 ? 0 : ends[term - 1]!;
      const to = ends[term]!;
      let previous = 0;
      postings.clear();
      for (let i = from; i < to; i += 1) {
        writePosting(postings, documents[i]! - previous, frequencies[i]!);
        previous = documents[i]!;
      }
      const spelling = this.terms.spelling(term);
      segment.writeVarint(spelling.length);
      segment.writeBytes(spelling, 0, spelling.length);
      segment.writeVarint(to - from);
      segment.writeVarint(previous);
      segment.writeVarint(postings.length);
      segment.writeBytes(postings.bytes, 0, postings.length);
    }
    return segment.copy();
  }
}

/** Postings by term: those of term `n` stand from ends[n - 1] to ends[n]. */
interface GroupedPostings {
  readonly documents: Uint32Array;
  readonly frequencies: Uint32Array;
  readonly ends: Uint32Array;
}

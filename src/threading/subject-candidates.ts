import { PagedUint32Column } from "../columns/paged-column.ts";
import type { PagedMemory } from "../columns/paged-memory.ts";
import { WIDE_HASH_WORDS, type WideHash, wideHash } from "../columns/wide-hash.ts";
import { DAY_MS, type Instant } from "../mail/dates/instant.ts";
import type { UnionFind } from "./union-find.ts";

/** A message that may be joined to another by its subject. */
interface SubjectCandidate {
  readonly message: number;
  readonly subjectKey: string;
  /**
   * True for subjects such as "hello": these need two common participants, as the archive owner takes part in all
   * mail.
   */
  readonly isCommon: boolean;
  readonly sentAt: Instant;
  readonly isReply: boolean;
  readonly hasMessageId: boolean;
  /** Address numbers of sender and recipients, the sender first if there is one. */
  readonly participants: Iterable<number>;
}

/** Maximum distance of messages that are joined only by subject. */
const MAX_SUBJECT_GAP_MS = 60 * DAY_MS;
/** Number of parts of the candidates, which are joined one at a time to limit memory. */
const PART_BITS = 6;
const FLAG = { reply: 1, messageId: 2, common: 4 } as const;
/** Separates names from ids. */
const SUBJECT_SPACE = 4;

/** Offsets of the words of a candidate after the hash of its subject; participants follow. */
const WORD = { message: 4, flags: 5, sentAt: 6, participants: 8 } as const;
const WORDS = 9;

/** Candidates by their subjects, until people are known: 36 bytes each plus 4 per participant, mostly in a file. */
export class SubjectCandidates {
  /** By the first bits of the hash. */
  readonly parts: readonly PagedUint32Column[];
  private readonly sent = new Float64Array(1);
  private readonly sentWords = new Uint32Array(this.sent.buffer);
  private readonly subject = new Uint32Array(WIDE_HASH_WORDS);

  constructor(
    memory: PagedMemory,
    private readonly hash: WideHash = wideHash,
  ) {
    this.parts = Array.from({ length: 1 << PART_BITS }, () => new PagedUint32Column(memory));
  }

  add({ message, subjectKey, isCommon, sentAt, isReply, hasMessageId, participants }: SubjectCandidate): void {
    const { subject } = this;
    this.hash(SUBJECT_SPACE, subjectKey, subject);
    const part = this.parts[subject[0]! >>> (32 - PART_BITS)]!;
    this.sent[0] = sentAt;
    const flags = (isReply ? FLAG.reply : 0) | (hasMessageId ? FLAG.messageId : 0) | (isCommon ? FLAG.common : 0);
    for (let word = 0; word < WIDE_HASH_WORDS; word++) part.push(subject[word]!);
    part.push(message);
    part.push(flags);
    part.push(this.sentWords[0]!);
    part.push(this.sentWords[1]!);
    const count = part.length;
    part.push(0);
    for (const participant of participants) part.push(participant);
    part.set(count, part.length - 1 - count);
  }

  /**
   * Joins messages with one base subject, oldest first: each to the latest earlier one that shares a participant (two
   * for a common subject, one of whom wrote each message), within the gap, if the later one has a reply mark or one
   * of the two has no Message-ID. Releases the candidates. @param contactOf contact of each address number
   */
  join(sets: UnionFind, contactOf: (address: number) => number): void {
    for (const part of this.parts) {
      joinPart(part.slice(), sets, contactOf);
      part.clear();
    }
  }
}

/** The candidates of a part in joining order: start of their words, and date. */
function inOrder(words: Uint32Array): {
  readonly order: Uint32Array;
  readonly starts: Uint32Array;
  sent: Float64Array;
} {
  const starts: number[] = [];
  for (let at = 0; at < words.length; at += WORDS + words[at + WORD.participants]!) starts.push(at);
  const sent = new Float64Array(starts.length);
  const sentWords = new Uint32Array(sent.buffer);
  for (const [index, at] of starts.entries())
    sentWords.set(words.subarray(at + WORD.sentAt, at + WORD.sentAt + 2), index * 2);
  const order = Uint32Array.from(starts.keys()).sort((a, b) => {
    const [one, other] = [starts[a]!, starts[b]!];
    return compareSubjects(words, one, other) || sent[a]! - sent[b]! || a - b;
  });
  return { order, starts: Uint32Array.from(starts), sent };
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: words are read in the order of subjects, with what the subject has seen
function joinPart(words: Uint32Array, sets: UnionFind, contactOf: (address: number) => number): void {
  const { order, starts, sent } = inOrder(words);
  /** Latest candidate of the current subject by bond: any, and those without Message-ID. */
  let latest = new Map<number, number>();
  let latestWithoutId = new Map<number, number>();
  let subject = -1;
  for (const candidate of order) {
    const at = starts[candidate]!;
    if (subject < 0 || compareSubjects(words, subject, at) !== 0) {
      latest = new Map();
      latestWithoutId = new Map();
    }
    subject = at;
    const flags = words[at + WORD.flags]!;
    const joinsAny = (flags & FLAG.reply) !== 0 || (flags & FLAG.messageId) === 0;
    const participants = words.subarray(at + WORDS, at + WORDS + words[at + WORD.participants]!);
    const bonds = bondsOf(participants, contactOf, (flags & FLAG.common) !== 0);
    for (const bond of bonds) {
      const earlier = (joinsAny ? latest : latestWithoutId).get(bond);
      if (earlier !== undefined && sent[candidate]! - sent[earlier]! <= MAX_SUBJECT_GAP_MS)
        sets.union(words[at + WORD.message]!, words[starts[earlier]! + WORD.message]!);
    }
    for (const bond of bonds) {
      latest.set(bond, candidate);
      if ((flags & FLAG.messageId) === 0) latestWithoutId.set(bond, candidate);
    }
  }
}

/** Upper bound of contacts (`MAX_CONTACTS`), so that two fit into one number. */
const CONTACTS = 2 ** 26;

/**
 * Common data required of two messages with one subject: a contact, or the pair of sender and recipient, in either
 * direction.
 */
function bondsOf(participants: Uint32Array, contactOf: (address: number) => number, isCommon: boolean): Float64Array {
  const contacts = Float64Array.from(participants, contactOf);
  if (!isCommon) return contacts;
  const [writer] = contacts;
  return contacts
    .filter((contact) => contact !== writer)
    .map((contact) => Math.min(contact, writer!) * CONTACTS + Math.max(contact, writer!));
}

/** Compares the subject hashes at two offsets. */
function compareSubjects(words: Uint32Array, one: number, other: number): number {
  return (
    words[one]! - words[other]! ||
    words[one + 1]! - words[other + 1]! ||
    words[one + 2]! - words[other + 2]! ||
    words[one + 3]! - words[other + 3]!
  );
}

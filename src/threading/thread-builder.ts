import { Float64Column, Int32Column, Uint8Column, Uint32Column } from "../columns/column.ts";
import { KeyNodes, textHash } from "../columns/key-nodes.ts";
import type { Instant } from "../mail/instant.ts";
import { isGenericSubject } from "./base-subject.ts";
import type { FoundQuotations } from "./quotations.ts";
import { UnionFind } from "./union-find.ts";

/** What one message tells about its thread. */
export interface ThreadEvidence {
  readonly messageId: string | null;
  /** msg-ids of References and In-Reply-To. */
  readonly references: readonly string[];
  readonly conversationIndexRoot: string | null;
  readonly gmailThreadId: string | null;
  /** `BaseSubject.key`. */
  readonly subjectKey: string;
  readonly isReply: boolean;
  /** A robot or list sent it: neither its subject nor what it quotes joins anything. */
  readonly isAutomatic: boolean;
  readonly sentAt: Instant | null;
  /** Address numbers of sender and recipients. */
  readonly participants: Iterable<number>;
}

/** Ids that a copy of a message carries: it belongs to the thread that any of them names. */
export type ThreadIds = Pick<ThreadEvidence, "messageId" | "references" | "conversationIndexRoot" | "gmailThreadId">;

/** Messages further apart than this are not joined by subject alone. */
const MAX_SUBJECT_GAP_MS = 60 * 24 * 60 * 60 * 1000;
/**
 * Shorter msg-ids (`<1>`, `<none>`) are fillers that strangers share. So are those without `@`: answers to a prompt
 * (`<yes>`).
 */
const MIN_MSG_ID_LENGTH = 6;
/** msg-ids of one header that are followed; RFC 5322 sets no limit and attackers none either. */
const MAX_REFERENCES = 1_000;

const SPACE = { msgId: 1, conversation: 2, gmail: 3, subject: 4 } as const;
const FLAG = { reply: 1, messageId: 2 } as const;
const NONE = -1;

/** What is known once contacts are resolved and texts are read. */
export interface LateEvidence {
  /** Contact of each address number. */
  readonly contactOf: ArrayLike<number>;
  /** Null when no text was read. */
  readonly quotations: FoundQuotations | null;
}

/**
 * Joins messages to threads by References/In-Reply-To, Conversation-Index root, headers of quoted mail and base subject
 * with one union-find. Evidence streams in; what stays in memory is about 75 bytes a message and 4 bytes a participant,
 * and half of it from `joinReferences` on. A reference loop is one set like any other.
 */
export class ThreadBuilder {
  private sets = new UnionFind();
  private readonly keys = new KeyNodes();
  private readonly subjects = new KeyNodes();
  private subjectCount = 0;
  private readonly nodeOfMessage = new Int32Column();
  /** The last msg-id that a message or a copy of it refers to, which it answers: node and message. */
  private readonly answered = new Int32Column();
  private readonly answering = new Uint32Column();
  /** By node: the first message whose Message-ID it is, plus one; 0 when it is none's. */
  private readonly holder = new Int32Column();
  /**
   * By message: 1 where nothing but references may join it, as a robot sent it or it answers a message that is there.
   */
  private readonly isSettled = new Uint8Column();
  private readonly subjectHash = new Int32Column();
  /** Columns of messages that may be joined by subject. */
  private readonly candidate = new Int32Column();
  private readonly subject = new Int32Column();
  private readonly flags = new Uint8Column();
  private readonly sentAt = new Float64Column();
  private readonly participantStart = new Uint32Column();
  private readonly participants = new Uint32Column();

  /** Adds the next message; messages are numbered from 0 in the order they are added. */
  add(evidence: ThreadEvidence): void {
    const node = this.sets.make();
    const message = this.nodeOfMessage.length;
    this.nodeOfMessage.push(node);
    this.isSettled.push(evidence.isAutomatic ? 1 : 0);
    this.subjectHash.push(textHash(evidence.subjectKey));
    this.joinIds(message, evidence);
    this.addSubject(message, evidence);
  }

  /** Adds what a copy of a message tells beside it. @param message its number. */
  addCopy(message: number, ids: ThreadIds): void {
    this.joinIds(message, ids);
  }

  private joinIds(message: number, evidence: ThreadIds): void {
    const node = this.nodeOfMessage.at(message);
    const make = () => this.sets.make();
    if (evidence.messageId !== null && isTelling(evidence.messageId)) {
      const own = this.keys.nodeOf(SPACE.msgId, evidence.messageId, make);
      this.sets.union(node, own);
      this.holder.extend(own + 1);
      if (this.holder.at(own) === 0) this.holder.set(own, message + 1);
    }
    let answered = NONE;
    for (const reference of evidence.references.slice(-MAX_REFERENCES)) {
      if (!isTelling(reference)) continue;
      answered = this.keys.nodeOf(SPACE.msgId, reference, make);
      this.sets.union(node, answered);
    }
    if (answered !== NONE) {
      this.answered.push(answered);
      this.answering.push(message);
    }
    if (evidence.conversationIndexRoot !== null) {
      this.sets.union(node, this.keys.nodeOf(SPACE.conversation, evidence.conversationIndexRoot, make));
    }
    if (evidence.gmailThreadId !== null)
      this.sets.union(node, this.keys.nodeOf(SPACE.gmail, evidence.gmailThreadId, make));
  }

  private addSubject(message: number, evidence: ThreadEvidence): void {
    if (evidence.sentAt === null || evidence.isAutomatic || isGenericSubject(evidence.subjectKey)) return;
    this.candidate.push(message);
    this.subject.push(this.subjects.nodeOf(SPACE.subject, evidence.subjectKey, () => this.subjectCount++));
    this.flags.push((evidence.isReply ? FLAG.reply : 0) | (evidence.messageId === null ? 0 : FLAG.messageId));
    this.sentAt.push(evidence.sentAt);
    this.participantStart.push(this.participants.length);
    for (const participant of evidence.participants) this.participants.push(participant);
  }

  /** `textHash` of the base subject of a message. */
  subjectHashOf(message: number): number {
    return this.subjectHash.at(message);
  }

  /**
   * Settles what references join, and lets their ids go. Once, and when all messages are added; `finish` comes after
   * it.
   */
  joinReferences(): void {
    const { nodeOfMessage, sets, answered, answering, holder } = this;
    const joined = new UnionFind();
    const first = new Int32Array(sets.size).fill(NONE);
    for (let message = 0; message < nodeOfMessage.length; message++) {
      joined.make();
      const root = sets.find(nodeOfMessage.at(message));
      if (first[root] === NONE) first[root] = message;
      else joined.union(first[root]!, message);
    }
    holder.extend(sets.size);
    for (let at = 0; at < answered.length; at++) {
      const held = holder.at(answered.at(at));
      if (held !== 0 && held !== answering.at(at) + 1) this.isSettled.set(answering.at(at), 1);
    }
    for (const part of [sets, this.keys, this.subjects, answered, answering, holder]) part.clear();
    this.sets = joined;
  }

  /** For each message the number of the first message of its thread. Once: the evidence is let go. */
  finish({ contactOf, quotations }: LateEvidence): Int32Array {
    if (quotations !== null) this.joinQuotations(quotations);
    this.joinBySubject(contactOf);
    // The root of a set is its smallest node.
    const threadOf = Int32Array.from({ length: this.nodeOfMessage.length }, (_, message) => this.sets.find(message));
    this.clear();
    return threadOf;
  }

  private clear(): void {
    for (const part of [
      this.sets,
      this.nodeOfMessage,
      this.isSettled,
      this.subjectHash,
      this.candidate,
      this.subject,
      this.flags,
      this.sentAt,
      this.participantStart,
      this.participants,
    ])
      part.clear();
  }

  /**
   * A message belongs to the first mail that it quotes: what that one quotes in turn is its own matter, and a digest
   * joins no conversations.
   */
  private joinQuotations({ message, quoted, isFirst }: FoundQuotations): void {
    for (let at = 0; at < message.length; at++) {
      const by = message.at(at);
      if (isFirst.at(at) === 1 && this.isSettled.at(by) === 0) this.sets.union(by, quoted.at(at));
    }
  }

  /**
   * Within one base subject, oldest first, a message joins the latest earlier one that shares a participant, lies
   * within the gap, and either is answered (the later carries a reply mark) or one of the two has no Message-ID to be
   * found by.
   */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: columns are read in the order of subjects, with what the subject has seen
  private joinBySubject(contactOf: ArrayLike<number>): void {
    const sent = this.sentAt.view();
    const subjects = this.subject.view();
    const order = Uint32Array.from(sent.keys());
    order.sort((a, b) => subjects[a]! - subjects[b]! || sent[a]! - sent[b]! || a - b);
    /** Latest candidate of the current subject by participant: any, and those without Message-ID. */
    let latest = new Map<number, number>();
    let latestWithoutId = new Map<number, number>();
    let current = -1;
    for (const candidate of order) {
      if (subjects[candidate] !== current) {
        current = subjects[candidate]!;
        latest = new Map();
        latestWithoutId = new Map();
      }
      const flags = this.flags.at(candidate);
      const joinsAny = (flags & FLAG.reply) !== 0 || (flags & FLAG.messageId) === 0;
      const end =
        candidate + 1 < this.participantStart.length
          ? this.participantStart.at(candidate + 1)
          : this.participants.length;
      for (let at = this.participantStart.at(candidate); at < end; at++) {
        const participant = contactOf[this.participants.at(at)]!;
        const earlier = (joinsAny ? latest : latestWithoutId).get(participant);
        if (earlier !== undefined && sent[candidate]! - sent[earlier]! <= MAX_SUBJECT_GAP_MS) {
          this.sets.union(this.candidate.at(candidate), this.candidate.at(earlier));
        }
      }
      for (let at = this.participantStart.at(candidate); at < end; at++) {
        const participant = contactOf[this.participants.at(at)]!;
        latest.set(participant, candidate);
        if ((flags & FLAG.messageId) === 0) latestWithoutId.set(participant, candidate);
      }
    }
  }
}

function isTelling(id: string): boolean {
  return id.length >= MIN_MSG_ID_LENGTH && id.includes("@");
}

import { Float64Column, Int32Column, Uint8Column, Uint32Column } from "../columns/column.ts";
import { KeyNodes } from "../columns/key-nodes.ts";
import type { Instant } from "../mail/instant.ts";
import { isGenericSubject } from "./base-subject.ts";
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
  /** A robot or list sent it: its subject joins nothing. */
  readonly isAutomatic: boolean;
  readonly sentAt: Instant | null;
  /** Address numbers of sender and recipients. */
  readonly participants: Iterable<number>;
}

/** Ids that a copy of a message carries: it belongs to the thread that any of them names. */
export type ThreadIds = Pick<ThreadEvidence, "messageId" | "references" | "conversationIndexRoot" | "gmailThreadId">;

/** Messages further apart than this are not joined by subject alone. */
const MAX_SUBJECT_GAP_MS = 60 * 24 * 60 * 60 * 1000;
/** Shorter msg-ids (`<1>`, `<none>`) are fillers that strangers share. */
const MIN_MSG_ID_LENGTH = 6;
/** msg-ids of one header that are followed; RFC 5322 sets no limit and attackers none either. */
const MAX_REFERENCES = 1_000;

const SPACE = { msgId: 1, conversation: 2, gmail: 3, subject: 4 } as const;
const FLAG = { reply: 1, messageId: 2 } as const;

/**
 * Joins messages to threads by References/In-Reply-To, Conversation-Index root and base subject with one union-find. Evidence streams
 * in; what stays in memory is about 60 bytes a message and 4 bytes a participant. A reference loop is one set like any other.
 */
export class ThreadBuilder {
  private readonly sets = new UnionFind();
  private readonly keys = new KeyNodes();
  private readonly subjects = new KeyNodes();
  private subjectCount = 0;
  private readonly nodeOfMessage = new Int32Column();
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
    this.joinIds(node, evidence);
    this.addSubject(message, evidence);
  }

  /** Adds what a copy of a message tells beside it. @param message its number. */
  addCopy(message: number, ids: ThreadIds): void {
    this.joinIds(this.nodeOfMessage.at(message), ids);
  }

  private joinIds(node: number, evidence: ThreadIds): void {
    const make = () => this.sets.make();
    if (evidence.messageId !== null) this.sets.union(node, this.keys.nodeOf(SPACE.msgId, evidence.messageId, make));
    for (const reference of evidence.references.slice(-MAX_REFERENCES)) {
      if (reference.length >= MIN_MSG_ID_LENGTH) this.sets.union(node, this.keys.nodeOf(SPACE.msgId, reference, make));
    }
    if (evidence.conversationIndexRoot !== null) {
      this.sets.union(node, this.keys.nodeOf(SPACE.conversation, evidence.conversationIndexRoot, make));
    }
    if (evidence.gmailThreadId !== null) this.sets.union(node, this.keys.nodeOf(SPACE.gmail, evidence.gmailThreadId, make));
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

  /** For each message the number of the first message of its thread. Once: the evidence is let go. */
  finish(): Int32Array {
    this.joinBySubject();
    const first = new Int32Array(this.sets.size).fill(-1);
    const threadOf = new Int32Array(this.nodeOfMessage.length);
    for (let message = 0; message < threadOf.length; message += 1) {
      const root = this.sets.find(this.nodeOfMessage.at(message));
      if ((first[root] as number) < 0) first[root] = message;
      threadOf[message] = first[root] as number;
    }
    this.clear();
    return threadOf;
  }

  private clear(): void {
    const { sets, keys, subjects, nodeOfMessage, candidate, subject, flags, sentAt, participantStart, participants } = this;
    for (const part of [sets, keys, subjects, nodeOfMessage, candidate, subject, flags, sentAt, participantStart, participants])
      part.clear();
  }

  /**
   * Within one base subject, oldest first, a message joins the latest earlier one that shares a participant, lies within the gap, and
   * either is answered (the later carries a reply mark) or one of the two has no Message-ID to be found by.
   */
  private joinBySubject(): void {
    const sent = this.sentAt.view();
    const subjects = this.subject.view();
    const order = Uint32Array.from(sent.keys());
    order.sort((a, b) => (subjects[a] as number) - (subjects[b] as number) || (sent[a] as number) - (sent[b] as number) || a - b);
    /** Latest candidate of the current subject by participant: any, and those without Message-ID. */
    let latest = new Map<number, number>();
    let latestWithoutId = new Map<number, number>();
    let current = -1;
    for (const candidate of order) {
      if (subjects[candidate] !== current) {
        current = subjects[candidate] as number;
        latest = new Map();
        latestWithoutId = new Map();
      }
      const flags = this.flags.at(candidate);
      const joinsAny = (flags & FLAG.reply) !== 0 || (flags & FLAG.messageId) === 0;
      const end = candidate + 1 < this.participantStart.length ? this.participantStart.at(candidate + 1) : this.participants.length;
      for (let at = this.participantStart.at(candidate); at < end; at += 1) {
        const participant = this.participants.at(at);
        const earlier = (joinsAny ? latest : latestWithoutId).get(participant);
        if (earlier !== undefined && (sent[candidate] as number) - (sent[earlier] as number) <= MAX_SUBJECT_GAP_MS) {
          this.sets.union(this.nodeOfMessage.at(this.candidate.at(candidate)), this.nodeOfMessage.at(this.candidate.at(earlier)));
        }
      }
      for (let at = this.participantStart.at(candidate); at < end; at += 1) {
        latest.set(this.participants.at(at), candidate);
        if ((flags & FLAG.messageId) === 0) latestWithoutId.set(this.participants.at(at), candidate);
      }
    }
  }
}

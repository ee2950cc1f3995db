import { Uint8Column } from "../columns/column.ts";
import { textHash } from "../columns/key-nodes.ts";
import { PagedInt32Column, type StoredColumn } from "../columns/paged-column.ts";
import type { PagedMemory } from "../columns/paged-memory.ts";
import type { Instant } from "../mail/dates/instant.ts";
import { isCommonSubject, isGenericSubject } from "./base-subject.ts";
import type { QuotationLinks } from "./quotations.ts";
import { SubjectCandidates } from "./subject-candidates.ts";
import { KEY_ROLE, ThreadKeys } from "./thread-keys.ts";
import { UnionFind } from "./union-find.ts";

/** Thread data of one message. */
export interface ThreadEvidence {
  readonly messageId: string | null;
  /** msg-ids of References and In-Reply-To. */
  readonly references: readonly string[];
  readonly conversationIndexRoot: string | null;
  readonly gmailThreadId: string | null;
  /** `BaseSubject.key`. */
  readonly subjectKey: string;
  readonly isReply: boolean;
  /** True for automated and list mail: neither its subject nor its quotations join threads. */
  readonly isAutomatic: boolean;
  readonly sentAt: Instant | null;
  /** Address numbers of sender and recipients, the sender first if there is one. */
  readonly participants: Iterable<number>;
}

/** Ids that a copy of a message carries: it belongs to the thread that any of them names. */
export type ThreadIds = Pick<ThreadEvidence, "messageId" | "references" | "conversationIndexRoot" | "gmailThreadId">;

/**
 * Shorter msg-ids (`<1>`, `<none>`) are fillers shared by unrelated messages, and so are those without `@`: replies to
 * a prompt (`<yes>`).
 */
const MIN_MSG_ID_LENGTH = 6;
/** Maximum msg-ids followed per header; RFC 5322 sets no limit, and neither do attackers. */
const MAX_REFERENCES = 1_000;

const SPACE = { msgId: 1, conversation: 2, gmail: 3 } as const;

/** Evidence after contacts are resolved and texts are read. */
export interface LateEvidence {
  /** Contact of each address number. */
  readonly contactOf: (address: number) => number;
  /** Null if no text was read. */
  readonly quotations: QuotationLinks | null;
}

/**
 * Joins messages to threads by References/In-Reply-To, Conversation-Index root, quoted headers and base subject with
 * one union-find. Evidence is streamed to files; 5 bytes per message stay in memory. A reference loop is an ordinary
 * set.
 */
export class ThreadBuilder {
  private readonly sets = new UnionFind();
  private readonly keys: ThreadKeys;
  private readonly candidates: SubjectCandidates;
  /** By message: 1 if only references may join it, because it is automated or replies to an existing message. */
  private readonly isSettled = new Uint8Column();
  private readonly subjectHash: PagedInt32Column;

  constructor(private readonly memory: PagedMemory) {
    this.keys = new ThreadKeys(memory);
    this.candidates = new SubjectCandidates(memory);
    this.subjectHash = new PagedInt32Column(memory);
  }

  /** Adds the next message; messages are numbered from 0 in the order they are added. */
  add(evidence: ThreadEvidence): void {
    const message = this.sets.make();
    this.isSettled.push(evidence.isAutomatic ? 1 : 0);
    this.subjectHash.push(textHash(evidence.subjectKey));
    this.addCopy(message, evidence);
    const { sentAt, subjectKey, isReply, participants } = evidence;
    if (sentAt === null || evidence.isAutomatic || isGenericSubject(subjectKey)) return;
    const hasMessageId = evidence.messageId !== null;
    const isCommon = isCommonSubject(subjectKey);
    this.candidates.add({ message, subjectKey, isCommon, sentAt, isReply, hasMessageId, participants });
  }

  /** The evidence of all messages. */
  get columns(): readonly StoredColumn[] {
    return [this.subjectHash, ...this.keys.parts, ...this.candidates.parts, this.isSettled];
  }

  /** Numbers messages whose evidence was appended to the columns. */
  restore(messages: number): void {
    for (let message = 0; message < messages; message++) this.sets.make();
  }

  /** Adds the thread ids of a duplicate. @param message its number. */
  addCopy(message: number, { messageId, references, conversationIndexRoot, gmailThreadId }: ThreadIds): void {
    const { keys } = this;
    if (messageId !== null && isTelling(messageId)) keys.add(SPACE.msgId, messageId, { message, role: KEY_ROLE.own });
    const followed = references.slice(-MAX_REFERENCES).filter(isTelling);
    for (const [index, reference] of followed.entries()) {
      const role = index === followed.length - 1 ? KEY_ROLE.answered : KEY_ROLE.other;
      keys.add(SPACE.msgId, reference, { message, role });
    }
    if (conversationIndexRoot !== null)
      keys.add(SPACE.conversation, conversationIndexRoot, { message, role: KEY_ROLE.other });
    if (gmailThreadId !== null) keys.add(SPACE.gmail, gmailThreadId, { message, role: KEY_ROLE.other });
  }

  /** `textHash` of the base subject of a message. */
  subjectHashOf(message: number): number {
    return this.subjectHash.at(message);
  }

  /** Joins by references and releases their ids. Call once after all messages are added, before `finish`. */
  joinReferences(): void {
    this.keys.join(this.sets, (message) => this.isSettled.set(message, 1));
  }

  /** First message of the thread of a message; call after `joinReferences`. */
  threadSoFar(message: number): number {
    return this.sets.find(message);
  }

  /** The first message of each message's thread. Call once: it releases the evidence. */
  finish({ contactOf, quotations }: LateEvidence): PagedInt32Column {
    if (quotations !== null) this.joinQuotations(quotations);
    this.candidates.join(this.sets, contactOf);
    const threadOf = new PagedInt32Column(this.memory);
    // The root of a set is its smallest node.
    for (let message = 0; message < this.sets.size; message++) threadOf.push(this.sets.find(message));
    for (const part of [this.sets, this.isSettled, this.subjectHash]) part.clear();
    return threadOf;
  }

  /**
   * A message belongs to the first message that it quotes; nested quotations are left to that one, and a digest joins
   * no conversations.
   */
  private joinQuotations({ message, quoted, isFirst }: QuotationLinks): void {
    for (let at = 0; at < message.length; at++) {
      const by = message.at(at);
      if (isFirst.at(at) === 1 && this.isSettled.at(by) === 0) this.sets.union(by, quoted.at(at));
    }
  }
}

function isTelling(id: string): boolean {
  return id.length >= MIN_MSG_ID_LENGTH && id.includes("@");
}

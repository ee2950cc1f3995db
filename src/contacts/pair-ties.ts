import type { Correspondent, Correspondents } from "./correspondence.ts";

/** Contacts between two people. Arrays by contact are in their order. */
export interface Ties {
  readonly written: number;
  readonly returned: number;
  /** Messages that name each. */
  readonly messages: readonly [number, number];
  /** Number of other contacts that wrote to each, without the other one of the pair. */
  readonly writers: readonly [number, number];
  /** Number of contacts that each wrote to or received mail from. */
  readonly degrees: readonly [number, number];
  readonly common: number;
  /** The same, weighted: contacts that many messages name count less. */
  readonly commonWeight: number;
  readonly isReplyAddress: boolean;
  /** One gives the other's address as its own. */
  readonly isOwnAddress: boolean;
  readonly isOneThread: boolean;
  readonly isSuccession: boolean;
}

/**
 * Maximum share of messages with a person for common correspondents to count: above, that person is the mailbox
 * owner.
 */
const MAX_MESSAGE_SHARE = 0.3;
/** Maximum days between the end of one address and the start of its successor: 400. */
const MAX_GAP_MS = 400 * 24 * 60 * 60 * 1_000;

/** Evidence from mail about two contacts. */
export function tiesBetween(correspondents: Correspondents, one: number, other: number): Ties {
  const [ones, others] = [correspondents.of(one), correspondents.of(other)];
  const direct = ones.find(({ contact }) => contact === other);
  const common = inCommon(ones, others).filter(
    (contact) => contact !== one && contact !== other && isTelling(correspondents, contact),
  );
  const gaps = [correspondents.gapBetween(one, other), correspondents.gapBetween(other, one)];
  return {
    written: direct?.written ?? 0,
    returned: direct?.received ?? 0,
    messages: [correspondents.messagesOf(one), correspondents.messagesOf(other)],
    writers: [writersBut(ones, one, other), writersBut(others, one, other)],
    degrees: [ones.length, others.length],
    common: common.length,
    commonWeight: common
      .map((contact) => 1 / Math.log2(2 + correspondents.messagesOf(contact)))
      .sort((a, b) => a - b)
      .reduce((sum, weight) => sum + weight, 0),
    isReplyAddress: correspondents.repliesTo(one, other) || correspondents.repliesTo(other, one),
    isOwnAddress: correspondents.ownsAddressOf(one, other) || correspondents.ownsAddressOf(other, one),
    isOneThread: inCommonNumbers(correspondents.threadsOf(one), correspondents.threadsOf(other)),
    isSuccession: gaps.some((gap) => gap >= 0 && gap <= MAX_GAP_MS),
  };
}

function isTelling(correspondents: Correspondents, contact: number): boolean {
  return correspondents.messagesOf(contact) <= correspondents.messageCount * MAX_MESSAGE_SHARE;
}

function writersBut(correspondents: readonly Correspondent[], one: number, other: number): number {
  return correspondents.filter(({ contact, received }) => received > 0 && contact !== one && contact !== other).length;
}

/** Contacts in both lists, which ascend. */
function inCommon(ones: readonly Correspondent[], others: readonly Correspondent[]): readonly number[] {
  const common: number[] = [];
  let at = 0;
  for (const { contact } of ones) {
    while (at < others.length && others[at]!.contact < contact) at++;
    if (others[at]?.contact === contact) common.push(contact);
  }
  return common;
}

/** True for two ascending lists with a number in common. */
function inCommonNumbers(ones: readonly number[], others: readonly number[]): boolean {
  let at = 0;
  for (const number of ones) {
    while (at < others.length && others[at]! < number) at++;
    if (others[at] === number) return true;
  }
  return false;
}

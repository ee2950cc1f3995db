import { DIGIT_0 } from "../words/ascii.ts";
import type { ContactOrdinal, MessageOrdinal, Ordinal, ThreadOrdinal, TopicOrdinal } from "./ordinal.ts";

/**
 * Public ids are ordinals prefixed with their kind: stable, safe in URLs and file names, never reused. The padding is a
 * minimum; larger ordinals are wider.
 */
export type MessageId = `msg-${string}`;
export type ContactId = `contact-${string}`;
export type ThreadId = `thread-${string}`;
export type TopicId = `topic-${string}`;
export type CommunityId = `community-${string}`;
export type EventId = `event-${string}`;
export type ItemId = `item-${string}`;

/** Minimum digits of an ordinal, by kind. */
export const LEAST_DIGITS = { msg: 6, contact: 6, thread: 6, topic: 3, community: 2, event: 6, item: 6 } as const;
export type IdKind = keyof typeof LEAST_DIGITS;

/** Zeros by number. */
const ZEROS: readonly string[] = Array.from({ length: 6 }, (_, count) => "0".repeat(count));

function format<K extends IdKind>(kind: K, ordinal: number): `${K}-${string}` {
  const digits = String(ordinal);
  return `${kind}-${ZEROS[LEAST_DIGITS[kind] - digits.length] ?? ""}${digits}`;
}

export const messageId = (ordinal: MessageOrdinal): MessageId => format("msg", ordinal);
export const contactId = (ordinal: ContactOrdinal): ContactId => format("contact", ordinal);
export const threadId = (ordinal: ThreadOrdinal): ThreadId => format("thread", ordinal);
export const topicId = (ordinal: TopicOrdinal): TopicId => format("topic", ordinal);
export const communityId = (ordinal: number): CommunityId => format("community", ordinal);
export const eventId = (ordinal: number): EventId => format("event", ordinal);
export const itemId = (ordinal: number): ItemId => format("item", ordinal);

/** "Other": threads whose text is too short or fits no topic. */
export const OTHER_TOPIC = 0 as TopicOrdinal;

/** Maximum digits of an ordinal: fewer than those of the largest safe integer. */
const MAX_DIGITS = 15;

/** The ordinal of a public id. Returns null unless the text is an id of that kind, exactly as this tool writes it. */
export function ordinalOf<K extends IdKind>(kind: K, id: string): Ordinal<K> | null {
  const first = kind.length + 1;
  const digits = id.length - first;
  if (digits < LEAST_DIGITS[kind] || digits > MAX_DIGITS || !id.startsWith(kind) || id[kind.length] !== "-")
    return null;
  // Numbers are padded with zeros; a longer number begins with another digit.
  if (digits > LEAST_DIGITS[kind] && id.charCodeAt(first) === DIGIT_0) return null;
  let ordinal = 0;
  for (let at = first; at < id.length; at++) {
    const digit = id.charCodeAt(at) - DIGIT_0;
    if (digit < 0 || digit > 9) return null;
    ordinal = ordinal * 10 + digit;
  }
  return ordinal as Ordinal<K>;
}

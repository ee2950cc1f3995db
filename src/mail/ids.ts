/**
 * Public ids are ordinals with a kind in front: stable, safe in a URL and in a file name, never reused.
 * The padding is a minimum; ordinals grow wider when they must.
 */
export type MessageId = `msg-${string}`;
export type ContactId = `contact-${string}`;
export type ThreadId = `thread-${string}`;
export type TopicId = `topic-${string}`;
export type CommunityId = `community-${string}`;
export type EventId = `event-${string}`;
export type ItemId = `item-${string}`;

/** Digits an ordinal is padded to, by kind. */
const PADDING = { msg: 6, contact: 6, thread: 6, topic: 3, community: 2, event: 6, item: 6 } as const;
type Kind = keyof typeof PADDING;

function format<K extends Kind>(kind: K, ordinal: number): `${K}-${string}` {
  return `${kind}-${String(ordinal).padStart(PADDING[kind], "0")}`;
}

export const messageId = (ordinal: number): MessageId => format("msg", ordinal);
export const contactId = (ordinal: number): ContactId => format("contact", ordinal);
export const threadId = (ordinal: number): ThreadId => format("thread", ordinal);
export const topicId = (ordinal: number): TopicId => format("topic", ordinal);
export const communityId = (ordinal: number): CommunityId => format("community", ordinal);
export const eventId = (ordinal: number): EventId => format("event", ordinal);
export const itemId = (ordinal: number): ItemId => format("item", ordinal);

/** "Other": threads whose text is too short or fits no topic. */
export const OTHER_TOPIC = 0;

/** The ordinal of a public id, or null when the text is no id of that kind in the exact form this tool writes. */
export function ordinalOf(kind: Kind, id: string): number | null {
  const prefix = `${kind}-`;
  if (!id.startsWith(prefix) || id.length > prefix.length + 15) return null;
  const digits = id.slice(prefix.length);
  if (!/^[0-9]+$/.test(digits)) return null;
  const ordinal = Number(digits);
  return format(kind, ordinal) === id ? ordinal : null;
}

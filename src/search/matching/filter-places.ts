import type { NamedMailbox, Places } from "../indexing/search-source.ts";

/** Messages with a location in a mailbox that passes the test, each at least once. */
export function filterPlaces(
  { named, mailboxes, further }: Places,
  isWanted: (mailbox: NamedMailbox) => boolean,
): Iterable<number> {
  const wanted = new Set(Array.from(named).flatMap(([id, mailbox]) => (isWanted(mailbox) ? [id] : [])));
  const found: number[] = [];
  if (wanted.size === 0) return found;
  for (let message = 0; message < mailboxes.length; message++) if (wanted.has(mailboxes[message]!)) found.push(message);
  for (let at = 0; at + 1 < further.length; at += 2) if (wanted.has(further[at + 1]!)) found.push(further[at]!);
  return found;
}

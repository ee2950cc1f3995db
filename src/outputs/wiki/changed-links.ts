import type { MessageHeading } from "../../mail/archive.ts";
import type { Address } from "../../mail/records/address.ts";
import type { Entities } from "./vault.ts";

/**
 * Returns true for a message whose block names an entity that has another page, name or mailbox than before.
 * @param before entities of the earlier vault
 */
export function changedLinks(before: Entities, now: Entities): (message: MessageHeading) => boolean {
  if (before.sourcePaths.some((path, source) => path !== now.sourcePaths[source])) return () => true;
  const addresses = differences(before.contactOfAddress, now.contactOfAddress);
  const topics = differences(before.topics, now.topics);
  const threads = differences(marked(before.threads), marked(now.threads));
  const mailboxes = differences(marked(before.sharedMailboxes), marked(now.sharedMailboxes));
  const isChanged = ({ email }: Address): boolean => addresses.has(email) || addresses.has(email.toLowerCase());
  return ({ threadId, topicId, occurrences, from, sender, to, cc, bcc }) =>
    threads.has(threadId) ||
    topics.has(topicId) ||
    (mailboxes.size > 0 && occurrences.some(({ mailbox }) => mailboxes.has(mailbox))) ||
    (from !== null && isChanged(from)) ||
    (sender !== null && isChanged(sender)) ||
    to.some(isChanged) ||
    cc.some(isChanged) ||
    bcc.some(isChanged);
}

function marked<K>(keys: ReadonlySet<K>): ReadonlyMap<K, true> {
  return new Map(Array.from(keys, (key) => [key, true]));
}

/** Keys with another value, or with one in only one of both. */
function differences<K, V>(before: ReadonlyMap<K, V>, now: ReadonlyMap<K, V>): ReadonlySet<K> {
  const different = new Set<K>();
  for (const [key, value] of before) if (now.get(key) !== value) different.add(key);
  for (const key of now.keys()) if (!before.has(key)) different.add(key);
  return different;
}

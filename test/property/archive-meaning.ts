import type { Archive } from "../../src/mail/archive.ts";

/** An archive with ids replaced by the records they identify: two archives of the same mail are equal in this form. */
export async function archiveMeaning(archive: Archive) {
  const messages = [];
  const nameOf = new Map<string, string>();
  for await (const batch of archive.messages.scan()) {
    for (const { id, threadId: _thread, topicId: _topic, ...message } of batch) {
      nameOf.set(id, `${message.messageId} ${message.sha256}`);
      messages.push(message);
    }
  }
  const threads = [];
  for await (const batch of archive.threads.scan()) {
    for (const { id: _id, topicId: _topic, messageIds, ...thread } of batch)
      threads.push({ ...thread, messages: messageIds.map((id) => nameOf.get(id)) });
  }
  const contacts = [];
  const contactOf = new Map<string, string>();
  for await (const batch of archive.contacts.scan()) {
    for (const { id, communityId: _community, ...contact } of batch) {
      contactOf.set(id, contact.email || contact.name);
      const detail = await archive.contacts.get(id);
      contacts.push({ ...contact, messages: detail?.messageIds.map((message) => nameOf.get(message)).sort() });
    }
  }
  const edges = [];
  for await (const batch of archive.contacts.edges())
    for (const { from, to, count, weight } of batch)
      edges.push({ from: contactOf.get(from), to: contactOf.get(to), count, weight });
  const events = [];
  for await (const batch of archive.events.scan())
    for (const { id: _id, messageId, ...event } of batch)
      events.push({ ...event, message: messageId === null ? null : nameOf.get(messageId) });
  const items = [];
  for await (const batch of archive.items.scan()) for (const { id: _id, ...item } of batch) items.push(item);
  const found = [];
  for (const word of ["grain", "wheel", "harvest"])
    for (const hit of (await archive.search.search(word, 100)).hits)
      found.push({ word, score: hit.score, message: nameOf.get(hit.messageId) });
  const { sources, redactions, sourceHash } = await archive.provenance();
  const { totalTopics: _topics, extractedAt: _at, ...statistics } = await archive.stats();
  const sorted = <T>(values: readonly T[]): readonly T[] =>
    [...values].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return {
    messages: messages.map(({ quotes, ...message }) => ({
      ...message,
      quotes: quotes.map((id) => nameOf.get(id)).sort(),
    })),
    threads: sorted(threads),
    contacts: sorted(contacts),
    edges: sorted(edges),
    events: sorted(events),
    items: sorted(items),
    found: sorted(found),
    sources,
    redactions,
    sourceHash,
    statistics,
  };
}

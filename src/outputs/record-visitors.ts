import type { Archive, ContactEdge, EncodedMessage } from "../mail/archive.ts";
import type { Contact } from "../mail/records/contact.ts";
import type { Thread, ThreadDetail } from "../mail/records/thread.ts";

/**
 * Writers that process a single pass over the records of an archive: all contacts, then all edges, all threads, all
 * messages, each kind in id order.
 */
export interface RecordWatcher {
  showContacts?(contacts: readonly Contact[]): void;
  /** Called after the last contact. */
  contactsEnd?(): void;
  showEdges?(edges: readonly ContactEdge[]): void;
  showThreads?(threads: readonly Thread[]): void;
  /** Called after the last thread; messages follow. */
  threadsEnd?(): Promise<void>;
  showMessages?(messages: readonly EncodedMessage[]): void;
}

/** Visitors of all records in one pass: each kind once, in this order; threads in one of two forms. */
export interface RecordVisitors {
  readonly contacts: AsyncIterable<readonly Contact[]>;
  readonly threads: AsyncIterable<readonly ThreadDetail[]>;
  /** The same visit of threads without the ids of their messages, which take longer to read than the threads. */
  readonly threadSummaries: AsyncIterable<readonly Thread[]>;
  readonly messages: AsyncIterable<readonly EncodedMessage[]>;
}

/** The same, with messages as records or as elements of extraction.json. */
export interface WrittenRecords extends Omit<RecordVisitors, "messages"> {
  readonly messages: AsyncIterable<readonly (EncodedMessage | Uint8Array)[]>;
}

export function visitRecords(archive: Archive, watchers: readonly RecordWatcher[]): RecordVisitors {
  return {
    contacts: walkContacts(archive, watchers),
    threads: walkThreads(archive.threads.scan(), watchers),
    threadSummaries: walkThreads(archive.threads.summaries(), watchers),
    messages: walkMessages(archive, watchers),
  };
}

async function* walkContacts(archive: Archive, watchers: readonly RecordWatcher[]): AsyncGenerator<readonly Contact[]> {
  for await (const contacts of archive.contacts.scan()) {
    for (const watcher of watchers) watcher.showContacts?.(contacts);
    yield contacts;
  }
  for (const watcher of watchers) watcher.contactsEnd?.();
  for await (const edges of archive.contacts.edges()) for (const watcher of watchers) watcher.showEdges?.(edges);
}

async function* walkThreads<T extends Thread>(
  batches: AsyncIterable<readonly T[]>,
  watchers: readonly RecordWatcher[],
): AsyncGenerator<readonly T[]> {
  for await (const threads of batches) {
    for (const watcher of watchers) watcher.showThreads?.(threads);
    yield threads;
  }
  for (const watcher of watchers) await watcher.threadsEnd?.();
}

async function* walkMessages(
  archive: Archive,
  watchers: readonly RecordWatcher[],
): AsyncGenerator<readonly EncodedMessage[]> {
  for await (const messages of archive.messages.scan()) {
    for (const watcher of watchers) watcher.showMessages?.(messages);
    yield messages;
  }
}

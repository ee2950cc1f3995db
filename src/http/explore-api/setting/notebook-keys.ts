import { ArchiveError } from "../../../errors.ts";
import type { Archive, ArchivedMessage } from "../../../mail/archive.ts";
import { KEY_SEPARATOR, type NotebookKind } from "../../../mail/notebook.ts";
import { formatText } from "../../format-value.ts";

/** Identifies an entity across extractions of the same mail. Throws NOT_FOUND. */
export async function keyOf(archive: Archive, kind: NotebookKind, id: string): Promise<string> {
  const key = await KEYS[kind](archive, id);
  if (key === null) throw new ArchiveError("NOT_FOUND", `${kind} ${formatText(id)} not found`);
  return key;
}

/** Keys of several entities by id; unknown ones are omitted. */
export async function keysOf(
  archive: Archive,
  kind: NotebookKind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (kind === "message")
    return new Map((await archive.messages.getMany(ids)).map((message) => [message.id, keyOfMessage(message)]));
  const keys = new Map<string, string>();
  for (const id of ids) {
    const key = await KEYS[kind](archive, id);
    if (key !== null) keys.set(id, key);
  }
  return keys;
}

/** Id of an entity in this archive, or null. */
export function idOf(archive: Archive, kind: NotebookKind, key: string): Promise<string | null> {
  return IDS[kind](archive, key);
}

/** Name of an entity in lists. */
export async function labelOf(archive: Archive, kind: NotebookKind, id: string): Promise<string> {
  return (await LABELS[kind](archive, id)) ?? "";
}

type Finder = (archive: Archive, text: string) => Promise<string | null>;

function keyOfMessage({ messageId, sha256 }: Pick<ArchivedMessage, "messageId" | "sha256">): string {
  return messageId + KEY_SEPARATOR + sha256;
}

async function messageKey(archive: Archive, id: string): Promise<string | null> {
  const message = await archive.messages.get(id);
  return message === null ? null : keyOfMessage(message);
}

const asWritten: Finder = async (_, text) => text;

const KEYS: Readonly<Record<NotebookKind, Finder>> = {
  message: messageKey,
  // A conversation is identified by its first message: others may join it later.
  async thread(archive, id) {
    const thread = await archive.threads.get(id);
    return thread === null ? null : messageKey(archive, thread.messageIds[0] ?? "");
  },
  async person(archive, id) {
    const contact = await archive.contacts.get(id);
    return contact === null ? null : contact.email || contact.name;
  },
  topic: async (archive, id) => (await archive.topics.get(id))?.name ?? null,
  search: asWritten,
  tag: asWritten,
};

async function messageOf(archive: Archive, key: string): Promise<string | null> {
  const [id] = await archive.messages.ofMessageIds([key.split(KEY_SEPARATOR, 1)[0]!]);
  return id ?? null;
}

const IDS: Readonly<Record<NotebookKind, Finder>> = {
  async message(archive, key) {
    const id = await messageOf(archive, key);
    const message = id === null ? null : await archive.messages.get(id);
    // Two mails may have the same Message-ID: selects the one with these bytes, or its duplicate.
    const sha256 = key.slice(key.indexOf(KEY_SEPARATOR) + 1);
    const isSame = message?.sha256 === sha256 || message?.occurrences.some((place) => place.sha256 === sha256);
    return isSame ? id : null;
  },
  async thread(archive, key) {
    const id = await messageOf(archive, key);
    return id === null ? null : ((await archive.messages.get(id))?.threadId ?? null);
  },
  async person(archive, key) {
    const [contact] = await archive.contacts.ofAddresses([key]);
    return contact?.id ?? null;
  },
  async topic(archive, key) {
    const { items } = await archive.topics.list("frequency", 1000);
    return items.find(({ name }) => name === key)?.id ?? null;
  },
  search: asWritten,
  tag: asWritten,
};

const LABELS: Readonly<Record<NotebookKind, Finder>> = {
  message: async (archive, id) => (await archive.messages.get(id))?.subject ?? null,
  thread: async (archive, id) => (await archive.threads.get(id))?.subject ?? null,
  async person(archive, id) {
    const contact = await archive.contacts.get(id);
    return contact === null ? null : contact.name || contact.email;
  },
  topic: async (archive, id) => (await archive.topics.get(id))?.name ?? null,
  search: asWritten,
  tag: asWritten,
};

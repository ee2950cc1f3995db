import type { Archive } from "../../mail/archive.ts";
import type { Contact } from "../../mail/records/contact.ts";
import { type ContactId, ordinalOf, type ThreadId } from "../../mail/records/ids.ts";
import { openArchive } from "../../store/archive/open-archive.ts";
import { ARCHIVE_FILE, archiveIn } from "../../store/contract/archive-location.ts";
import { WRITTEN_MEMORY } from "../../store/contract/reading-memory.ts";
import type { EarlierOutput } from "../earlier-output.ts";
import { type Entities, Vault } from "./vault.ts";

/** Contacts read at a time. */
const READ_BATCH = 1_000;
/** Topics are few by construction. */
export const ALL_TOPICS = 100_000;

const CONTACT_PAGE = /^wiki\/contacts\/contact-\d+\.md$/;
const THREAD_PAGE = /^wiki\/threads\/(thread-\d+)\.md$/;

/** Adds the contacts with most messages, up to a maximum. Returns their ids, most active first. */
export async function addContacts(vault: Vault, archive: Archive, count: number): Promise<readonly ContactId[]> {
  const added: ContactId[] = [];
  for await (const { id, name, email, aliases } of mostActive(archive, count)) {
    added.push(id);
    vault.addContact(
      id,
      name || email,
      [email, ...aliases].filter((address) => address !== ""),
    );
  }
  return added;
}

async function* mostActive(archive: Archive, count: number): AsyncGenerator<Contact> {
  for (let offset = 0; offset < count; offset += READ_BATCH)
    yield* (await archive.contacts.list("frequency", { limit: Math.min(READ_BATCH, count - offset), offset })).items;
}

/** Adds the mailboxes of the archive. */
export async function addMailboxes(vault: Vault, archive: Archive): Promise<void> {
  const { sources } = await archive.provenance();
  vault.addMailboxes(
    await archive.messages.mailboxes(),
    sources.map(({ path }) => path),
  );
}

/** The entities with a page in an earlier output; null if a file of it is missing or damaged. */
export async function earlierEntities(earlier: EarlierOutput): Promise<Entities | null> {
  const { directory, files, isWhole } = earlier;
  if (!isWhole || !files.has(ARCHIVE_FILE)) return null;
  const vault = new Vault("wiki");
  const archive = await openArchive(archiveIn(directory), WRITTEN_MEMORY);
  try {
    let contacts = 0;
    for (const path of files) {
      if (CONTACT_PAGE.test(path)) contacts++;
      const thread = THREAD_PAGE.exec(path)?.[1];
      if (thread !== undefined && ordinalOf("thread", thread) !== null) vault.addThread(thread as ThreadId);
    }
    await addContacts(vault, archive, contacts);
    await addMailboxes(vault, archive);
    for (const { id, name } of (await archive.topics.list("frequency", ALL_TOPICS)).items) vault.addTopic(id, name);
    return vault.entities;
  } finally {
    await archive.close();
  }
}

import type { ArchiveSummary } from "../document/archive-stats.ts";
import type { Archive } from "../mail/archive.ts";

/** Maximum contacts in a summary. */
const TOP_CONTACTS = 10;

/** Collects the data of `stats`. */
export async function summarizeArchive(archive: Archive): Promise<ArchiveSummary> {
  const topContacts = await archive.contacts.list("frequency", { limit: TOP_CONTACTS, offset: 0 });
  return {
    provenance: await archive.provenance(),
    topContacts: topContacts.items,
    mailboxes: await archive.messages.mailboxes(),
  };
}

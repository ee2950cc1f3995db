import type { Archive } from "../../../mail/archive.ts";
import { shortNames } from "../../../mail/records/source-names.ts";
import { sharedMailboxNames } from "../../../mail/shared-mailboxes.ts";
import { quoted } from "../../../search/ranges/facet-counts.ts";

/** Label of a mailbox without its source nearby, and the clause that finds its messages. */
export interface NamedMailbox {
  readonly label: string;
  readonly clause: string;
}

/** Names a mailbox of a source. */
type MailboxNames = (source: number, name: string) => NamedMailbox;

const known = new WeakMap<Archive, Promise<MailboxNames>>();

/**
 * Labels of mailboxes; a name used by several sources includes the source. Cached, since an open archive never changes.
 */
export function mailboxNames(archive: Archive): Promise<MailboxNames> {
  const names = known.get(archive) ?? namesOf(archive);
  known.set(archive, names);
  return names;
}

async function namesOf(archive: Archive): Promise<MailboxNames> {
  const shared = sharedMailboxNames(await archive.messages.mailboxes());
  const record = await archive.provenance();
  const sources = shortNames(record.sources.map(({ path }) => path.toWellFormed()));
  return (source, name) =>
    shared.has(name)
      ? { label: `${name} (${sources[source] ?? source})`, clause: quoted("mailbox", `${source}:${name}`) }
      : { label: name, clause: quoted("mailbox", name) };
}

import type { Archive } from "../../../mail/archive.ts";
import type { ContactId } from "../../../mail/records/ids.ts";
import type { Thread } from "../../../mail/records/thread.ts";

/** People of each conversation, in order of first appearance; two addresses of one person count once. */
export async function peopleOfThreads(
  archive: Archive,
  threads: readonly Pick<Thread, "participants">[],
): Promise<readonly (readonly ContactId[])[]> {
  const addresses = Array.from(new Set(threads.flatMap(({ participants }) => participants)));
  const contacts = await archive.contacts.ofAddresses(addresses);
  const ids = new Map(addresses.map((address, at) => [address, contacts[at]?.id]));
  return threads.map(({ participants }) =>
    Array.from(new Set(participants.flatMap((address) => ids.get(address) ?? []))),
  );
}

import type { Archive } from "../../../mail/archive.ts";
import { type CommunityId, type ContactId, contactId, ordinalOf } from "../../../mail/records/ids.ts";
import type { ContactOrdinal } from "../../../mail/records/ordinal.ts";

/** Contacts of each community by their ordinals, those with the most messages first. */
type Communities = ReadonlyMap<CommunityId, readonly number[]>;

const known = new WeakMap<Archive, Promise<Communities>>();

/** The people of a community, the most active first; empty for an unknown id. */
export async function peopleOfCommunity(archive: Archive, id: string): Promise<readonly ContactId[]> {
  // An open archive never changes, so this is computed once.
  const communities = known.get(archive) ?? communitiesOf(archive);
  known.set(archive, communities);
  const ordinals = (await communities).get(id as CommunityId) ?? [];
  return ordinals.map((ordinal) => contactId(ordinal as ContactOrdinal));
}

async function communitiesOf({ contacts }: Archive): Promise<Communities> {
  const members = new Map<CommunityId, { readonly ordinal: number; readonly messages: number }[]>();
  for await (const batch of contacts.scan()) {
    for (const { id, communityId, messageCount } of batch) {
      if (!members.has(communityId)) members.set(communityId, []);
      members.get(communityId)!.push({ ordinal: ordinalOf("contact", id)!, messages: messageCount });
    }
  }
  const ordered = Array.from(members, ([community, people]) => {
    people.sort((left, right) => right.messages - left.messages || left.ordinal - right.ordinal);
    return [community, people.map(({ ordinal }) => ordinal)] as const;
  });
  return new Map(ordered);
}

import type { Archive, ArchivedMessage } from "../../../mail/archive.ts";
import type { SourcesRead } from "../../../mail/records/provenance.ts";
import type { OriginalThread } from "../../../originals/original-thread.ts";
import type { ItemPart } from "../../../originals/part-of-original.ts";
import { originalPlaces } from "../../../outputs/export/message-bytes.ts";
import type { Original } from "../../../sources/read-original.ts";
import { type AttachmentParent, itemPlace } from "../../original-files.ts";
import type { ExploreSetting } from "../setting/explore-setting.ts";
import type { AttachmentState, ItemFileState } from "../wire/wire-originals.ts";

/** Reads the files of an item again: returns one byte per file, or the state of its source. */
type ReadPresence<State> = (
  thread: OriginalThread,
  part: ItemPart,
  from: SourcesRead,
) => Promise<Original | { readonly state: State }>;

/**
 * Availability of each attachment of a message, in order; null for links, and if originals are stored elsewhere.
 * Reads the source once for all attachments, and not at all if there are none.
 */
export function attachmentStates(
  archive: Archive,
  setting: ExploreSetting,
  message: ArchivedMessage,
): Promise<readonly (AttachmentState | null)[]> {
  return statesOf<AttachmentState>(archive, setting, message.attachments, async (thread, part, from) => {
    let first: Original | null = null;
    for (const place of originalPlaces(message, from)) {
      const original = await thread.read(place, part);
      if (original.state === "available") return original;
      // Keep the location nearest to the recorded one, which is what a user would open.
      first ??= original;
    }
    return first ?? { state: "moved" };
  });
}

/** The same for attachments of an event or item. */
export function itemFileStates(
  archive: Archive,
  setting: ExploreSetting,
  holder: AttachmentParent,
): Promise<readonly (ItemFileState | null)[]> {
  return statesOf<ItemFileState>(archive, setting, holder.attachments, async (thread, part, from) => {
    const place = itemPlace(holder, from);
    return place === null ? { state: "unplaced" } : thread.readItem(place, part);
  });
}

async function statesOf<State extends ItemFileState>(
  archive: Archive,
  { originals }: ExploreSetting,
  attachments: AttachmentParent["attachments"],
  read: ReadPresence<State>,
): Promise<readonly (State | AttachmentState | null)[]> {
  const isFile = attachments.map(({ linkTarget }) => linkTarget === null);
  const ofFiles = <T>(stateOf: (index: number) => T): readonly (T | null)[] =>
    isFile.map((is, index) => (is ? stateOf(index) : null));
  if (!isFile.includes(true)) return ofFiles(() => null);
  const from = await archive.provenance();
  if (from.options.redact.length > 0) return ofFiles(() => "withheld");
  if (originals === null) return ofFiles(() => null);
  const part = { kind: "presence", sha256s: attachments.map(({ sha256 }) => sha256) } as const;
  const found = await read(await originals(), part, from);
  if ("bytes" in found) return ofFiles((index) => (found.bytes[index] === 1 ? "available" : "unreadable"));
  return ofFiles(() => found.state);
}

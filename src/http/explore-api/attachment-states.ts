import type { Archive, ArchivedMessage } from "../../mail/archive.ts";
import { originalPlaces } from "../../outputs/export/message-bytes.ts";
import type { Original } from "../../sources/read-original.ts";
import type { ExploreSetting } from "./explore-setting.ts";
import type { AttachmentState } from "./wire-originals.ts";

/**
 * What would be answered to whoever opened each attachment of a message now, in their order; null for links, which
 * have nothing to open, and where originals are elsewhere. The source is read once for all of them; a message without
 * files costs nothing.
 */
export async function attachmentStates(
  archive: Archive,
  { originals }: ExploreSetting,
  message: ArchivedMessage,
): Promise<readonly (AttachmentState | null)[]> {
  const { attachments } = message;
  const isFile = attachments.map(({ linkTarget }) => linkTarget === null);
  const ofFiles = <T>(stateOf: (index: number) => T): readonly (T | null)[] =>
    isFile.map((is, index) => (is ? stateOf(index) : null));
  if (!isFile.includes(true)) return ofFiles(() => null);
  const { sources, options } = await archive.provenance();
  if (options.redact.length > 0) return ofFiles(() => "withheld");
  if (originals === null) return ofFiles(() => null);
  const thread = await originals();
  const part = { kind: "presence", sha256s: attachments.map(({ sha256 }) => sha256) } as const;
  let first: Original | null = null;
  for (const place of originalPlaces(message, sources)) {
    const original = await thread.read(place, part);
    if (original.state === "available")
      return ofFiles((index) => (original.bytes[index] === 1 ? "available" : "unreadable"));
    // The nearest to where it was tells most, as it does to whoever opens a file.
    first ??= original;
  }
  const state = first?.state ?? "moved";
  return ofFiles(() => state);
}

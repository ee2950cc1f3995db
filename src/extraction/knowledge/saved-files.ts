import { mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { PRIVATE_DIRECTORY } from "../../files/durable-files.ts";
import type { EventId, ItemId, MessageId } from "../../mail/records/ids.ts";
import type { ItemAttachment, ItemOrigin } from "../../mail/records/item.ts";
import { vaultFilename } from "../../text/tokens/attachment-name.ts";
import { savedFilesOf } from "../publishing/output-files.ts";
import type { StagedAttachment } from "../staging/staged-message.ts";
import type { StagedAppointment, StagedItem } from "../staging/staged-record.ts";
import type { StagedSegment } from "../staging/staged-segment.ts";

/** Attachments between the passes. Those to be saved are stored next to their segment. */
export interface StagedFiles {
  readonly attachments: readonly StagedAttachment[];
  readonly segment: StagedSegment;
}

/**
 * Moves saved files to `wiki/attachments/msg-NNNNNN/<filename>`, under a name that is safe in a vault. Equal names in
 * one message, item or event get a number.
 * @returns the path of each, relative to the output; null for a file that is not saved
 */
export function saveFiles(
  outputDirectory: string,
  owner: MessageId | ItemId | EventId,
  { attachments, segment }: StagedFiles,
): readonly (string | null)[] {
  const used = new Set<string>();
  return attachments.map(({ filename, staged }) => {
    if (staged === null) return null;
    const path = `${savedFilesOf(owner)}/${unusedName(vaultFilename(filename), used)}`;
    const target = join(outputDirectory, path);
    mkdirSync(dirname(target), { recursive: true, mode: PRIVATE_DIRECTORY });
    renameSync(join(segment.attachmentDirectory!, staged), target);
    return path;
  });
}

/** Attachments of an appointment or item, with the path of each saved one. */
export function itemAttachments(
  attachments: readonly StagedAttachment[],
  saved: readonly (string | null)[],
): readonly ItemAttachment[] {
  return attachments.map(({ filename, mediaType, sizeBytes, sha256, linkTarget }, index) => ({
    ...{ filename, mediaType, sizeBytes, sha256, linkTarget },
    path: saved[index] ?? null,
  }));
}

/** The origin of a record with attachments; null for others, which need none. */
export function originOf(
  { attachments, mailbox, location, sha256 }: StagedAppointment | StagedItem,
  source: number,
): ItemOrigin | null {
  return attachments.length === 0 ? null : { source, mailbox, location, sha256 };
}

/** `report.pdf`, `report (2).pdf`, … compared without case, as Windows and macOS do. */
function unusedName(filename: string, used: Set<string>): string {
  const dot = filename.lastIndexOf(".");
  const stem = dot > 0 ? filename.slice(0, dot) : filename;
  const extension = dot > 0 ? filename.slice(dot) : "";
  let name = filename;
  for (let number = 2; used.has(name.toLowerCase()); number++) name = `${stem} (${number})${extension}`;
  used.add(name.toLowerCase());
  return name;
}

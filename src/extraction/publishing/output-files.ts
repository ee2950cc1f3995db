import type { EventId, ItemId, MessageId } from "../../mail/records/ids.ts";

/** Reserved names in an output directory. */
export const DOCUMENT_FILE = "extraction.json";
export const PROVENANCE_FILE = "provenance.json";
/** Directory of saved attachments. */
const SAVED_FILES_DIRECTORY = "wiki/attachments";

/** The directory of what is saved of one message, item or event, relative to the output. */
export function savedFilesOf(owner: MessageId | ItemId | EventId): string {
  return `${SAVED_FILES_DIRECTORY}/${owner}`;
}

/** True for attachments, which only the sources contain. */
export function isSavedFile(path: string): boolean {
  return path.startsWith(`${SAVED_FILES_DIRECTORY}/`);
}

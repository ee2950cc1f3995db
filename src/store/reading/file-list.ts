import type { ExploredFile, FilePage, FileRequest, FileSort } from "../../mail/exploration.ts";
import { type AttachmentType, attachmentType } from "../../mail/records/attachment-types.ts";
import { messageId } from "../../mail/records/ids.ts";
import type { MessageOrdinal } from "../../mail/records/ordinal.ts";
import { foldKey } from "../../mail/words/fold-key.ts";
import type { DocumentSet } from "../../search/indexing/document-set.ts";

/** An attachment of a message. */
export type FileRow = readonly [
  message: number,
  position: number,
  filename: string,
  mediaType: string,
  size: number,
  sha: string,
];

interface GrowingFile {
  readonly first: FileRow;
  readonly type: AttachmentType;
  readonly names: Set<string>;
  /** The last message with this file, as attachments are added by message. */
  last: number;
  messages: number;
  attachments: number;
}

/** Maximum distinct names counted per file. */
const MAX_NAMES = 1000;

/** Collects distinct attachments of messages that are added in order. */
export class FileList {
  private readonly wanted: string;
  private readonly files = new Map<string, GrowingFile>();

  constructor(
    private readonly set: DocumentSet,
    private readonly request: FileRequest,
  ) {
    this.wanted = foldKey(request.search);
  }

  add(row: FileRow): void {
    if (this.set[row[0]] !== 1 || (this.wanted !== "" && !foldKey(row[2]).includes(this.wanted))) return;
    const sha256 = row[5];
    const file = this.files.get(sha256) ?? newFile(row);
    addTo(file, row);
    this.files.set(sha256, file);
  }

  page(): FilePage {
    const { type, sort, offset, limit } = this.request;
    const all = Array.from(this.files.values());
    const found = all.filter((file) => type === null || file.type === type).sort(FILE_ORDERS[sort]);
    return {
      total: found.length,
      attachments: found.reduce((sum, { attachments }) => sum + attachments, 0),
      sizeBytes: found.reduce((sum, { first }) => sum + first[4], 0),
      types: countTypes(all),
      files: found.slice(offset, offset + limit).map(exploredFile),
    };
  }
}

/** A count for every message by its ordinal, from rows in the order of messages. */
export function countsByMessage(rows: readonly (readonly [message: number, count: number])[]): Uint32Array {
  const counts = new Uint32Array((rows.at(-1)?.[0] ?? -1) + 1);
  for (const [message, count] of rows) counts[message] = count;
  return counts;
}

function newFile(row: FileRow): GrowingFile {
  const type = attachmentType({ filename: row[2], mediaType: row[3] });
  return { first: row, type, names: new Set(), last: -1, messages: 0, attachments: 0 };
}

function addTo(file: GrowingFile, [message, , filename]: FileRow): void {
  if (file.names.size < MAX_NAMES) file.names.add(filename);
  if (file.last !== message) file.messages++;
  file.last = message;
  file.attachments++;
}

function countTypes(files: readonly GrowingFile[]): FilePage["types"] {
  const counts = new Map<AttachmentType, number>();
  for (const { type } of files) counts.set(type, (counts.get(type) ?? 0) + 1);
  return Array.from(counts, ([type, count]) => ({ type, count })).sort((left, right) => right.count - left.count);
}

/** Ties stay in message order. */
const FILE_ORDERS: Readonly<Record<FileSort, (left: GrowingFile, right: GrowingFile) => number>> = {
  newest: (left, right) => right.first[0] - left.first[0],
  frequency: (left, right) => right.messages - left.messages,
  size: (left, right) => right.first[4] - left.first[4],
  name: (left, right) => (left.first[2] < right.first[2] ? -1 : left.first[2] > right.first[2] ? 1 : 0),
};

function exploredFile({ first, names, messages }: GrowingFile): ExploredFile {
  const [message, position, filename, mediaType, sizeBytes, sha256] = first;
  return {
    sha256,
    filename,
    nameCount: names.size,
    mediaType,
    sizeBytes,
    messages,
    messageId: messageId(message as MessageOrdinal),
    number: position + 1,
  };
}

import { type AttachmentType, attachmentType } from "../../mail/attachment-types.ts";
import type { ExploredFile, FilePage, FileRequest, FileSort } from "../../mail/exploration.ts";
import { foldKey } from "../../mail/fold-key.ts";
import { messageId } from "../../mail/ids.ts";
import type { MessageOrdinal } from "../../mail/ordinal.ts";
import type { DocumentSet } from "../../search/clause-sets.ts";
import type { SqliteDatabase } from "./database.ts";

type FileRow = readonly [
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
  /** The last message it was seen in: attachments come message by message. */
  last: number;
  messages: number;
  attachments: number;
}

/** Different names of a file that are counted. */
const MAX_NAMES = 1000;

/** Lists the attachments of some messages, each file once. */
export function fileLister(database: SqliteDatabase): (set: DocumentSet, request: FileRequest) => FilePage {
  const rows = database
    .prepare(
      "SELECT message_id, position, filename, media_type, size_bytes, lower(hex(sha256)) FROM attachments ORDER BY message_id, position",
    )
    .raw();

  function* attachmentsOf(set: DocumentSet, search: string): Generator<FileRow> {
    const wanted = foldKey(search);
    for (const row of rows.iterate() as IterableIterator<FileRow>)
      if (set[row[0]] === 1 && (wanted === "" || foldKey(row[2]).includes(wanted))) yield row;
  }

  return (set, { search, type, sort, offset, limit }) => {
    const files = new Map<string, GrowingFile>();
    for (const row of attachmentsOf(set, search)) {
      const sha256 = row[5];
      const file = files.get(sha256) ?? newFile(row);
      addTo(file, row);
      files.set(sha256, file);
    }
    const all = Array.from(files.values());
    const found = all.filter((file) => type === null || file.type === type).sort(FILE_ORDERS[sort]);
    return {
      total: found.length,
      attachments: found.reduce((sum, { attachments }) => sum + attachments, 0),
      sizeBytes: found.reduce((sum, { first }) => sum + first[4], 0),
      types: countTypes(all),
      files: found.slice(offset, offset + limit).map(exploredFile),
    };
  };
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

/** Equals stay in the order of messages. */
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

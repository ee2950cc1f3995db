import type { FilePage, FileRequest } from "../../../mail/exploration.ts";
import type { DocumentSet } from "../../../search/indexing/document-set.ts";
import { FileList, type FileRow } from "../../reading/file-list.ts";
import type { SqliteDatabase } from "../database/database.ts";

/** Lists the attachments of some messages, each file once. */
export function fileLister(database: SqliteDatabase): (set: DocumentSet, request: FileRequest) => FilePage {
  const rows = database
    .prepare(
      "SELECT message_id, position, filename, media_type, size_bytes, lower(hex(sha256)) FROM attachments ORDER BY message_id, position",
    )
    .raw();
  return (set, request) => {
    const list = new FileList(set, request);
    for (const row of rows.iterate() as IterableIterator<FileRow>) list.add(row);
    return list.page();
  };
}

import type { IndexedFile, IndexedText, TextParts } from "../../../search/indexing/search-source.ts";
import type { StoredColumn } from "../../tables/stored-tables.ts";
import { validInState } from "../client/valid-rows.ts";
import type { OpenEpoch } from "../collections/open-epoch.ts";
import { BODY_SQL, largeBody } from "./message-fetch.ts";
import { type CachedText, TextMemory } from "./text-memory.ts";

/** Bytes of bodies returned per call, unless a single one is larger. */
const BYTES_AT_ONCE = 16 << 20;

const COLUMNS: readonly StoredColumn[] = [
  { name: "id", type: "INTEGER", isOriginal: true },
  { name: "body", type: "BLOB", isOriginal: true },
  { name: "bytes", type: "INTEGER", isOriginal: true },
  { name: "subject", type: "TEXT", isOriginal: true },
  { name: "file_texts", type: "TEXT", isOriginal: true },
  { name: "names", type: "TEXT", isOriginal: true },
];

/** Reads texts of messages for phrase search and snippets. The latest are cached. */
export class IndexedTexts {
  private readonly memory = new TextMemory();

  constructor(private readonly epoch: OpenEpoch) {}

  /** Implements `SearchSource.texts`. */
  async read(documents: readonly number[], parts: TextParts): Promise<readonly IndexedText[]> {
    const known = documents.map((document) =>
      this.memory.get(document, parts.isSubjectRead(document), parts.areFilesRead(document)),
    );
    const missing = documents.filter((_, at) => known[at] === undefined);
    const fetched = missing.length === 0 ? NONE : await this.fetch(missing, parts);
    const texts: IndexedText[] = [];
    for (const [at, document] of documents.entries()) {
      const text = known[at] ?? fetched.get(document);
      if (text === undefined) break;
      texts.push(readable(text));
    }
    return texts;
  }

  /** Fetches the first of the requested messages, up to the byte limit. */
  private async fetch(
    documents: readonly number[],
    { isSubjectRead, areFilesRead }: TextParts,
  ): Promise<ReadonlyMap<number, CachedText>> {
    // Fetching a hundred subjects costs as much as their bodies, and few are needed; files even more.
    const list = (isRead: (document: number) => boolean): string =>
      documents.map((document) => (isRead(document) ? "t" : "f")).join();
    const rows = await this.epoch.copiedRows(
      (state) => `SELECT id, body, bytes, subject, file_texts, names FROM (
         SELECT asked.id, ${BODY_SQL}, length(bodies.body)::int8 AS bytes, place,
           CASE WHEN with_subject THEN (SELECT subject FROM messages WHERE ${validInState("messages", state)} AND id = asked.id) END AS subject,
           CASE WHEN with_files THEN file_texts END AS file_texts,
           CASE WHEN with_files THEN (SELECT json_agg(filename ORDER BY position)::text FROM attachments WHERE ${validInState("attachments", state)} AND message_id = asked.id) END AS names,
           sum(length(bodies.body) + CASE WHEN with_files THEN octet_length(file_texts) ELSE 0 END) OVER (ORDER BY place) AS until
         FROM unnest('{${documents.join()}}'::int8[], '{${list(isSubjectRead)}}'::bool[], '{${list(areFilesRead)}}'::bool[])
             WITH ORDINALITY AS asked(id, with_subject, with_files, place)
           LEFT JOIN bodies ON ${validInState("bodies", state)} AND bodies.id = asked.id
       ) AS found(id, body, bytes, place, subject, file_texts, names, until) WHERE place = 1 OR until IS NULL OR until <= ${BYTES_AT_ONCE}`,
      COLUMNS,
    );
    const fetched = new Map<number, CachedText>();
    for (const [id, body, bytes, subject, fileTexts, names] of rows as FetchedRow[]) {
      const text = {
        body: body ?? (bytes === null ? null : await largeBody(this.epoch, id)),
        subject: isSubjectRead(id) ? Buffer.from(subject ?? "") : null,
        files: areFilesRead(id) ? filesIn(fileTexts, names) : null,
      };
      fetched.set(id, text);
      this.memory.keep(id, text);
    }
    return fetched;
  }
}

const NONE: ReadonlyMap<number, CachedText> = new Map();

type FetchedRow = [
  id: number,
  body: Uint8Array | null,
  bytes: number | null,
  subject: string | null,
  fileTexts: string | null,
  names: string | null,
];

/** @param fileTexts JSON, as in the column @param names JSON */
function filesIn(fileTexts: string | null, names: string | null): readonly IndexedFile[] {
  const texts = JSON.parse(fileTexts ?? "[]") as readonly string[];
  const named = JSON.parse(names ?? "[]") as readonly string[];
  return texts.flatMap((text, at) => (text === "" ? [] : [{ name: named[at] ?? "", text }]));
}

function readable({ body, subject, files }: CachedText): IndexedText {
  return {
    body: () => body,
    passages: () => (body === null ? [] : [body]),
    subject: () => subject ?? new Uint8Array(0),
    files: () => files ?? [],
  };
}

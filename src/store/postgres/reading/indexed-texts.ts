import type { IndexedText } from "../../../search/indexing/search-source.ts";
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
];

/** Reads texts of messages for phrase search and snippets. The latest are cached. */
export class IndexedTexts {
  private readonly epoch: OpenEpoch;
  private readonly memory = new TextMemory();

  constructor(epoch: OpenEpoch) {
    this.epoch = epoch;
  }

  /** Implements `SearchSource.texts`. */
  async read(
    documents: readonly number[],
    isSubjectRead: (document: number) => boolean,
  ): Promise<readonly IndexedText[]> {
    const known = documents.map((document) => this.memory.get(document, isSubjectRead(document)));
    const missing = documents.filter((_, at) => known[at] === undefined);
    const fetched = missing.length === 0 ? NONE : await this.fetch(missing, isSubjectRead);
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
    isSubjectRead: (document: number) => boolean,
  ): Promise<ReadonlyMap<number, CachedText>> {
    // Fetching a hundred subjects costs as much as their bodies, and few are needed.
    const told = documents.map((document) => (isSubjectRead(document) ? "t" : "f"));
    const rows = await this.epoch.copiedRows(
      (state) => `SELECT id, body, bytes, subject FROM (
         SELECT asked.id, ${BODY_SQL}, length(bodies.body)::int8 AS bytes, place,
           CASE WHEN told THEN (SELECT subject FROM messages WHERE ${validInState("messages", state)} AND id = asked.id) END AS subject,
           sum(length(bodies.body)) OVER (ORDER BY place) AS until
         FROM unnest('{${documents.join()}}'::int8[], '{${told.join()}}'::bool[]) WITH ORDINALITY AS asked(id, told, place)
           LEFT JOIN bodies ON ${validInState("bodies", state)} AND bodies.id = asked.id
       ) AS found(id, body, bytes, place, subject, until) WHERE place = 1 OR until IS NULL OR until <= ${BYTES_AT_ONCE}`,
      COLUMNS,
    );
    const fetched = new Map<number, CachedText>();
    for (const [id, body, bytes, subject] of rows as [number, Uint8Array | null, number | null, string | null][]) {
      const text = {
        body: body ?? (bytes === null ? null : await largeBody(this.epoch, id)),
        subject: isSubjectRead(id) ? Buffer.from(subject ?? "") : null,
      };
      fetched.set(id, text);
      this.memory.keep(id, text);
    }
    return fetched;
  }
}

const NONE: ReadonlyMap<number, CachedText> = new Map();

function readable({ body, subject }: CachedText): IndexedText {
  return {
    body: () => body,
    subject: () => subject ?? new Uint8Array(0),
    // The bodies of a hundred messages may have 400 MB, too much for snippets of two lines.
    files: () => [],
  };
}

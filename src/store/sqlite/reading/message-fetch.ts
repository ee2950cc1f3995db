import type { ArchivedMessage } from "../../../mail/archive.ts";
import type { Occurrence } from "../../../mail/records/message.ts";
import type { MessageFetch } from "../../lists/message-reader.ts";
import { inferredLanguages, LANGUAGE_COLUMNS } from "../../reading/inferred-languages.ts";
import {
  ATTACHMENT_FIELDS,
  decodeText,
  EXTRA_COLUMNS,
  EXTRA_HEADING_COLUMNS,
  FILLED_IN,
  FILLED_IN_HEADING,
  HEADING_FIELDS,
  type MessageSurroundings,
  occurrenceOf,
  PLACE_FIELDS,
  PUBLIC_FIELDS,
  toHeading,
  toMessage,
} from "../../reading/message-mapper.ts";
import { ATTACHMENTS, BODIES, ENVELOPES, MESSAGES, OCCURRENCES } from "../../tables/message-tables.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { selection } from "../../tables/table.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { indexColumns } from "../database/search-schema.ts";
import { originalDateSql } from "../database/sorting-dates.ts";

/** A fixed join order: scan messages, then look up the other two rows of each. */
const TABLES =
  "messages NOT INDEXED CROSS JOIN envelopes ON envelopes.id = messages.id CROSS JOIN bodies ON bodies.id = messages.id";

const HEADING_TABLES = "messages NOT INDEXED CROSS JOIN envelopes ON envelopes.id = messages.id";

/** @param publishesContentKeys false if content keys are secret or generated */
export function messageFetch(database: SqliteDatabase, publishesContentKeys: boolean): MessageFetch {
  const stored = selection([MESSAGES, ENVELOPES, BODIES], PUBLIC_FIELDS, {
    // Text is read in half the time of a blob, which needs an array.
    sqlOf: { sentAt: originalDateSql(database), sortedAt: "messages.sent_at", contentKey: "lower(hex(content_key))" },
    beside: EXTRA_COLUMNS,
    filledIn: FILLED_IN,
  });
  const { at } = stored;
  const heading = selection([MESSAGES, ENVELOPES], HEADING_FIELDS, {
    sqlOf: { sentAt: originalDateSql(database), sortedAt: "messages.sent_at" },
    beside: EXTRA_HEADING_COLUMNS,
    filledIn: FILLED_IN_HEADING,
  });
  const message = database.prepare(`SELECT ${stored.sql} FROM ${TABLES} WHERE messages.id = ?`).raw();
  const between = database
    .prepare(`SELECT ${stored.sql} FROM ${TABLES} WHERE messages.id BETWEEN ? AND ? ORDER BY messages.id`)
    .raw();
  const headings = database
    .prepare(`SELECT ${heading.sql} FROM ${HEADING_TABLES} WHERE messages.id BETWEEN ? AND ? ORDER BY messages.id`)
    .raw();
  const attached = database
    .prepare(`SELECT ${ATTACHMENT.sql} FROM attachments WHERE message_id = ? ORDER BY position`)
    .raw();
  const mailboxNames = new Map(database.prepare("SELECT id, name FROM mailboxes").raw().all() as [number, string][]);
  const furtherPlacesOf = placesReader(database, mailboxNames);
  let languages: ReturnType<typeof inferredLanguages> | null = null;
  const around: MessageSurroundings = {
    mailboxNames,
    publishesContentKeys,
    inferredLanguage: (ordinal) => (languages ??= inferredLanguages(indexColumns(database, LANGUAGE_COLUMNS)))(ordinal),
    attachmentsOf: (ordinal) => (attached.all(ordinal) as SqlValue[][]).map(ATTACHMENT.decode),
  };

  function one(ordinal: number): ArchivedMessage | null {
    const row = message.get(ordinal) as SqlValue[] | undefined;
    if (row === undefined) return null;
    const { sortedAt: _, ...found } = toMessage(stored, row, {
      further: furtherPlacesOf(ordinal, ordinal)(ordinal),
      around,
    });
    return { ...found, body: decodeText(row[at.body] as Uint8Array) };
  }

  return {
    many: async (ordinals) => ordinals.map(one).filter((found) => found !== null),
    async range(first, last) {
      const furtherOf = furtherPlacesOf(first, last);
      return (between.all(first, last) as SqlValue[][]).map((row) =>
        toMessage(stored, row, { further: furtherOf(row[at.ordinal] as number), around }),
      );
    },
    async headings(first, last) {
      const furtherOf = furtherPlacesOf(first, last);
      return (headings.all(first, last) as SqlValue[][]).map((row) =>
        toHeading(heading, row, { further: furtherOf(row[heading.at.ordinal] as number), around }),
      );
    },
  };
}

const PLACE = selection([OCCURRENCES], PLACE_FIELDS);
const ATTACHMENT = selection([ATTACHMENTS], ATTACHMENT_FIELDS);

/** Returns all places of the messages of a range with several. */
function placesReader(
  database: SqliteDatabase,
  mailboxNames: ReadonlyMap<number, string>,
): (first: number, last: number) => (ordinal: number) => readonly Occurrence[] {
  const between = database
    .prepare(
      `SELECT ${PLACE.sql}, message_id FROM occurrences WHERE message_id BETWEEN ? AND ? ORDER BY message_id, position`,
    )
    .raw();
  return (first, last) => {
    const found = new Map<number, Occurrence[]>();
    for (const row of between.all(first, last) as SqlValue[][]) {
      const ordinal = row.at(-1) as number;
      const place = occurrenceOf(PLACE.decode(row), mailboxNames);
      const others = found.get(ordinal);
      if (others === undefined) found.set(ordinal, [place]);
      else others.push(place);
    }
    return (ordinal) => found.get(ordinal) ?? [];
  };
}

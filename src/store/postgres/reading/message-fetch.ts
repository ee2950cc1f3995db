import type { EncodedMessage } from "../../../mail/archive.ts";
import { messageId } from "../../../mail/records/ids.ts";
import type { Occurrence } from "../../../mail/records/message.ts";
import type { MessageOrdinal } from "../../../mail/records/ordinal.ts";
import type { MessageFetch } from "../../lists/message-reader.ts";
import { inferredLanguages, LANGUAGE_COLUMNS } from "../../reading/inferred-languages.ts";
import {
  ATTACHMENT_FIELDS,
  decodeText,
  EXTRA_COLUMNS,
  FILLED_IN,
  occurrenceOf,
  PLACE_FIELDS,
  PUBLIC_FIELDS,
  toMessage,
} from "../../reading/message-mapper.ts";
import { once } from "../../reading/once.ts";
import { ATTACHMENTS, BODIES, ENVELOPES, MESSAGES, OCCURRENCES } from "../../tables/message-tables.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { joined, ordinalList, postgresSelection, WRITTEN_DATE } from "../client/selection.ts";
import { validIn } from "../client/valid-rows.ts";
import { indexColumns } from "../collections/index-columns.ts";
import type { OpenEpoch } from "../collections/open-epoch.ts";

/**
 * Maximum bytes of a body fetched with its row. Larger ones are fetched in pieces, because a blob is sent as text of
 * twice its size.
 */
const WHOLE_BYTES = 8 << 20;

/** The body of a row; NULL if it is read in pieces. */
export const BODY_SQL = `CASE WHEN length(bodies.body) <= ${WHOLE_BYTES} THEN bodies.body END`;

/** Reads the body of a message in pieces. */
export async function largeBody(epoch: OpenEpoch, ordinal: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let at = 1; ; at += WHOLE_BYTES) {
    const [row] = await epoch.rows(
      `SELECT substring(body FROM $3::int4 FOR $4::int4) FROM bodies WHERE ${validIn("bodies")} AND id = $2`,
      ordinal,
      at,
      WHOLE_BYTES,
    );
    const piece = row?.[0] as Uint8Array;
    pieces.push(piece);
    if (piece.length < WHOLE_BYTES) return Buffer.concat(pieces);
  }
}

const STORED = postgresSelection([MESSAGES, ENVELOPES, BODIES], PUBLIC_FIELDS, {
  sqlOf: {
    sentAt: WRITTEN_DATE,
    sortedAt: "messages.sent_at",
    contentKey: "encode(messages.content_key, 'hex')",
    body: BODY_SQL,
  },
  beside: EXTRA_COLUMNS,
  filledIn: FILLED_IN,
});
const PLACE = postgresSelection([OCCURRENCES], PLACE_FIELDS);
const ATTACHMENT = postgresSelection([ATTACHMENTS], ATTACHMENT_FIELDS);

const TABLES = joined("envelopes", "bodies");
const CHOSEN = "= ANY($2::int8[])";
const BETWEEN = "BETWEEN $2::int8 AND $3::int8";

type Which = { readonly condition: string; readonly values: readonly (string | number)[] };

/** @param publishesContentKeys false if content keys are secret or generated. */
export function messageFetch(epoch: OpenEpoch, publishesContentKeys: boolean): MessageFetch {
  const { at } = STORED;
  const mailboxNames = once(
    async () =>
      new Map((await epoch.rows(`SELECT id, name FROM mailboxes WHERE ${validIn("mailboxes")}`)) as [number, string][]),
  );
  const languages = once(async () => inferredLanguages(await indexColumns(epoch, LANGUAGE_COLUMNS)));

  /** In ordinal order. */
  async function read({ condition, values }: Which): Promise<readonly EncodedMessage[]> {
    const rows = await epoch.rows(
      `SELECT ${STORED.sql} FROM ${TABLES} WHERE ${validIn("messages")} AND messages.id ${condition} ORDER BY messages.id`,
      ...values,
    );
    if (rows.length === 0) return [];
    for (const row of rows) row[at.body] ??= await largeBody(epoch, row[at.ordinal] as number);
    const names = await mailboxNames();
    const places = await grouped(
      `SELECT ${PLACE.sql}, message_id FROM occurrences WHERE ${validIn("occurrences")} AND message_id ${condition} ORDER BY message_id, position`,
      values,
    );
    const attachments = rows.some((row) => row[at.attachmentCount] !== 0)
      ? await grouped(
          `SELECT ${ATTACHMENT.sql}, message_id FROM attachments WHERE ${validIn("attachments")} AND message_id ${condition} ORDER BY message_id, position`,
          values,
        )
      : NONE;
    const inferred = rows.some((row) => row[at.language] === null) ? await languages() : () => null;
    const around = {
      mailboxNames: names,
      publishesContentKeys,
      inferredLanguage: inferred,
      attachmentsOf: (ordinal: number) => (attachments.get(ordinal) ?? []).map(ATTACHMENT.decode),
    };
    return rows.map((row) => {
      const further = (places.get(row[at.ordinal] as number) ?? []).map(
        (place): Occurrence => occurrenceOf(PLACE.decode(place), names),
      );
      return toMessage(STORED, row, { further, around });
    });
  }

  /** Rows grouped by their message, the last column. */
  async function grouped(sql: string, values: Which["values"]): Promise<ReadonlyMap<number, SqlValue[][]>> {
    const groups = new Map<number, SqlValue[][]>();
    for (const row of await epoch.rows(sql, ...values)) {
      const message = row.at(-1) as number;
      const group = groups.get(message);
      if (group === undefined) groups.set(message, [row]);
      else group.push(row);
    }
    return groups;
  }

  return {
    async many(ordinals) {
      const found = await read({ condition: CHOSEN, values: [ordinalList(new Set(ordinals))] });
      const byId = new Map(found.map((message) => [message.id, message]));
      return ordinals.flatMap((ordinal) => {
        const message = byId.get(messageId(ordinal as MessageOrdinal));
        if (message === undefined) return [];
        const { sortedAt: _, ...fetched } = message;
        return [{ ...fetched, body: decodeText(fetched.body) }];
      });
    },
    range: (first, last) => read({ condition: BETWEEN, values: [first, last] }),
    headings: (first, last) => read({ condition: BETWEEN, values: [first, last] }),
  };
}

const NONE: ReadonlyMap<number, SqlValue[][]> = new Map();

import type { ContactSort, Page } from "../../mail/archive.ts";
import { foldKey } from "../../mail/fold-key.ts";
import type { SqliteDatabase } from "./database.ts";

/** How each sort orders contacts. */
export const CONTACT_ORDERS: Record<ContactSort, { readonly index: string; readonly order: string }> = {
  frequency: { index: "contacts_by_count", order: "message_count DESC, id" },
  name: { index: "contacts_by_name", order: "name_key, id" },
  last_seen: { index: "contacts_by_last_seen", order: "last_seen DESC, id" },
};

/** Stands before every contact's text; in no text, so that no match reaches from one contact into the next. */
const SEPARATOR = "\0";

export interface FoundContacts {
  /** One page of ordinals. */
  readonly ordinals: readonly number[];
  readonly total: number;
}

/**
 * Contacts whose name or any address holds a text, whatever its case and accents. The folded names and addresses of all
 * contacts are read by the first search and kept as one string (about 80 characters a contact): a scan of it costs a
 * fifth of one of the table.
 */
export interface ContactSearch {
  find(text: string, sort: ContactSort, page: Page): FoundContacts;
}

export function contactSearch(database: SqliteDatabase): ContactSearch {
  let loaded: ContactTexts | null = null;
  const orders = new Map<ContactSort, Uint32Array>();

  function orderOf(sort: ContactSort, texts: ContactTexts): Uint32Array {
    let order = orders.get(sort);
    if (order === undefined) orders.set(sort, (order = readOrder(database, sort, texts.ordinals)));
    return order;
  }

  return {
    find(text, sort, page) {
      loaded ??= readTexts(database);
      const { matches, total } = matchTexts(loaded, foldKey(text).toWellFormed());
      const ordinals: number[] = [];
      let skip = page.offset;
      if (skip >= total) return { ordinals, total };
      for (const place of orderOf(sort, loaded)) {
        if (matches[place] === 0) continue;
        if (skip > 0) {
          skip--;
          continue;
        }
        if (ordinals.length === page.limit) break;
        ordinals.push(loaded.ordinals[place]!);
      }
      return { ordinals, total };
    },
  };
}

interface ContactTexts {
  readonly text: string;
  /** Ascending. */
  readonly ordinals: Uint32Array;
  /** Where the text of each contact begins, and at the end where the last one ends. */
  readonly starts: Uint32Array;
}

function readTexts(database: SqliteDatabase): ContactTexts {
  const rows = database.prepare("SELECT id, search_key FROM contacts ORDER BY id").raw().all() as [number, string][];
  const starts = new Uint32Array(rows.length + 1);
  let length = 0;
  for (const [place, [, key]] of rows.entries()) {
    starts[place] = length;
    length += key.length + 1;
  }
  starts[rows.length] = length;
  return {
    text: rows.map(([, key]) => SEPARATOR + key).join(""),
    ordinals: Uint32Array.from(rows, ([id]) => id),
    starts,
  };
}

/** Contacts in a sort's order, as places in the order of ordinals. */
function readOrder(database: SqliteDatabase, sort: ContactSort, ordinals: Uint32Array): Uint32Array {
  const { index, order } = CONTACT_ORDERS[sort];
  const sorted = database
    .prepare(`SELECT id FROM contacts INDEXED BY ${index} ORDER BY ${order}`)
    .pluck()
    .all() as number[];
  const places = new Map(Array.from(ordinals, (ordinal, place) => [ordinal, place]));
  return Uint32Array.from(sorted, (ordinal) => places.get(ordinal)!);
}

/** Matches come in the order of the text, so that the contact of each is found by walking on from the one before. */
function matchTexts(
  { text, ordinals, starts }: ContactTexts,
  wanted: string,
): { readonly matches: Uint8Array; readonly total: number } {
  const matches = new Uint8Array(ordinals.length);
  let total = 0;
  if (wanted.includes(SEPARATOR)) return { matches, total };
  let place = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, starts[place + 1])) {
    while (starts[place + 1]! <= at) place++;
    matches[place] = 1;
    total++;
  }
  return { matches, total };
}

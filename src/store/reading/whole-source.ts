import type { Recipients, SearchSource } from "../../search/indexing/search-source.ts";
import { recipientLists } from "./contact-entries.ts";
import { documentColumns, liveTotals, numbersIn } from "./document-columns.ts";
import { mentionColumns, storedMentions } from "./mention-lists.ts";
import { once } from "./once.ts";
import { mentionsIn, namedFacts, type RangedIndex } from "./range-source.ts";

/** Columns that every query needs. */
const DOCUMENT_COLUMNS = ["authors", "sentAt", "topics"] as const;
const FACT_COLUMNS = ["threads", "sizes", "traits", "languages", "domains", "labelStarts", "labels"] as const;

/** Opens an index as one range: reads the columns (18 bytes per message) and prepares lookups. */
export async function openWholeSource(index: RangedIndex): Promise<SearchSource> {
  const { firstDocument, dead } = index;
  const stored = await index.columns(DOCUMENT_COLUMNS);
  const columns = documentColumns(await index.lengths(index.segments), (name) => stored.get(name));
  const count = columns.lengths.length;
  const recipients = (of: Recipients) => once(async () => recipientLists(await index.contactEntries(), of, count));
  const recipientsOf = { to: recipients("to"), all: recipients("all") };
  return {
    ...index.asked(index.segments),
    ...{ columns, firstDocument, dead },
    ...liveTotals(columns.lengths, firstDocument, dead),
    facts: once(async () => {
      const facts = await index.columns(FACT_COLUMNS);
      const numbers = (name: string): Uint32Array => numbersIn(facts.get(name));
      return namedFacts(index, numbers, { starts: numbers("labelStarts"), values: numbers("labels") });
    }),
    repeats: once(async () => numbersIn((await index.columns(["repeats"])).get("repeats"))),
    places: once(async () => {
      const places = await index.columns(["mailboxes", "furtherPlaces"]);
      const numbers = (name: string): Int32Array => new Int32Array(numbersIn(places.get(name)).buffer);
      return { named: await index.mailboxes(), mailboxes: numbers("mailboxes"), further: numbers("furtherPlaces") };
    }),
    recipients: (of) => recipientsOf[of](),
    mentions: mentionsIn(async (kind) => {
      const mentions = await index.columns(Object.values(mentionColumns(kind)));
      return storedMentions(kind, (name) => mentions.get(name), count);
    }),
  };
}

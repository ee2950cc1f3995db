import type { Address } from "../../mail/address.ts";
import type { ExploredMessage, ExploreReader, NamedAddress, SnippetPiece } from "../../mail/exploration.ts";
import { contactId, messageId, threadId, topicId } from "../../mail/ids.ts";
import type { ContactOrdinal, MessageOrdinal, ThreadOrdinal } from "../../mail/ordinal.ts";
import { Explorer, type PagedDocument } from "../../search/explorer.ts";
import type { Searcher } from "../../search/searcher.ts";
import { MARK } from "../../search/snippet.ts";
import { addressKey } from "../address-key.ts";
import type { MessageRow } from "../rows.ts";
import { ENVELOPES, MESSAGES } from "../tables/message-tables.ts";
import { selection } from "../tables/table.ts";
import type { SqliteDatabase } from "./database.ts";
import { fileLister } from "./file-list.ts";
import { writtenDate } from "./sorting-dates.ts";
import type { SqlValue } from "./sqlite-database.ts";

/** Recipients and attachments that a row of a list names; one message went to a thousand people. */
const NAMED = 5;

const FIELDS = ["from", "to", "subject", "sentAt", "topic", "thread", "flags", "sizeBytes"] as const;
type ListRow = Pick<MessageRow, (typeof FIELDS)[number]>;

/** Looks at an open archive from several sides. @param searcher opens the index when it is first asked for. */
export function exploreReader(database: SqliteDatabase, searcher: () => Searcher): ExploreReader {
  let opened: Explorer | null = null;
  const explorer = (): Explorer => (opened ??= new Explorer(searcher()));
  const rowOf = listRows(database);
  const list = fileLister(database);
  return {
    async page(request) {
      const { documents, ...figures } = await explorer().page(request);
      return { ...figures, messages: documents.map(rowOf) };
    },
    facets: async (request) => explorer().facets(request),
    timeline: async (request) => explorer().timeline(request),
    files: async (request) => list(await explorer().found(request), request),
    hits: async (queries) => explorer().hits(queries),
    async conversations(request) {
      const { total, threads } = await explorer().conversations(request);
      return {
        total,
        conversations: threads.map(({ thread, ...figures }) => ({
          threadId: threadId(thread as ThreadOrdinal),
          ...figures,
        })),
      };
    },
  };
}

function listRows(database: SqliteDatabase): (paged: PagedDocument) => ExploredMessage {
  const listed = selection<ListRow>([MESSAGES, ENVELOPES], FIELDS, { sqlOf: { sentAt: writtenDate(database) } });
  const row = database
    .prepare(
      `SELECT ${listed.sql} FROM messages CROSS JOIN envelopes ON envelopes.id = messages.id WHERE messages.id = ?`,
    )
    .raw();
  const mailbox = database
    .prepare("SELECT name FROM mailboxes WHERE id = (SELECT mailbox_id FROM messages WHERE id = ?)")
    .pluck();
  const filenames = database.prepare("SELECT filename FROM attachments WHERE message_id = ? ORDER BY position").pluck();
  const copies = database.prepare("SELECT count(*) FROM occurrences WHERE message_id = ?").pluck();
  const contact = database.prepare("SELECT min(contact_id) FROM addresses WHERE address_key = ?").pluck();
  const contactName = database.prepare("SELECT name FROM contacts WHERE id = ?").pluck();

  function named({ name, email }: Address): NamedAddress {
    const number = email === "" ? null : (contact.get(addressKey(email)) as ContactOrdinal | null);
    if (number === null) return { name, email, contactId: null };
    // Many programs write no names: other mail of the same person may have told it.
    return { name: name === "" ? (contactName.get(number) as string) : name, email, contactId: contactId(number) };
  }

  return ({ document, threadHits, threadMessages, snippet, repeats }) => {
    const message = listed.decode(row.get(document) as SqlValue[]);
    const attachments = filenames.all(document) as string[];
    return {
      id: messageId(document as MessageOrdinal),
      threadId: threadId(message.thread),
      threadMessages,
      threadHits,
      from: message.from === null ? null : named(message.from),
      to: message.to.slice(0, NAMED).map(named),
      recipientCount: message.to.length,
      subject: message.subject,
      snippet: piecesOf(snippet),
      sentAt: message.sentAt,
      mailbox: (mailbox.get(document) as string | undefined) ?? "",
      attachmentCount: attachments.length,
      attachments: attachments.slice(0, NAMED),
      topicId: topicId(message.topic),
      labels: message.flags,
      sizeBytes: message.sizeBytes,
      places: 1 + (copies.get(document) as number),
      sameText: repeats.map((other) => messageId(other as MessageOrdinal)),
    };
  };
}

/** A mark is always a mark: asterisks of the text became another character. */
function piecesOf(snippet: string): readonly SnippetPiece[] {
  return snippet.split(MARK).flatMap((text, index) => (text === "" ? [] : [[text, index % 2 === 1]]));
}

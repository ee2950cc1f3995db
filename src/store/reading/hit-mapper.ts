import type { ExploredMessage, LinkedAddress, SnippetPiece } from "../../mail/exploration.ts";
import type { Address } from "../../mail/records/address.ts";
import { contactId, messageId, threadId, topicId } from "../../mail/records/ids.ts";
import { type CopyDifferences, flagsOfAll } from "../../mail/records/message.ts";
import type { ContactOrdinal, MessageOrdinal } from "../../mail/records/ordinal.ts";
import type { PagedDocument } from "../../search/explorer.ts";
import { MARK } from "../../search/ranking/snippet.ts";
import type { MessageRow } from "../contract/rows.ts";

/** Maximum recipients and attachments in a row of a list; one message went to a thousand people. */
export const NAMED = 5;

export const HIT_FIELDS = [
  "messageId",
  "from",
  "to",
  "subject",
  "sentAt",
  "topic",
  "thread",
  "flags",
  "sizeBytes",
  "source",
] as const;
/** Fields of a message in a result row. */
type HitRow = Pick<MessageRow, (typeof HIT_FIELDS)[number]>;

/** Owner of an address. */
export interface AddressOwner {
  readonly contact: ContactOrdinal;
  readonly name: string;
}

/** Data of a list row from other tables. */
interface HitSurroundings {
  readonly mailbox: string;
  /** File names of its attachments, in their order. */
  readonly filenames: readonly string[];
  /** Number of further occurrences. */
  readonly copies: number;
  /** If they differ from the message. */
  readonly differences: readonly CopyDifferences[];
  /** Returns null if there is no owner. */
  ownerOf(email: string): AddressOwner | null;
}

/** A row of a list of results. */
export function toHit(
  { document, threadHits, threadMessages, snippet, repeats, tags }: PagedDocument,
  message: HitRow,
  { mailbox, filenames, copies, differences, ownerOf }: HitSurroundings,
): ExploredMessage {
  function named({ name, email }: Address): LinkedAddress {
    const owner = email === "" ? null : ownerOf(email);
    if (owner === null) return { name, email, contactId: null };
    // Many programs write no names: use the name from the person's other mail.
    return { name: name === "" ? owner.name : name, email, contactId: contactId(owner.contact) };
  }

  return {
    id: messageId(document as MessageOrdinal),
    messageId: message.messageId,
    threadId: threadId(message.thread),
    threadMessages,
    threadHits,
    from: message.from === null ? null : named(message.from),
    to: message.to.slice(0, NAMED).map(named),
    recipientCount: message.to.length,
    subject: message.subject,
    snippet: piecesOf(snippet),
    sentAt: message.sentAt,
    source: message.source,
    mailbox,
    attachmentCount: filenames.length,
    attachments: filenames.slice(0, NAMED),
    topicId: topicId(message.topic),
    labels: flagsOfAll(message, differences),
    sizeBytes: message.sizeBytes,
    places: 1 + copies,
    sameText: repeats.map((other) => messageId(other as MessageOrdinal)),
    tags,
  };
}

/** Every mark is unambiguous: asterisks of the text were replaced. */
function piecesOf(snippet: string): readonly SnippetPiece[] {
  return snippet.split(MARK).flatMap((text, index) => (text === "" ? [] : [[text, index % 2 === 1]]));
}

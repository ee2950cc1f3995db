import * as z from "zod";
import { publishedDate } from "../../../document/published-values.ts";
import type { Archive, ArchivedMessage } from "../../../mail/archive.ts";
import { CONVERSATION_SORTS } from "../../../mail/exploration.ts";
import type { Address } from "../../../mail/records/address.ts";
import type { MessageId } from "../../../mail/records/ids.ts";
import { flagsOfAll } from "../../../mail/records/message.ts";
import { linksIn } from "../../../text/html/text-links.ts";
import type { BodyPart } from "../../../text/quoting/split-body.ts";
import { orNotFound, type QueryRoute, queryRoute } from "../../query-api/query-route.ts";
import { filter, limit, offset, sortBy } from "../../query-api/wire-requests.ts";
import { mailboxNames, type NamedMailbox } from "../setting/mailbox-names.ts";
import { peopleIn } from "../setting/people-wire.ts";
import { queryParameters } from "../setting/query-parameters.ts";
import { peopleOfThreads } from "../setting/thread-people.ts";
import type { PersonWire } from "../wire/wire.ts";
import { type ThreadMessageWire, type ThreadWire, threadSchema } from "../wire/wire-messages.ts";
import { conversationsSchema } from "../wire/wire-people.ts";
import { conversationsOf } from "./conversations.ts";
import { fileWire, partsOf } from "./message-routes.ts";

/** Maximum conversations per page. */
const MAX_PAGE = 200;
/** Maximum messages of a conversation per response. */
const MESSAGES_AT_ONCE = 50;
/** Maximum recipients listed in a conversation; one message went to a thousand. */
const NAMED = 8;
/** Maximum references searched for the parent: the nearest of possibly hundreds. */
const MAX_ANCESTORS = 20;
/** Maximum UTF-16 units of the text of a message in a conversation, and of the first line of a quotation. */
const MAX_TEXT = 100_000;
const MAX_FIRST_LINE = 200;
/** Maximum Message-IDs in the texts of a page of a conversation that are looked up. */
const MAX_MENTIONED = 500;

const conversations = queryRoute({
  path: "/threads",
  summary: "Conversations with matching messages",
  parameters: z.object({ ...queryParameters, sort: sortBy(CONVERSATION_SORTS), limit: limit(50, MAX_PAGE), offset }),
  data: conversationsSchema,
  answer: ({ archive, parameters: { q, ...rest } }) => conversationsOf(archive, { query: q, ...rest }),
});

const thread = queryRoute({
  path: "/threads/{thread_id}",
  summary: "Fifty messages of a conversation with reply structure, new text in full and the first line of quotations",
  parameters: z.object({ offset, message: filter("message id: returns the page that contains it") }),
  data: threadSchema,
  async answer({ archive, id, parameters: { offset: asked, message } }) {
    const found = orNotFound(await archive.threads.get(id), "Thread", id);
    const place = found.messageIds.indexOf(message as MessageId);
    const from = place < 0 ? asked : place - (place % MESSAGES_AT_ONCE);
    const messages = await archive.messages.getMany(found.messageIds.slice(from, from + MESSAGES_AT_ONCE));
    const shown = messages.flatMap((message) => [message.from, ...message.to.slice(0, NAMED)]);
    const person = await peopleIn(
      archive,
      shown.filter((address) => address !== null),
    );
    const parents = await parentsOf(archive, messages, found.messageIds);
    const mailboxOf = await mailboxNames(archive);
    const [people] = await peopleOfThreads(archive, [found]);
    return {
      id: found.id,
      subject: found.subject,
      message_count: found.messageCount,
      people_count: people!.length,
      topic_id: found.topicId,
      first_message: publishedDate(found.firstMessage),
      last_message: publishedDate(found.lastMessage),
      offset: from,
      messages: messages.map((message, at) =>
        messageWire(message, { parent: parents[at]!, person, mailbox: mailboxOf(message.source, message.mailbox) }),
      ),
      mentioned: await mentionedIn(archive, messages),
    };
  },
});

export const threadRoutes: readonly QueryRoute[] = [conversations, thread];

/**
 * The parent of each message: the nearest message named in its header, otherwise the nearest it quotes, if it is
 * earlier in the conversation. The result is a tree, whatever the headers say.
 */
export async function parentsOf(
  archive: Archive,
  messages: readonly ArchivedMessage[],
  conversation: readonly MessageId[],
): Promise<readonly (MessageId | null)[]> {
  const places = new Map(conversation.map((id, place) => [id, place]));
  const named = messages.map(({ inReplyTo, references }) =>
    Array.from(new Set([...inReplyTo, ...references.toReversed()])).slice(0, MAX_ANCESTORS),
  );
  const wanted = Array.from(new Set(named.flat()));
  const known = await archive.messages.ofMessageIds(wanted);
  const idOf = new Map(wanted.map((messageId, at) => [messageId, known[at]!]));
  return messages.map(({ id, quotes }, at) => {
    const candidates = [...named[at]!.map((messageId) => idOf.get(messageId) ?? null), ...quotes];
    const isBefore = (candidate: MessageId): boolean =>
      (places.get(candidate) ?? Number.POSITIVE_INFINITY) < places.get(id)!;
    return candidates.find((candidate) => candidate !== null && isBefore(candidate)) ?? null;
  });
}

/** The messages of the archive that texts name by their Message-IDs. */
export async function mentionedIn(
  archive: Archive,
  messages: readonly ArchivedMessage[],
): Promise<ThreadWire["mentioned"]> {
  const named = new Set<string>();
  for (const { body } of messages)
    for (const { kind, target } of linksIn(body.slice(0, MAX_TEXT)))
      if (kind === "message" && named.size < MAX_MENTIONED) named.add(target);
  const wanted = [...named];
  const known = wanted.length === 0 ? [] : await archive.messages.ofMessageIds(wanted);
  return known.flatMap((id, at) => (id === null ? [] : [{ message_id: wanted[at]!, id }]));
}

/** Context of a message. */
interface MessageSurroundings {
  /** Its parent. */
  readonly parent: MessageId | null;
  readonly person: (address: Address) => PersonWire;
  readonly mailbox: NamedMailbox;
}

function messageWire(message: ArchivedMessage, { parent, person, mailbox }: MessageSurroundings): ThreadMessageWire {
  const { from, to, cc, bcc, body } = message;
  const parts: ThreadMessageWire["parts"] = [];
  let left = MAX_TEXT;
  let isCut = false;
  for (const part of partsOf(message)) {
    const text = partText(body, part);
    isCut ||= text.length > left;
    parts.push({ ...part, lines: lineCount(body, part), text: text.slice(0, left) });
    left -= Math.min(left, text.length);
    if (left === 0) break;
  }
  return {
    id: message.id,
    parent,
    kind: message.messageKind,
    from: from === null ? null : person(from),
    to: to.slice(0, NAMED).map(person),
    to_count: to.length,
    cc_count: cc.length + bcc.length,
    subject: message.subject,
    message_id: message.messageId,
    sha256: message.sha256,
    sent_at: publishedDate(message.sentAt),
    labels: [...flagsOfAll(message, message.occurrences)],
    language: message.language,
    mailbox: message.mailbox,
    mailbox_label: mailbox.label,
    mailbox_clause: mailbox.clause,
    places: message.occurrences.length,
    attachments: message.attachments.map(fileWire),
    text_length: body.length,
    parts,
    is_cut: isCut || (parts.at(-1)?.end ?? 0) < body.length,
  };
}

/** The author's own text in full; of quoted or forwarded text the first non-empty line. */
function partText(body: string, { kind, start, end }: BodyPart): string {
  const text = body.slice(start, end);
  if (kind === "own" || kind === "signature") return text;
  return text
    .slice(0, MAX_FIRST_LINE * 10)
    .trim()
    .split("\n", 1)[0]!
    .slice(0, MAX_FIRST_LINE);
}

export function lineCount(body: string, { start, end }: BodyPart): number {
  let lines = 1;
  const last = body[end - 1] === "\n" ? end - 1 : end;
  for (let at = body.indexOf("\n", start); at >= 0 && at < last; at = body.indexOf("\n", at + 1)) lines++;
  return lines;
}

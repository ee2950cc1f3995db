import * as z from "zod";
import { ATTACHMENT } from "../../../document/extraction-records.ts";
import { publishedDate } from "../../../document/published-values.ts";
import { ArchiveError } from "../../../errors.ts";
import type { Archive, ArchivedMessage } from "../../../mail/archive.ts";
import { attachmentType } from "../../../mail/records/attachment-types.ts";
import { type Attachment, flagsOfAll, otherSender } from "../../../mail/records/message.ts";
import { splitBody } from "../../../text/quoting/split-body.ts";
import { countOf } from "../../../text/tokens/format-count.ts";
import { orNotFound, type QueryRoute, queryRoute } from "../../query-api/query-route.ts";
import { integerBetween, sortBy } from "../../query-api/wire-requests.ts";
import type { ExploreRequest, ExploreSetting } from "../setting/explore-setting.ts";
import { mailboxNames } from "../setting/mailbox-names.ts";
import { peopleIn } from "../setting/people-wire.ts";
import { pieceCount, textPiece } from "../setting/text-pieces.ts";
import { type DetailWire, detailSchema, type FileWire, textSchema } from "../wire/wire-messages.ts";
import type { AttachmentState } from "../wire/wire-originals.ts";
import { attachmentStates } from "./attachment-states.ts";

/** Maximum references returned: a thread of years names hundreds, the oldest first. */
const MAX_REFERENCES = 50;
/** Maximum pieces of a text; bodies are far shorter. */
const MAX_PIECE = 1_000_000;

/** Parameters of a message request. */
interface Asked {
  readonly availability: "told" | "left_out";
}

export const messageRoutes: readonly QueryRoute<ExploreSetting>[] = [
  queryRoute({
    path: "/messages/{message_id}",
    summary: "One message: header with names, locations, files and the first piece of its text",
    parameters: z.object({
      availability: sortBy(["told", "left_out"]).describe("whether to check the source for the files of the message"),
    }),
    data: detailSchema,
    changing: ({ attachments }) => Array.from(new Set(attachments.map(({ availability }) => availability))).join("-"),
    async answer({ archive, id, setting, parameters: { availability } }: ExploreRequest<Asked>) {
      const message = orNotFound(await archive.messages.get(id), "Message", id);
      const states = availability === "told" ? await attachmentStates(archive, setting, message) : null;
      return detailWire(archive, message, states);
    },
  }),
  queryRoute({
    path: "/messages/{message_id}/text",
    summary: "Another piece of a long text",
    parameters: z.object({ part: integerBetween(0, MAX_PIECE, 0).describe("number of the piece, from 0") }),
    data: textSchema,
    async answer({ archive, id, parameters: { part } }) {
      const { body } = orNotFound(await archive.messages.get(id), "Message", id);
      const pieces = pieceCount(body);
      if (part >= pieces)
        throw new ArchiveError("NOT_FOUND", `${id} has ${countOf(pieces, "piece")} of text, numbered from 0`);
      return { part, text_pieces: pieces, ...textPiece(body, part) };
    },
  }),
];

/** Splits a body with the author's name and address, which identify the signature. */
export function partsOf({ body, from }: Pick<ArchivedMessage, "body" | "from">): ReturnType<typeof splitBody> {
  return splitBody(body, from === null ? "" : `${from.name} <${from.email}>`);
}

export function fileWire(attachment: Attachment, index: number): FileWire {
  return { number: index + 1, type: attachmentType(attachment), ...ATTACHMENT.write(attachment) };
}

async function detailWire(
  archive: Archive,
  message: ArchivedMessage,
  states: readonly (AttachmentState | null)[] | null,
): Promise<DetailWire> {
  const record = await archive.provenance();
  const sender = otherSender(message);
  const { from, replyTo, to, cc, bcc } = message;
  const person = await peopleIn(
    archive,
    [from, sender, ...replyTo, ...to, ...cc, ...bcc].filter((address) => address !== null),
  );
  const named = message.references.slice(-MAX_REFERENCES);
  const wanted = [...message.inReplyTo, ...named];
  const known = await archive.messages.ofMessageIds(wanted);
  const references = wanted.map((messageId, at) => ({ message_id: messageId, id: known[at]! }));
  const mailboxOf = await mailboxNames(archive);
  const pathOf = (source: number): string => record.sources[source]?.path ?? "";
  return {
    id: message.id,
    thread_id: message.threadId,
    topic_id: message.topicId,
    message_id: message.messageId,
    kind: message.messageKind,
    subject: message.subject,
    from: from === null ? null : person(from),
    sender: sender === null ? null : person(sender),
    reply_to: replyTo.map(person),
    to: to.map(person),
    cc: cc.map(person),
    bcc: bcc.map(person),
    sent_at: publishedDate(message.sentAt),
    received_at: publishedDate(message.receivedAt),
    in_reply_to: references.slice(0, message.inReplyTo.length),
    references: references.slice(message.inReplyTo.length),
    quotes: [...message.quotes],
    labels: [...flagsOfAll(message, message.occurrences)],
    language: message.language,
    size_bytes: message.sizeBytes,
    sha256: message.sha256,
    source: message.source,
    source_path: pathOf(message.source),
    mailbox: message.mailbox,
    location: message.location,
    findings: message.findings.map(({ code, message: text }) => ({ code, message: text })),
    occurrences: message.occurrences.map(({ source, mailbox, location, messageId, sha256 }) => ({
      source,
      source_path: pathOf(source),
      mailbox,
      mailbox_clause: mailboxOf(source, mailbox).clause,
      location,
      message_id: messageId ?? message.messageId,
      sha256: sha256 ?? message.sha256,
    })),
    attachments: message.attachments.map((attachment, at) => ({
      ...fileWire(attachment, at),
      availability: states?.[at] ?? null,
    })),
    is_withheld: record.options.redact.length > 0,
    text: textPiece(message.body, 0).text,
    text_length: message.body.length,
    text_pieces: pieceCount(message.body),
    parts: partsOf(message).map(({ kind, start, end }) => ({ kind, start, end })),
  };
}

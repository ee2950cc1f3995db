import { hash } from "node:crypto";
import { hasCompoundSignature } from "../../compound/compound-file.ts";
import type { Archive, ArchivedMessage } from "../../mail/archive.ts";
import { KEY_SEPARATOR, REVIEW_STATES, type ReviewState } from "../../mail/notebook.ts";
import type { MessageId, ThreadId } from "../../mail/records/ids.ts";
import { BYTE_ORDER_MARK } from "../csv/csv-row.ts";
import { ControlNumbers } from "./control-numbers.ts";
import { type ExportContent, type ExportPlace, listMessage } from "./export-content.ts";
import { type FamilyMember, familyOf, memberText } from "./family.ts";
import { type LoadDocument, loadFileHeader, loadFileRecord, privilegeColumns, privilegeRow } from "./load-file.ts";
import { CsvLines } from "./manifest.ts";
import type { MessageBytes } from "./message-bytes.ts";

/** Maximum files in a directory of natives: file systems and viewers slow down with more. */
const FILES_A_DIRECTORY = 1000;
/** Extensions of natives that are kept, because review programs need them. */
const ENDING = /\.([A-Za-z0-9]{1,10})$/;

/** Writes a Concordance load file with natives, texts and a privilege log: each message, followed by its family. */
export async function writeLoadFile(content: ExportContent, place: ExportPlace): Promise<void> {
  const { target } = place;
  const table = target.openFile("load.dat");
  const log = target.openFile("privilege-log.csv");
  const lines = new CsvLines();
  const marks = await readReviewMarks(content.archive);
  const numbers = new ControlNumbers(content.numbering);
  let written = 0;
  // Review platforms recognize UTF-8 by it.
  table.write(BYTE_ORDER_MARK + loadFileHeader(content.hasReview));
  log.write(BYTE_ORDER_MARK + lines.line(privilegeColumns(content.hasReview)).toString());
  for await (const message of content.messages()) {
    const read = await content.bytesOf(message);
    const members = familyOf(read.bytes, message.attachments, await content.archive.messages.fileTexts(message.id));
    const documents = familyDocuments(
      messageDocument(message, { number: numbers.take(), bytes: read.bytes }, content, marks),
      members,
      numbers,
    );
    const family = { first: documents[0]!.number, last: documents.at(-1)!.number };
    for (const [at, document] of documents.entries()) {
      const volume = String(Math.floor(written / FILES_A_DIRECTORY) + 1).padStart(4, "0");
      written++;
      const member = members[at - 1] ?? null;
      const placed = writeDocument(place, { document, volume, ...contentOf(member, message, read) });
      table.write(loadFileRecord(placed, family, content.hasReview));
      if (document.review === "privileged") log.write(lines.line(privilegeRow(placed, content.hasReview)));
      if (member === null) listMessage(content, place, message, { path: placed.native, read });
      else listMember(content, place, message, { path: placed.native || placed.text, member });
    }
  }
  target.closeFile(table);
  target.closeFile(log);
}

/** The documents of a family: the message, followed by all its attachments. */
function familyDocuments(
  message: LoadDocument,
  members: readonly FamilyMember[],
  numbers: ControlNumbers,
): readonly LoadDocument[] {
  const documents = [message];
  for (const member of members) documents.push(memberDocument(member, { number: numbers.take(), message, documents }));
  nameChildren(documents, members);
  return documents;
}

function contentOf(
  member: FamilyMember | null,
  message: ArchivedMessage,
  read: MessageBytes,
): { readonly bytes: Buffer | null; readonly text: string } {
  if (member === null) return { bytes: read.bytes, text: message.body };
  return { bytes: member.bytes, text: memberText(member) };
}

/** Writes the native and the text of a document. Returns it with their paths. */
function writeDocument(
  { target }: ExportPlace,
  {
    document,
    volume,
    bytes,
    text,
  }: {
    readonly document: LoadDocument;
    readonly volume: string;
    readonly bytes: Buffer | null;
    readonly text: string;
  },
): LoadDocument {
  const native = bytes === null ? "" : `NATIVES/${volume}/${document.number}${endingOf(document, bytes)}`;
  const textPath = `TEXT/${volume}/${document.number}.txt`;
  if (bytes !== null) target.writeFile(native, bytes, document.sentAt);
  target.writeFile(textPath, text);
  return { ...document, native, text: textPath };
}

function messageDocument(
  message: ArchivedMessage,
  { number, bytes }: { readonly number: string; readonly bytes: Buffer },
  { custodians }: ExportContent,
  marks: ReviewMarks,
): LoadDocument {
  const custodianOf = (source: number): string => custodians[source] ?? "";
  return {
    number,
    kind: "message",
    parent: "",
    messageId: message.id,
    threadId: message.threadId,
    custodian: custodianOf(message.source),
    allCustodians: [...new Set(message.occurrences.map(({ source }) => custodianOf(source)))],
    folder: message.mailbox,
    allPaths: [...new Set(message.occurrences.map(({ source, mailbox }) => `${custodianOf(source)}/${mailbox}`))],
    from: message.from,
    to: message.to,
    cc: message.cc,
    bcc: message.bcc,
    subject: message.subject,
    sentAt: message.sentAt,
    receivedAt: message.receivedAt,
    internetMessageId: message.messageId,
    inReplyTo: message.inReplyTo,
    conversationIndex: message.conversationIndexRoot ?? "",
    filename: "",
    mediaType: "message/rfc822",
    attachmentNames: [],
    // Of the native: a composed message differs from its source.
    sha256: hash("sha256", bytes),
    sizeBytes: bytes.length,
    language: message.language ?? "",
    tags: marks.tagsOf(message.id),
    review: marks.reviewOf(message.id),
    notes: marks.notesOf(message),
    native: "",
    text: "",
  };
}

/** Attachments share custodians, locations, dates and marks with the message of their family. */
function memberDocument(
  { parent, filename, mediaType, sha256, sizeBytes, message: attached }: FamilyMember,
  {
    number,
    message,
    documents,
  }: { readonly number: string; readonly message: LoadDocument; readonly documents: readonly LoadDocument[] },
): LoadDocument {
  const envelope = attached?.envelope ?? null;
  return {
    ...message,
    number,
    kind: attached === null ? "attachment" : "attached message",
    parent: documents[parent === null ? 0 : parent + 1]!.number,
    from: envelope?.from ?? null,
    to: envelope?.to ?? [],
    cc: envelope?.cc ?? [],
    bcc: envelope?.bcc ?? [],
    subject: envelope?.subject ?? "",
    sentAt: envelope === null ? message.sentAt : envelope.sentAt,
    receivedAt: envelope === null ? message.receivedAt : envelope.receivedAt,
    internetMessageId: envelope?.messageId ?? "",
    inReplyTo: envelope?.inReplyTo ?? [],
    conversationIndex: "",
    filename,
    mediaType,
    sha256,
    sizeBytes,
    language: "",
  };
}

/** Lists the attachments of each document itself. */
function nameChildren(documents: LoadDocument[], members: readonly FamilyMember[]): void {
  const names = new Map<number, string[]>();
  for (const { parent, filename } of members) {
    const at = parent === null ? 0 : parent + 1;
    names.set(at, [...(names.get(at) ?? []), filename]);
  }
  for (const [at, attachmentNames] of names) documents[at] = { ...documents[at]!, attachmentNames };
}

/** The file extension of a native: that of its name, if it has one. */
function endingOf({ kind, filename, mediaType }: LoadDocument, bytes: Buffer): string {
  if (kind !== "attachment") return hasCompoundSignature(bytes) ? ".msg" : ".eml";
  const ending = ENDING.exec(filename)?.[1];
  return ending === undefined ? (TYPE_ENDINGS.get(mediaType) ?? ".bin") : `.${ending.toLowerCase()}`;
}

/** Extensions for files that mail programs attach without a name. */
const TYPE_ENDINGS: ReadonlyMap<string, string> = new Map([
  ["text/calendar", ".ics"],
  ["text/vcard", ".vcf"],
  ["multipart/related", ".mht"],
]);

function listMember(
  { provenance }: ExportContent,
  { manifest }: ExportPlace,
  { id, messageId, source, location }: ArchivedMessage,
  { path, member }: { readonly path: string; readonly member: FamilyMember },
): void {
  manifest.add({
    path,
    id,
    messageId,
    sha256: member.sha256,
    source: provenance.sources[source]?.path ?? "",
    location,
    origin: "record",
    note: `attached: ${member.filename}`,
  });
}

/** Maximum tags read from a notebook. */
const MAX_TAGS = 1_000;

/** Marks of a message or its conversation in the notebook. */
interface ReviewMarks {
  tagsOf(message: MessageId): readonly string[];
  reviewOf(message: MessageId): ReviewState;
  /** Notes on its conversation, then on the message. */
  notesOf(message: ArchivedMessage): readonly string[];
}

/** Reads the marks of all messages with the query language, so that an export matches a search. */
async function readReviewMarks(archive: Archive): Promise<ReviewMarks> {
  const [facet] = await archive.explore.facets({ query: "has:tag", match: "all", of: ["tag"], limit: MAX_TAGS });
  const tags = new Map<MessageId, string[]>();
  for (const { clause, label } of facet!.values) {
    if (clause === "") continue;
    for (const id of await archive.search.matching(clause)) {
      const known = tags.get(id);
      if (known === undefined) tags.set(id, [label]);
      else known.push(label);
    }
  }
  const reviews = new Map<MessageId, ReviewState>();
  for (const state of REVIEW_STATES.filter((name) => name !== "open"))
    for (const id of await archive.search.matching(`review:${state}`)) reviews.set(id, state);
  return {
    tagsOf: (message) => tags.get(message) ?? [],
    reviewOf: (message) => reviews.get(message) ?? "open",
    notesOf: await readNotes(archive),
  };
}

async function readNotes(archive: Archive): Promise<ReviewMarks["notesOf"]> {
  const ofThreads = new Map<ThreadId, string>();
  const ofMessages = new Map<string, string>();
  for (const { kind, key, note } of (await archive.notebook()).notes) {
    if (kind === "message") ofMessages.set(key, note);
    else {
      const [id] = await archive.messages.ofMessageIds([key.split(KEY_SEPARATOR, 1)[0]!]);
      const message = await archive.messages.get(id ?? "");
      if (message !== null) ofThreads.set(message.threadId, note);
    }
  }
  return ({ threadId, messageId, sha256, occurrences }) => {
    const keys = [sha256, ...occurrences.map((place) => place.sha256)].map((hash) => messageId + KEY_SEPARATOR + hash);
    const own = keys.find((key) => ofMessages.has(key));
    return [ofThreads.get(threadId), own === undefined ? undefined : ofMessages.get(own)].filter(
      (note) => note !== undefined,
    );
  };
}

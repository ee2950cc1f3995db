import { shownAddress } from "../../mail/address.ts";
import type { ArchivedMessage } from "../../mail/archive.ts";
import type { Instant } from "../../mail/instant.ts";

/**
 * Concordance: fields stand between þ, are parted by DC4, and show their line ends as ®; programs for review take these
 * by default.
 */
const QUOTE = "\u00fe";
const SEPARATOR = "\u0014";
const LINE_END = "\u00ae";
/** Signs of the notation, which a value must not hold. */
const SIGNS = /[\u00fe\u0014]/g;

/** Where the files of a document lie, relative to the load file, with `\` between levels as such programs write it. */
export interface DocumentFiles {
  readonly native: string;
  readonly text: string;
}

interface Field {
  readonly name: string;
  value(message: ArchivedMessage, files: DocumentFiles, source: string): string;
}

/** The fields of the load file, in order. */
const LOAD_FIELDS: readonly Field[] = [
  { name: "DOCID", value: ({ id }) => id },
  { name: "BEGDOC", value: ({ id }) => id },
  { name: "ENDDOC", value: ({ id }) => id },
  { name: "THREADID", value: ({ threadId }) => threadId },
  { name: "CUSTODIAN", value: (_message, _files, source) => source },
  { name: "FOLDER", value: ({ mailbox }) => mailbox },
  { name: "ALLPATHS", value: ({ occurrences }) => occurrences.map(({ mailbox }) => mailbox).join("; ") },
  { name: "FROM", value: ({ from }) => (from === null ? "" : shownAddress(from)) },
  { name: "TO", value: ({ to }) => to.map(shownAddress).join("; ") },
  { name: "CC", value: ({ cc }) => cc.map(shownAddress).join("; ") },
  { name: "BCC", value: ({ bcc }) => bcc.map(shownAddress).join("; ") },
  { name: "SUBJECT", value: ({ subject }) => subject },
  { name: "DATESENT", value: ({ sentAt }) => dateOf(sentAt) },
  { name: "TIMESENT", value: ({ sentAt }) => timeOf(sentAt) },
  { name: "DATERECEIVED", value: ({ receivedAt }) => dateOf(receivedAt) },
  { name: "TIMERECEIVED", value: ({ receivedAt }) => timeOf(receivedAt) },
  { name: "MESSAGEID", value: ({ messageId }) => messageId },
  { name: "INREPLYTO", value: ({ inReplyTo }) => inReplyTo.join("; ") },
  { name: "CONVERSATIONINDEX", value: ({ conversationIndexRoot }) => conversationIndexRoot ?? "" },
  { name: "ATTACHMENTCOUNT", value: ({ attachments }) => String(attachments.length) },
  { name: "ATTACHMENTNAMES", value: ({ attachments }) => attachments.map(({ filename }) => filename).join("; ") },
  { name: "SHA256", value: ({ sha256 }) => sha256 },
  { name: "FILESIZE", value: ({ sizeBytes }) => String(sizeBytes) },
  { name: "LANGUAGE", value: ({ language }) => language ?? "" },
  { name: "NATIVELINK", value: (_message, { native }) => native },
  { name: "TEXTLINK", value: (_message, { text }) => text },
];

export function loadFileHeader(): string {
  return record(LOAD_FIELDS.map(({ name }) => name));
}

export function loadFileRecord(message: ArchivedMessage, files: DocumentFiles, source: string): string {
  return record(LOAD_FIELDS.map((field) => field.value(message, files, source)));
}

/** A line of the Opticon file, which lists pages: a native document is one. */
export function opticonRecord({ id }: ArchivedMessage, { native }: DocumentFiles, volume: string): string {
  return `${id},${volume},${native.replaceAll(",", "_")},Y,,,1\r\n`;
}

function record(values: readonly string[]): string {
  const cells = values.map((value) => QUOTE + value.replace(SIGNS, "").replace(/\r\n|\r|\n/g, LINE_END) + QUOTE);
  return `${cells.join(SEPARATOR)}\r\n`;
}

function dateOf(instant: Instant | null): string {
  return instant === null ? "" : new Date(instant).toISOString().slice(0, 10);
}

function timeOf(instant: Instant | null): string {
  return instant === null ? "" : `${new Date(instant).toISOString().slice(11, 19)}Z`;
}

import type { Instant } from "../../mail/dates/instant.ts";
import type { Address } from "../../mail/records/address.ts";
import { formatAddress } from "../../mail/records/address.ts";

/**
 * Concordance: values are enclosed in þ, separated by DC4, and contain ® for line ends; these are the defaults of
 * review platforms.
 */
const QUOTE = "\u00fe";
const SEPARATOR = "\u0014";
const LINE_END = "\u00ae";
/** Delimiters of the format, which values must not contain. */
const SIGNS = /[\u00fe\u0014]/g;

/** A message, or a file or message attached to one, as the load file describes it. */
export interface LoadDocument {
  /** Control number of the document, which is its only page too. */
  readonly number: string;
  readonly kind: "message" | "attached message" | "attachment";
  /** Control number of the document that it is attached to; "" for a message of the archive. */
  readonly parent: string;
  /** Id of the message in the archive. */
  readonly messageId: string;
  readonly threadId: string;
  readonly custodian: string;
  /** Distinct custodians of all occurrences of the message. */
  readonly allCustodians: readonly string[];
  readonly folder: string;
  /** `custodian/mailbox` of all occurrences. */
  readonly allPaths: readonly string[];
  readonly from: Address | null;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  readonly subject: string;
  readonly sentAt: Instant | null;
  readonly receivedAt: Instant | null;
  readonly internetMessageId: string;
  readonly inReplyTo: readonly string[];
  readonly conversationIndex: string;
  readonly filename: string;
  readonly mediaType: string;
  readonly attachmentNames: readonly string[];
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly language: string;
  readonly tags: readonly string[];
  readonly review: string;
  readonly notes: readonly string[];
  /** Relative to the load file, `/` between levels; "" if the bytes are unavailable. */
  readonly native: string;
  readonly text: string;
}

/** The first and the last control number of a message and everything attached to it. */
interface FamilyRange {
  readonly first: string;
  readonly last: string;
}

interface Field {
  readonly name: string;
  /** Written by reviewers, so a production to another party must not contain it. */
  readonly isReview?: true;
  value(document: LoadDocument, family: FamilyRange): string;
}

const VALUES = "; ";

/** The fields of the load file, in order. */
const LOAD_FIELDS: readonly Field[] = [
  { name: "DOCID", value: ({ number }) => number },
  { name: "BEGDOC", value: ({ number }) => number },
  { name: "ENDDOC", value: ({ number }) => number },
  { name: "BEGATTACH", value: (_document, { first }) => first },
  { name: "ENDATTACH", value: (_document, { last }) => last },
  { name: "PARENTID", value: ({ parent }) => parent },
  { name: "RECORDTYPE", value: ({ kind }) => kind },
  { name: "ARCHIVEID", value: ({ messageId }) => messageId },
  { name: "THREADID", value: ({ threadId }) => threadId },
  { name: "CUSTODIAN", value: ({ custodian }) => custodian },
  { name: "ALLCUSTODIANS", value: ({ allCustodians }) => allCustodians.join(VALUES) },
  { name: "FOLDER", value: ({ folder }) => folder },
  { name: "ALLPATHS", value: ({ allPaths }) => allPaths.join(VALUES) },
  { name: "FROM", value: ({ from }) => (from === null ? "" : formatAddress(from)) },
  { name: "TO", value: ({ to }) => addresses(to) },
  { name: "CC", value: ({ cc }) => addresses(cc) },
  { name: "BCC", value: ({ bcc }) => addresses(bcc) },
  { name: "SUBJECT", value: ({ subject }) => subject },
  { name: "DATESENT", value: ({ sentAt }) => dateOf(sentAt) },
  { name: "TIMESENT", value: ({ sentAt }) => timeOf(sentAt) },
  { name: "DATERECEIVED", value: ({ receivedAt }) => dateOf(receivedAt) },
  { name: "TIMERECEIVED", value: ({ receivedAt }) => timeOf(receivedAt) },
  { name: "MESSAGEID", value: ({ internetMessageId }) => internetMessageId },
  { name: "INREPLYTO", value: ({ inReplyTo }) => inReplyTo.join(VALUES) },
  { name: "CONVERSATIONINDEX", value: ({ conversationIndex }) => conversationIndex },
  { name: "FILENAME", value: ({ filename }) => filename },
  { name: "MEDIATYPE", value: ({ mediaType }) => mediaType },
  { name: "ATTACHMENTCOUNT", value: ({ attachmentNames }) => String(attachmentNames.length) },
  { name: "ATTACHMENTNAMES", value: ({ attachmentNames }) => attachmentNames.join(VALUES) },
  { name: "SHA256", value: ({ sha256 }) => sha256 },
  { name: "FILESIZE", value: ({ sizeBytes }) => String(sizeBytes) },
  { name: "LANGUAGE", value: ({ language }) => language },
  { name: "TAGS", isReview: true, value: ({ tags }) => tags.join(VALUES) },
  { name: "REVIEW", isReview: true, value: ({ review }) => review },
  { name: "NOTES", isReview: true, value: ({ notes }) => notes.join("\n") },
  { name: "NATIVELINK", value: ({ native }) => native.replaceAll("/", "\\") },
  { name: "TEXTLINK", value: ({ text }) => text.replaceAll("/", "\\") },
];

const PRODUCED_FIELDS = LOAD_FIELDS.filter(({ isReview }) => isReview !== true);

/** The first record of a load file: the names of the fields. */
export function loadFileHeader(hasReview: boolean): string {
  return record(fieldsOf(hasReview).map(({ name }) => name));
}

/** The record of a document. */
export function loadFileRecord(document: LoadDocument, family: FamilyRange, hasReview: boolean): string {
  return record(fieldsOf(hasReview).map((field) => field.value(document, family)));
}

function fieldsOf(hasReview: boolean): readonly Field[] {
  return hasReview ? LOAD_FIELDS : PRODUCED_FIELDS;
}

const PRIVILEGE_COLUMNS = [
  "begin",
  "end",
  "type",
  "custodian",
  "date",
  "from",
  "to",
  "cc",
  "bcc",
  "subject",
  "file",
] as const;

/** Columns of the privilege log. */
export function privilegeColumns(hasReview: boolean): readonly string[] {
  return hasReview ? [...PRIVILEGE_COLUMNS, "tags"] : PRIVILEGE_COLUMNS;
}

/** The row of a document in the privilege log. */
export function privilegeRow(document: LoadDocument, hasReview: boolean): readonly string[] {
  const { number, kind, custodian, sentAt, from, to, cc, bcc, subject, filename, tags } = document;
  const people = [from === null ? "" : formatAddress(from), addresses(to), addresses(cc), addresses(bcc)];
  const row = [number, number, kind, custodian, dateOf(sentAt), ...people, subject, filename];
  return hasReview ? [...row, tags.join(VALUES)] : row;
}

function addresses(list: readonly Address[]): string {
  return list.map(formatAddress).join(VALUES);
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

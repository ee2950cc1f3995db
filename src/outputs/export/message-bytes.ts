import type { ErrorCode } from "../../errors.ts";
import type { ArchivedMessage } from "../../mail/archive.ts";
import type { SourcesRead } from "../../mail/records/provenance.ts";
import { renderMessage } from "../../mapi/objects/message-rendering.ts";
import type { Original, OriginalPlace, OriginalState } from "../../sources/read-original.ts";

/** Why an original is unavailable: the problem at its location, or redaction. */
type MissingOriginal = Exclude<OriginalState, "available"> | "withheld";

/** Errors about the original itself, and fallback errors. */
export const MISSING_ORIGINAL_CODES: Readonly<Record<MissingOriginal, ErrorCode>> = {
  moved: "ORIGINAL_MOVED",
  changed: "ORIGINAL_CHANGED",
  protected: "ORIGINAL_PROTECTED",
  unreadable: "ORIGINAL_UNREADABLE",
  withheld: "ORIGINAL_WITHHELD",
};

/** A message in RFC 5322 format, and its origin. */
export interface MessageBytes {
  readonly bytes: Buffer;
  /** `exact`: the bytes of the source. `composed`: generated from the archive or the store. */
  readonly origin: "exact" | "composed";
  /** Null if the source was read again: an Outlook item still has to be composed. */
  readonly missing: MissingOriginal | null;
  /** Why it is not exact, in one line; "" if it is. */
  readonly note: string;
}

/** Reads an original; returns null if all are withheld. */
export type OriginalReader = (place: OriginalPlace) => Promise<Original>;

/** Marks a composed message, which no server transmitted in this form. */
const COMPOSED_FIELD = "X-Archivetool-Composed";
/** Generated id of a message without Message-ID. */
const MADE_ID = /^sha256:[0-9a-f]{64}@archivetool$/;

/**
 * The bytes of a message: the original from the first of its locations that still has it, otherwise composed. A
 * redacted archive composes every message, because an original would reveal what is redacted.
 */
export async function messageBytes(
  message: ArchivedMessage,
  read: SourcesRead,
  readOriginal: OriginalReader | null,
): Promise<MessageBytes> {
  if (read.options.redact.length > 0) return composed(message, "withheld", "withheld: the archive is redacted");
  if (readOriginal === null) return composed(message, "withheld", "originals were not requested");
  let first: Exclude<Original, { readonly state: "available" }> | null = null;
  for (const place of originalPlaces(message, read)) {
    const original = await readOriginal(place);
    if (original.state === "available") {
      return original.isExact
        ? { bytes: original.bytes, origin: "exact", missing: null, note: "" }
        : {
            bytes: marked(original.bytes),
            origin: "composed",
            missing: null,
            note: "composed from the properties of an Outlook item",
          };
    }
    first ??= original;
  }
  if (first === null) return composed(message, "moved", "the archive does not record its location");
  return composed(message, first.state, `${first.state}: ${first.message}`);
}

/** Known locations of the bytes of a message. A duplicate with differences is another message there. */
export function originalPlaces(
  { occurrences, sha256: own }: Pick<ArchivedMessage, "occurrences" | "sha256">,
  { sources, options }: SourcesRead,
): readonly OriginalPlace[] {
  return occurrences.flatMap(({ source, mailbox, location, sha256 }) => {
    const record = sources[source];
    if (record === undefined || (sha256 ?? own) !== own) return [];
    return [
      {
        format: record.format,
        sourcePath: record.path,
        mailbox,
        location,
        sha256: own,
        charset: options.charset ?? null,
      },
    ];
  });
}

function composed(message: ArchivedMessage, missing: MissingOriginal, note: string): MessageBytes {
  const messageId = MADE_ID.test(message.messageId) ? null : message.messageId;
  const bytes = renderMessage(
    {
      envelope: { ...message, messageId, gmailThreadId: null, isAutomatic: false },
      textBody: message.body,
      htmlBody: null,
      attachments: [],
      calendarParts: [],
      labels: [],
      marks: [],
      exportedNames: null,
      listAddress: null,
      findings: [],
    },
    { transportHeaders: null, flags: message.flags, invitations: [] },
  );
  const without = message.attachments.length === 0 ? "" : `; without its ${message.attachments.length} attachments`;
  return { bytes: marked(bytes), origin: "composed", missing, note: note + without };
}

function marked(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${COMPOSED_FIELD}: yes\r\n`), bytes]);
}

import { textHash } from "../../columns/key-nodes.ts";
import { authorKey } from "../../contacts/author-key.ts";
import { openingOf, readQuotedHeaders } from "../../text/quoting/quoted-headers.ts";
import type { BodyParts } from "../../text/quoting/split-body.ts";
import { baseSubject, isGenericSubject } from "../../threading/base-subject.ts";
import { openingCode, type QuotationColumns, type QuotedMail } from "../../threading/quotations.ts";

/**
 * Minimum letters of an opening that identify a message if the subject does not: strangers answer "thanks" in the same
 * minute.
 */
const MIN_TELLING_OPENING = 12;

/** A body and who wrote which part of it. */
export interface SplitText {
  readonly body: string;
  readonly parts: BodyParts;
}

/**
 * Adds the quoted headers of a message as evidence for threads. With redaction, uses the redacted text: later runs have
 * no other, and no hashes of removed text are stored.
 */
export function scanQuotations(columns: QuotationColumns, subject: string, { body, parts }: SplitText): void {
  const quoted: QuotedMail[] = [];
  if (parts.some(({ kind }) => kind === "quoted" || kind === "forwarded")) {
    for (const header of readQuotedHeaders(body, parts)) {
      if (header.minutes.length === 0) continue;
      const author = authorKey(header.author);
      if (author.name === "" && author.address === "") continue;
      const { key } = baseSubject(header.subject ?? subject);
      if (header.opening.length < MIN_TELLING_OPENING && isGenericSubject(key)) continue;
      quoted.push({
        subject: textHash(key),
        minutes: header.minutes,
        name: hashOrNone(author.name),
        address: hashOrNone(author.address),
        opening: openingCode(header.opening),
      });
    }
  }
  columns.add(openingCode(openingOf(body, parts)), quoted);
}

/** 0 means no text. */
function hashOrNone(text: string): number {
  return text === "" ? 0 : textHash(text) || 1;
}

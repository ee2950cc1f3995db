import type { Finding } from "../../mail/records/message.ts";

/** Every anomaly that the reader of RFC 5322 messages reports. Codes are stable: archives and docs contain them. */
export const MIME_FINDINGS = {
  "header-cut": "the header was truncated to 16 MiB",
  "header-line-ignored": "an invalid header line was ignored",
  "header-without-blank-line": "the blank line between header and body is missing",
  "header-without-body": "the header ended with the message",
  "date-unreadable": "the Date field is unreadable or ambiguous",
  "boundary-missing": "a multipart had no boundary parameter",
  "boundary-guessed": "the boundary of a multipart was inferred from its body",
  "boundary-not-found": "the boundary of a multipart did not occur in its body; it was read as text",
  "delimiter-missing": "a part began without a boundary line",
  "multipart-not-named": "the text was an undeclared multipart; its parts were read",
  "multipart-not-closed": "a multipart had no closing boundary",
  "multipart-encoded": "a multipart was encoded as a whole; its parts were read from the decoded body",
  "message-partial": "one fragment of a message that was sent in several; the others are in its thread",
  "nesting-too-deep": "parts nested deeper than 100 levels were not opened",
  "too-many-parts": "the message had more than 10,000 parts; the rest was kept as one part",
  "encoding-unknown": "unknown Content-Transfer-Encoding; the bytes were read unchanged",
  "base64-damaged": "text labeled base64 is not base64; it was read unchanged",
  "charset-unknown": "unknown charset; the charset was detected from the text",
  "body-cut": "a text part was truncated to 32 MiB",
  "labels-cut": "labels were truncated to 1,000 labels of 1,024 characters",
  "embedded-file-not-closed": "a uuencoded or yEnc file in the body had no end line",
} as const;

export type MimeFindingCode = keyof typeof MIME_FINDINGS;

/** The finding of a code, with its sentence from the table. */
export function mimeFinding(code: MimeFindingCode): Finding {
  return { code, message: MIME_FINDINGS[code] };
}

import type { ArchivedMessage } from "../../mail/archive.ts";
import { addressText } from "../../mail/records/address.ts";
import { facts } from "../../outputs/export/message-page.ts";
import { type BodyPart, splitBody } from "../../text/quoting/split-body.ts";
import { countOf } from "../../text/tokens/format-count.ts";
import { printable } from "../../text/tokens/printable.ts";
import { heading, type Line } from "../terminal/line.ts";
import { cellsOf, wrapText } from "../terminal/text-columns.ts";

/** Columns of a line: the usual width of terminals and mail. */
const LINE_CELLS = 80;
/** Cells of the names of fields. */
const NAME_CELLS = 13;
/** Recipients listed by default; the others are counted. */
const MAX_RECIPIENTS = 8;

/** Placeholder for a collapsed part. */
const FOLDED: Readonly<Record<Exclude<BodyPart["kind"], "own">, string>> = {
  quoted: "quoted",
  forwarded: "forwarded",
  signature: "of the signature",
};

/**
 * Formats a message as lines of at most 80 cells: fields, then the text its author wrote. Quotations and signature are
 * collapsed unless `isWhole`.
 */
export function messageLines(message: ArchivedMessage, isWhole: boolean): readonly Line[] {
  return [
    ...headingLines(message.subject),
    ...facts(isWhole ? message : withFewRecipients(message)).flatMap(([name, value]) => fieldLines(name, value)),
    ...fieldLines("Id", `${message.id}, ${message.threadId}, ${message.topicId}`),
    ...fieldLines("Message-ID", message.messageId),
    ...(message.quotes.length === 0 ? [] : fieldLines("Quotes", message.quotes.join(", "))),
    ...message.findings.flatMap((finding) => fieldLines("Finding", finding.message)),
    "",
    ...bodyLines(message, isWhole),
  ];
}

/** Main fields of a record. */
export function headingLines(subject: string): readonly Line[] {
  return wrapText(printable(subject.trim()) || "(no subject)", LINE_CELLS).map(heading);
}

/** A field and its value; longer values continue on the next line with the same indentation. */
export function fieldLines(name: string, value: string): readonly Line[] {
  // Fields of items have longer names.
  const indent = Math.max(NAME_CELLS, `${name}: `.length);
  const lines = wrapText(printable(value), LINE_CELLS - indent);
  return lines.map((line, index) => `${(index === 0 ? `${name}:` : "").padEnd(indent)}${line}`);
}

function withFewRecipients(message: ArchivedMessage): ArchivedMessage {
  const few = (addresses: ArchivedMessage["to"]): ArchivedMessage["to"] => {
    if (addresses.length <= MAX_RECIPIENTS) return addresses;
    return [
      ...addresses.slice(0, MAX_RECIPIENTS),
      { name: `and ${addresses.length - MAX_RECIPIENTS} more`, email: "" },
    ];
  };
  return { ...message, to: few(message.to), cc: few(message.cc), bcc: few(message.bcc) };
}

function bodyLines({ body, from }: ArchivedMessage, isWhole: boolean): readonly Line[] {
  if (isWhole) return textLines(body);
  return splitBody(body, from === null ? "" : addressText(from)).flatMap((part) => {
    const text = body.slice(part.start, part.end);
    if (part.kind === "own") return textLines(text);
    if (text.trim() === "") return [];
    return [
      `[${countOf(text.trim().split("\n").length, "line")} ${FOLDED[part.kind]}: --full shows ${FOLDED[part.kind] === "quoted" ? "what was quoted" : "it"}]`,
    ];
  });
}

/** Lines of a text; long lines are broken at blanks. */
export function textLines(text: string): readonly Line[] {
  const lines = text.replace(/^\n+|\s+$/g, "").split("\n");
  return lines.flatMap((line) => {
    const plain = printable(line);
    return cellsOf(plain) <= LINE_CELLS ? [plain] : wrapText(plain, LINE_CELLS);
  });
}

import { BodyLines } from "./body-lines.ts";
import { isMachineField } from "./machine-fields.ts";
import { HEADER_LABELS, ROLE } from "./mail-phrases.ts";
import { headerLabel, isRule, separatorKind } from "./quote-markers.ts";
import type { BodyPart, BodyParts } from "./split-body.ts";

/** Characters of an older message searched per requested one, because its header may be long. */
const REACH = 3;
/**
 * The start of the quoted or forwarded text in a message, at most `limit` characters: without `>`, separators and
 * header lines, which do not show the topic.
 */
export function quotedText(body: string, parts: BodyParts, limit: number): string {
  let text = "";
  for (const part of parts) {
    if (part.kind !== "quoted" && part.kind !== "forwarded") continue;
    text += contentOf(body, part, limit - text.length);
    if (text.length >= limit) break;
  }
  return text.slice(0, limit);
}

function contentOf(body: string, { start, end }: BodyPart, wanted: number): string {
  const lines = new BodyLines(body.slice(start, Math.min(end, start + REACH * wanted)));
  let text = "";
  /** Role of the header field that the previous line belongs to; 0 outside a header. */
  let field = 0;
  /** True in a machine-written field and its continuation lines. */
  let isMachine = false;
  for (let line = 0; line < lines.count && text.length < wanted; line++) {
    if (lines.isBlank(line)) {
      field = 0;
      isMachine = false;
      continue;
    }
    const label = headerLabel(lines, line);
    if (label !== "") field = HEADER_LABELS.get(label)!;
    // Lists of recipients continue over lines; after other fields, the text begins.
    else if ((field & (ROLE.to | ROLE.copy)) === 0) field = 0;
    if (field !== 0 || isRule(lines, line) || separatorKind(lines, line) !== null) continue;
    const written = withoutMarks(lines, line);
    isMachine = isMachineField(written) || (isMachine && isIndented(lines, line));
    if (!isMachine) text += `${written}\n`;
  }
  return text;
}

/** True for a line with white space after its marks: in a header, it continues the field above. */
function isIndented({ body, starts, ends }: BodyLines, line: number): boolean {
  let at = starts[line]!;
  while (at < ends[line]! && body.charCodeAt(at) === 62) at += body.charCodeAt(at + 1) === 32 ? 2 : 1;
  return body.charCodeAt(at) === 32 || body.charCodeAt(at) === 9;
}

/** A line without the `>` before it. */
function withoutMarks(lines: BodyLines, line: number): string {
  const { body } = lines;
  let first = lines.firsts[line]!;
  const end = lines.ends[line]!;
  while (first < end && (body.charCodeAt(first) === 62 || body.charCodeAt(first) === 32)) first++;
  return body.slice(first, end);
}

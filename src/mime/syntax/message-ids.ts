import { trimBytes, withoutBlanks } from "./byte-text.ts";
import { decodeHeaderText, decodeRawText } from "./encoded-words.ts";

/**
 * Maximum msg-ids of one References field: threads of thousands of replies exist, forged headers of millions too.
 * Keeps the root and the newest.
 */
const MAX_MESSAGE_IDS = 2000;

/** The msg-id of a Message-ID field (RFC 5322 3.6.4) without angle brackets; null when it is empty. */
export function readMessageId(field: string): string | null {
  if (field === "") return null;
  return messageIdOf(withoutEncodedWords(field));
}

/**
 * Some programs write ids as encoded words, which RFC 2047 5 forbids, and fold long ids between two of them. Some web
 * archives escape the brackets. The text has one character per byte, like the field.
 */
function withoutEncodedWords(field: string): string {
  if (field.startsWith("&lt;")) return withoutEncodedWords(field.replaceAll("&lt;", "<").replaceAll("&gt;", ">"));
  return field.includes("=?") ? Buffer.from(decodeHeaderText(field), "utf8").toString("latin1") : field;
}

function messageIdOf(field: string): string | null {
  const open = field.indexOf("<");
  if (open < 0) return clean(firstWord(field));
  const close = field.indexOf(">", open);
  // In `<<a@b>>`, the inner brackets count.
  return clean(close < 0 ? field.slice(open + 1) : field.slice(field.lastIndexOf("<", close) + 1, close));
}

/**
 * The msg-ids of an In-Reply-To or References field, in order, without duplicates. Text outside angle brackets is
 * ignored (old mailers wrote `Your message of Monday <id>`); without any brackets, words with an "@" are accepted if
 * all words have one.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop for brackets that are open, closed or missing
export function readMessageIds(written: string): readonly string[] {
  if (written === "") return [];
  const field = withoutEncodedWords(written);
  const found = new Set<string>();
  let open = field.indexOf("<");
  if (open < 0) {
    const words = field.split(/[\t-\r ,;]/).filter((word) => word !== "");
    if (words.every((word) => word.includes("@"))) for (const word of words) add(found, word);
  }
  let close = open < 0 ? -1 : field.indexOf(">", open);
  while (open >= 0) {
    if (close >= 0 && close < open) close = field.indexOf(">", open);
    const next = field.indexOf("<", open + 1);
    // An id without ">" ends where the next one begins.
    const end = close < 0 || (next >= 0 && next < close) ? (next < 0 ? field.length : next) : close;
    add(found, field.slice(open + 1, end));
    open = next;
  }
  const ids = [...found];
  return ids.length <= MAX_MESSAGE_IDS ? ids : [ids[0]!, ...ids.slice(1 - MAX_MESSAGE_IDS)];
}

function add(found: Set<string>, text: string): void {
  const id = clean(text);
  if (id !== null) found.add(id);
}

/** Blanks inside an id come from folding and are removed. */
function clean(text: string): string | null {
  const whole = decodeRawText(withoutBlanks(text));
  return whole === "" || whole === ">" ? null : whole;
}

function firstWord(field: string): string {
  const words = trimBytes(field).split(/[\t-\r ]/, 1);
  const word = words[0] ?? "";
  return word.endsWith(">") ? word.slice(0, -1) : word;
}

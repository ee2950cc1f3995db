import type { Address } from "../../mail/records/address.ts";
import type { MessageEnvelope } from "../../mail/records/message.ts";
import { APOSTROPHE, BACKSLASH, COMMA, LESS_THAN, QUOTE, SEMICOLON } from "../../mail/words/ascii.ts";
import { wellFormed } from "../../mail/words/unicode.ts";
import { trimBytes } from "./byte-text.ts";
import { decodeHeaderText } from "./encoded-words.ts";
import { firstField, type HeaderBlock } from "./header-block.ts";

/** Longest field that is read: about 3,000 recipients of a distribution list. A longer one is an attack. */
const MAX_FIELD_CHARACTERS = 256 * 1024;
/** Maximum length of a name; directory names of Exchange with a name are shorter. */
const MAX_NAME_CHARACTERS = 256;

/** Longest directory name: Exchange itself refuses more. */
const MAX_DIRECTORY_CHARACTERS = 1_024;

/** One entry of an export field: the text before its first angle bracket, and the text in it. */
interface ExportedEntry {
  readonly phrase: string;
  /** The phrase without quotes around it. */
  readonly name: string;
  /** Null when it has no angle bracket. */
  readonly angle: string | null;
  /** True if the text in the bracket is an internet address. */
  readonly hasAddress: boolean;
}

/**
 * Names that an export from Exchange or Notes wrote separately from the addresses: `From: jane.doe@a.b` with `X-From:
 * Doe, Jane </O=ORG/CN=JDOE>`. Returns one text for each address of From, To, Cc and Bcc, in this order; "" if the
 * address has a display name or the export is ambiguous. Organization and leaf of a directory name, or another address,
 * stay after the name (`Doe, Jane </O=ORG/CN=JDOE>`), because they are evidence, too.
 * @param charset of raw 8-bit text, as for the envelope.
 * @returns null if the message has no such field, or none that fits the addresses.
 */
export function readExportedNames(
  fields: HeaderBlock,
  envelope: MessageEnvelope,
  charset: string | null = null,
): readonly string[] | null {
  const names: string[] = [];
  if (envelope.from !== null) names.push(nameOfSender(firstField(fields, "x-from"), envelope.from));
  addNamesOfList(firstField(fields, "x-to"), envelope.to, names);
  addNamesOfList(firstField(fields, "x-cc"), envelope.cc, names);
  addNamesOfList(firstField(fields, "x-bcc"), envelope.bcc, names);
  if (names.every((name) => name === "")) return null;
  return names.map((name) =>
    name === "" ? "" : wellFormed(decodeHeaderText(name, charset).slice(0, MAX_NAME_CHARACTERS)),
  );
}

function nameOfSender(field: string, address: Address): string {
  if (field === "" || field.length > MAX_FIELD_CHARACTERS || hasName(address)) return "";
  const entry = entryOf(field);
  return agrees(entry, address) ? nameFor(address, entry) : "";
}

function addNamesOfList(field: string, addresses: readonly Address[], names: string[]): void {
  const entries = field === "" || addresses.every(hasName) ? null : alignedEntries(field, addresses);
  for (let at = 0; at < addresses.length; at++)
    names.push(entries === null ? "" : nameFor(addresses[at]!, entries[at]!));
}

/**
 * Splits a list into one entry per address; null if that is not certain. A comma can end an entry or be part of a name
 * (`Doe, Jane <…>, Ann Roe`): only a reading with as many entries as addresses is accepted.
 */
function alignedEntries(field: string, addresses: readonly Address[]): readonly ExportedEntry[] | null {
  if (field.length > MAX_FIELD_CHARACTERS) return null;
  const pieces = splitList(field);
  return entriesFor(pieces, addresses) ?? entriesFor(joinedNames(pieces), addresses);
}

function entriesFor(texts: readonly string[], addresses: readonly Address[]): readonly ExportedEntry[] | null {
  if (texts.length !== addresses.length) return null;
  const entries = texts.map(entryOf);
  return entries.every((entry, at) => agrees(entry, addresses[at]!)) ? entries : null;
}

/**
 * An entry with an internet address belongs only to that address, or to one that the export made up from the name:
 * `doe.jane@org` for `Jane Doe <jane@mill.example>`.
 */
function agrees({ phrase, name, angle, hasAddress }: ExportedEntry, { email }: Address): boolean {
  if (!hasAddress && !isMailbox(name)) return true;
  const written = (hasAddress ? angle : null) ?? name;
  if (written.toLowerCase() === email.toLowerCase()) return true;
  return hasAddress && isMadeOf(email, phrase);
}

/** True if the local part consists of words of a name, in any order. */
function isMadeOf(email: string, name: string): boolean {
  if (name.length > MAX_NAME_CHARACTERS || isMailbox(unquoted(name))) return false;
  const words = wordsOf(email.slice(0, email.lastIndexOf("@")));
  const written = new Set(wordsOf(name));
  return words.some((word) => word.length > 1) && words.every((word) => written.has(word));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
}

/** `Doe` and `Jane <…>` are one entry: a bare piece before one with a bracket. */
function joinedNames(pieces: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let held: string | null = null;
  for (const piece of pieces) {
    if (held !== null && piece.includes("<")) {
      joined.push(`${held}, ${piece}`);
      held = null;
      continue;
    }
    if (held !== null) joined.push(held);
    held = /[<@"']/.test(piece) ? null : piece;
    if (held === null) joined.push(piece);
  }
  if (held !== null) joined.push(held);
  return joined;
}

/**
 * Splits at commas and semicolons outside quotes and angle brackets. Unclosed ones are plain text, and are searched for
 * only once.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over a list: quotes, brackets and separators depend on each other
function splitList(field: string): readonly string[] {
  const pieces: string[] = [];
  const missing: number[] = [];
  let start = 0;
  let isAtStart = true;
  for (let at = 0; at <= field.length; at++) {
    const code = at < field.length ? field.charCodeAt(at) : COMMA;
    // Separators and quotes have lower codes: letters need one comparison.
    if (code > LESS_THAN) {
      isAtStart = false;
      continue;
    }
    if (code === COMMA || code === SEMICOLON) {
      const piece = trimBytes(field.slice(start, at));
      if (piece !== "") pieces.push(piece);
      start = at + 1;
      isAtStart = true;
      continue;
    }
    const opens = code === QUOTE || code === LESS_THAN || (code === APOSTROPHE && isAtStart);
    if (code > 0x20) isAtStart = false;
    if (!opens || missing.includes(code)) continue;
    const close = closingOffset(field, at + 1, code);
    if (close < 0) missing.push(code);
    else at = close;
  }
  return pieces;
}

/** Offset of the closing quote or bracket; a single quote closes at the end of the entry or its name. */
function closingOffset(field: string, from: number, open: number): number {
  if (open === LESS_THAN) return field.indexOf(">", from);
  for (let at = from; at < field.length; at++) {
    const code = field.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === open && (open === QUOTE || endsName(field, at + 1))) return at;
  }
  return -1;
}

function endsName(field: string, from: number): boolean {
  const at = from < field.length && field.charCodeAt(from) === 0x20 ? from + 1 : from;
  // Reading past the end gives NaN, for which V8 discards its compiled code each time.
  if (at >= field.length) return true;
  const next = field.charCodeAt(at);
  return next === COMMA || next === SEMICOLON || next === LESS_THAN;
}

function entryOf(text: string): ExportedEntry {
  const open = text.indexOf("<");
  const phrase = trimBytes(open < 0 ? text : text.slice(0, open));
  const name = unquoted(phrase);
  if (open < 0) return { phrase, name, angle: null, hasAddress: false };
  const close = text.indexOf(">", open);
  const angle = trimBytes(text.slice(open + 1, close < 0 ? text.length : close));
  return { phrase, name, angle, hasAddress: isMailbox(angle) };
}

/**
 * The name in an entry for an address without one: its phrase, followed by the directory name, or by an address other
 * than this. "" if the entry only repeats the address.
 */
function nameFor(address: Address, { name, angle, hasAddress }: ExportedEntry): string {
  if (hasName(address)) return "";
  if (name === "" || name.length > MAX_NAME_CHARACTERS || isMailbox(name)) return "";
  const place = angle === null ? "" : hasAddress ? otherMailbox(angle, address) : shortDirectoryName(angle);
  return place === "" || name.length + place.length > MAX_NAME_CHARACTERS ? name : `${name} <${place}>`;
}

function otherMailbox(mailbox: string, { email }: Address): string {
  return mailbox.toLowerCase() === email.toLowerCase() ? "" : mailbox;
}

/** Organization and leaf of an Exchange directory name, which identify an entry; "" for other texts. */
function shortDirectoryName(angle: string): string {
  const name = angle.slice(0, MAX_DIRECTORY_CHARACTERS).toUpperCase();
  const leaf = name.lastIndexOf("/CN=");
  return name.startsWith("/O=") && leaf > 0 ? name.slice(0, name.indexOf("/", 1)) + name.slice(leaf) : "";
}

function hasName({ name }: Address): boolean {
  return name !== "";
}

function isMailbox(text: string): boolean {
  // Most of these texts are names: searching for one character avoids the expression.
  return text.length <= MAX_NAME_CHARACTERS && text.includes("@") && /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(text);
}

/** Removes surrounding quotes of both kinds. */
function unquoted(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isQuote(text.charCodeAt(start))) start++;
  while (end > start && isQuote(text.charCodeAt(end - 1))) end--;
  return trimBytes(text.slice(start, end));
}

function isQuote(code: number): boolean {
  return code === QUOTE || code === APOSTROPHE;
}

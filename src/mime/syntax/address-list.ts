import type { Address } from "../../mail/records/address.ts";
import { ESCAPE } from "../../mail/words/ascii.ts";
import { splitBareText } from "./bare-addresses.ts";
import { bracketedAddress, bracketedGroup, withoutSingleQuotes } from "./bracketed-address.ts";
import { collapseBytes, endOfShifted, trimBytes, unescaped } from "./byte-text.ts";
import { decodeHeaderText, decodeRawText, encodedWordAt } from "./encoded-words.ts";
import { MAX_ADDRESSES } from "./simple-addresses.ts";
import { withShieldedTrails } from "./trail-bytes.ts";
import { isUnixAddress } from "./unix-address.ts";

/** A partly read mailbox: raw text, one character per byte. */
interface Pending {
  /** Words outside angle brackets and comments, quotes removed: the display name. */
  phrase: string;
  /** The same with quotes kept: an address without brackets is read from it. */
  bare: string;
  hasQuotes: boolean;
  /** Stored separately because searching the growing string `bare` for each character would take quadratic time. */
  hasAt: boolean;
  hasColon: boolean;
  angle: string | null;
  comment: string;
}

interface ReadState {
  readonly text: string;
  /** Charset of raw 8-bit text (see `fieldCharset`). */
  readonly charset: string | null;
  readonly addresses: Address[];
  pending: Pending;
  /** A plain phrase before a comma: perhaps the "Last" of `Last, First <a@b>`. */
  heldPhrase: string | null;
  isInGroup: boolean;
  /** True after a group: if it was empty, a comment after it is not a name. */
  hasGroup: boolean;
  /** Offset of the last semicolon; -1 if there is none. */
  readonly lastSemicolon: number;
  /**
   * Set after a failed search for a closing character, so that a header full of openings is not searched once for each.
   */
  hasNoMoreQuotes: boolean;
  hasNoMoreComments: boolean;
  hasNoMoreAngles: boolean;
  /** Offset of the last ">" found. */
  lastClose: number;
}

/** Maximum characters of a display name: thousands of one-character pieces would fill the memory. */
const MAX_GATHERED = 64 * 1024;

/** Parentheses nested deeper than this in one comment are not followed. */
const MAX_COMMENT_DEPTH = 200;

/**
 * Reads an address field (RFC 5322 section 3.4), given unfolded, with one character per byte. Groups are flattened.
 * Tolerates common errors: semicolons between addresses, `Last, First <a@b>` without quotes, quotes and brackets that
 * never close, routes, several addresses without commas, single quotes around addresses.
 */
export function parseAddressList(written: string, charset: string | null = null): readonly Address[] {
  const field = withShieldedTrails(written, charset);
  const state = readState(field, charset);
  let at = 0;
  while (at < field.length && state.addresses.length < MAX_ADDRESSES) at = step(state, at);
  flush(state, false);
  releaseHeld(state);
  return state.addresses;
}

function readState(text: string, charset: string | null): ReadState {
  return {
    text,
    charset,
    addresses: [],
    pending: emptyPending(),
    heldPhrase: null,
    isInGroup: false,
    hasGroup: false,
    lastSemicolon: text.lastIndexOf(";"),
    hasNoMoreQuotes: false,
    hasNoMoreComments: false,
    hasNoMoreAngles: false,
    lastClose: -1,
  };
}

function emptyPending(): Pending {
  return { phrase: "", bare: "", hasQuotes: false, hasAt: false, hasColon: false, angle: null, comment: "" };
}

/** Reads from an offset and returns where to continue. */
function step(state: ReadState, at: number): number {
  switch (state.text.charCodeAt(at)) {
    case 0x22:
      return readQuoted(state, at);
    case 0x28:
      return readComment(state, at);
    case 0x3c:
      return readAngle(state, at);
    case 0x2c:
      flush(state, true);
      return at + 1;
    case 0x3b:
      flush(state, false);
      releaseHeld(state);
      state.hasGroup ||= state.isInGroup;
      state.isInGroup = false;
      return at + 1;
    case 0x3a:
      return readColon(state, at);
    case 0x3d:
      return readEncodedWord(state, at);
    case ESCAPE:
      return readShifted(state, at);
    default:
      return readPlain(state, at);
  }
}

/** Characters up to the next special one. A stray ")" or ">" is dropped. */
function readPlain(state: ReadState, start: number): number {
  let at = start;
  while (at < state.text.length && !isSpecial(state.text.charCodeAt(at))) at++;
  const run = state.text.slice(start, at);
  if (run.includes("@")) state.pending.hasAt = true;
  gather(state.pending, run, run);
  const code = state.text.charCodeAt(at);
  return code === 0x3e || code === 0x29 ? at + 1 : at;
}

/** `"`, `(`, `)`, `,`, `:`, `;`, `<`, `=`, `>`, escape */
function isSpecial(code: number): boolean {
  if (code < 0x22 || code > 0x3e) return code === ESCAPE;
  return (code >= 0x3a && code <= 0x3e) || code === 0x22 || code === 0x28 || code === 0x29 || code === 0x2c;
}

function readEncodedWord(state: ReadState, at: number): number {
  const word = state.text.charCodeAt(at + 1) === 0x3f ? encodedWordAt(state.text, at) : null;
  const end = word === null ? at + 1 : word.end;
  const run = state.text.slice(at, end);
  gather(state.pending, run, run);
  return end;
}

/** Gathers raw ISO-2022 text, in which bytes of characters look like quotes, commas and brackets. */
function readShifted(state: ReadState, start: number): number {
  const end = endOfShifted(state.text, start);
  const run = state.text.slice(start, end);
  gather(state.pending, run, run);
  return end;
}

function gather(pending: Pending, phrase: string, bare: string): void {
  if (pending.phrase.length < MAX_GATHERED) pending.phrase += phrase;
  if (pending.bare.length < MAX_GATHERED) pending.bare += bare;
}

function readQuoted(state: ReadState, open: number): number {
  const close = state.hasNoMoreQuotes ? -1 : closingQuote(state.text, open + 1);
  if (close < 0) {
    state.hasNoMoreQuotes = true;
    return open + 1;
  }
  const inner = state.text.slice(open + 1, close);
  const { pending } = state;
  gather(pending, unescaped(inner), state.text.slice(open, close + 1));
  pending.hasQuotes = true;
  if (inner.includes("@")) pending.hasAt = true;
  return close + 1;
}

function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === ESCAPE) at = endOfShifted(text, at) - 1;
    else if (code === 0x22) return at;
  }
  return -1;
}

function readComment(state: ReadState, open: number): number {
  const close = state.hasNoMoreComments ? -1 : closingParenthesis(state.text, open + 1);
  if (close < 0) {
    state.hasNoMoreComments = true;
    return open + 1;
  }
  const inner = state.text.slice(open + 1, close).replace(/\\(.)/g, "$1");
  if (state.pending.comment.length < MAX_GATHERED)
    state.pending.comment += state.pending.comment === "" ? inner : ` ${inner}`;
  // A comment is a blank, but not inside an address.
  if (!state.pending.hasAt) gather(state.pending, " ", "");
  return close + 1;
}

function closingParenthesis(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x28) {
      depth++;
      if (depth > MAX_COMMENT_DEPTH) return -1;
    } else if (code === 0x29) {
      depth--;
      if (depth === 0) return at;
    }
  }
  return -1;
}

function readAngle(state: ReadState, open: number): number {
  const { angle } = state.pending;
  // `Ann <Mill> <ann@mill.example>`: the first brackets are in the name.
  if (angle !== null && isWordInBrackets(angle)) {
    gather(state.pending, `<${angle}>`, `<${angle}>`);
    state.pending.angle = null;
  } else if (angle !== null) flush(state, false);
  let start = open + 1;
  while (start < state.text.length && (state.text.charCodeAt(start) === 0x3c || state.text.charCodeAt(start) <= 0x20))
    start++;
  const close = state.hasNoMoreAngles ? -1 : closingAngle(state, start);
  const inner = close < 0 || state.text.charCodeAt(start) === 0x22 ? -1 : state.text.indexOf("<", start);
  if (inner >= 0 && inner < close) return readOpenAngle(state, start, inner);
  if (close >= 0) {
    state.pending.angle = state.text.slice(start, close);
    return close + 1;
  }
  state.hasNoMoreAngles = true;
  return readUnclosedAngle(state, start);
}

/** `<Ann <ann@mill.example>`: the first bracket opens a name; or `<ann@mill.example, Bo <…>`: it was never closed. */
function readOpenAngle(state: ReadState, start: number, inner: number): number {
  const text = state.text.slice(start, inner);
  if (text.includes("@")) return readUnclosedAngle(state, start);
  gather(state.pending, text, text);
  return inner;
}

function readUnclosedAngle(state: ReadState, start: number): number {
  let end = start;
  while (end < state.text.length && !isListEnd(state.text.charCodeAt(end))) end++;
  state.pending.angle = state.text.slice(start, end);
  return end;
}

function isWordInBrackets(angle: string): boolean {
  return /^[^\0-\x20@"]{1,64}$/.test(angle);
}

/** `,`, `;` or `<` */
function isListEnd(code: number): boolean {
  return code === 0x2c || code === 0x3b || code === 0x3c;
}

/** Offset of the ">"; quotes hide it only when they close before it could matter. */
function closingAngle(state: ReadState, from: number): number {
  const { text } = state;
  if (state.lastClose < from) state.lastClose = text.indexOf(">", from);
  const close = state.lastClose;
  if (close < 0 || text.charCodeAt(from) !== 0x22) return close;
  const quote = closingQuote(text, from + 1);
  return quote > close && text.charCodeAt(quote + 1) === 0x40 ? text.indexOf(">", quote) : close;
}

/** The name of a group ends here, or a colon is part of a mailbox. */
function readColon(state: ReadState, at: number): number {
  if (isGroupName(state, at)) {
    state.isInGroup = true;
    state.pending = emptyPending();
    releaseHeld(state);
    return at + 1;
  }
  const { pending } = state;
  pending.hasColon = true;
  gather(pending, ":", ":");
  return at + 1;
}

/** A name that looks like an address is that of a group only where a semicolon ends the group. */
function isGroupName(state: ReadState, at: number): boolean {
  const { pending } = state;
  if (state.isInGroup || pending.hasColon) return false;
  const name = trimBytes(pending.bare);
  if (pending.angle === null && !pending.hasAt) return name !== "" && name.toLowerCase() !== "mailto";
  return at < state.lastSemicolon;
}

/** `<Ann Reed> ann@mill.example` */
const BRACKETED_NAME = /^[^@/!<>"]{1,200}$/;

function isNameInBrackets({ hasAt }: Pending, angle: string): boolean {
  return hasAt && BRACKETED_NAME.test(angle);
}

/** Ends one mailbox. At a comma, a plain phrase without address is kept for the next one. */
function flush(state: ReadState, isComma: boolean): void {
  const { pending } = state;
  state.pending = emptyPending();
  if (pending.angle !== null && !isNameInBrackets(pending, pending.angle)) {
    addAngle(state, pending, pending.angle);
    return;
  }
  const bare = trimBytes(pending.bare);
  const phrase = collapseBytes(pending.phrase);
  if (bare === "") {
    // Only a comment: a name without address.
    const saysNobody = state.hasGroup && state.addresses.length === 0;
    if (pending.comment !== "" && !saysNobody) pushAddress(state, pending.comment, "");
    return;
  }
  // An "@" inside an encoded word does not make its context an address.
  if (!pending.hasAt && bare.includes("=?") && readEncodedAddress(state, bare)) return;
  releaseHeld(state);
  if (pending.hasAt) pushBare(state, splitBareText(bare), pending.angle ?? pending.comment);
  else if (isUnixAddress(bare, pending.comment)) pushAddress(state, pending.comment, bare);
  else if (isComma && !pending.hasQuotes) state.heldPhrase = phrase;
  else pushAddress(state, phrase, "");
}

/** A comment names only the address before it, not every address of a list without commas. */
function pushBare(state: ReadState, found: readonly Address[], comment: string): void {
  for (const [at, { name, email }] of found.entries())
    pushAddress(state, name === "" && at === found.length - 1 ? comment : name, email);
}

function addAngle(state: ReadState, pending: Pending, angle: string): void {
  const group = bracketedGroup(angle);
  if (group !== null && group.members.length > 0) {
    for (const member of group.members) pushAddress(state, "", bracketedAddress(member));
    return;
  }
  const email = group === null ? bracketedAddress(angle) : "";
  let name = collapseBytes(pending.phrase) || (group?.name ?? "");
  if (state.heldPhrase !== null) {
    if (name === "" || pending.hasQuotes || name.includes("@")) releaseHeld(state);
    else {
      name = `${state.heldPhrase}, ${name}`;
      state.heldPhrase = null;
    }
  }
  if (name === "") name = collapseBytes(pending.comment);
  if (email !== "" || name !== "") pushAddress(state, name, email);
}

/** Adds a pending phrase as a separate name. */
function releaseHeld(state: ReadState): void {
  if (state.heldPhrase === null) return;
  pushAddress(state, state.heldPhrase, "");
  state.heldPhrase = null;
}

/** Broken writers encode name and address as one word; it is read as an address once it is decoded, and never twice. */
function readEncodedAddress(state: ReadState, bare: string): boolean {
  const decoded = decodeHeaderText(bare, state.charset);
  if (!decoded.includes("@")) return false;
  releaseHeld(state);
  if (isEncodedList(decoded)) {
    for (const address of parseAddressList(Buffer.from(decoded, "utf8").toString("latin1")))
      state.addresses.push(address);
    return true;
  }
  const open = decoded.lastIndexOf("<");
  const close = decoded.indexOf(">", open);
  if (open >= 0 && close > open) {
    state.addresses.push({
      name: withoutSingleQuotes(decoded.slice(0, open).replaceAll('"', "").trim()),
      email: decoded.slice(open + 1, close).trim(),
    });
    return true;
  }
  for (const address of splitBareText(decoded)) state.addresses.push(address);
  return true;
}

/** True for several addresses that were encoded as a whole. */
function isEncodedList(decoded: string): boolean {
  return decoded.includes(",") && decoded.indexOf("@") < decoded.lastIndexOf("@") && !decoded.includes("=?");
}

/** Separators of addresses within the brackets or quotes of the last one, and brackets hidden by an encoded word. */
/** Characters without width and direction marks, which are copied with an address. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

const LIST_SIGNS = /^<{1,9}|[;,>]{1,9}$/g;

function pushAddress(state: ReadState, rawName: string, rawEmail: string): void {
  const decodedName = withoutSingleQuotes(decodeHeaderText(rawName, state.charset).trim());
  // Quotes that were encoded with the name.
  const name = rawName.includes("=?") ? decodedName.replace(/^"([^"]*)"$/, "$1") : decodedName;
  const decoded = rawEmail.includes("=?")
    ? decodeHeaderText(rawEmail, state.charset)
    : decodeRawText(rawEmail, state.charset);
  const address = withoutSingleQuotes(decoded.replace(INVISIBLE, "").trim()).replace(LIST_SIGNS, "");
  // Exchange writes a host in place of the members of a hidden group.
  const email = state.isInGroup && address.lastIndexOf("@") === 0 ? "" : address;
  if (name !== "" || email !== "") state.addresses.push({ name, email });
}

import type { Address } from "../../mail/records/address.ts";
import { trimBytes } from "./byte-text.ts";
import { groupAddress, isEndOfGroup, isNotesAddress, notesName } from "./notes-address.ts";

/** Maximum characters of addresses without commas between them: enough for some ten thousand. */
const MAX_BARE_TEXT = 512 * 1024;

const GROUP_OF_NOBODY = /^[^:@]{1,256}:\s{0,9}(?:@[^@]{0,256})?;$/;

/**
 * Addresses written without angle brackets: one (`a@b.c`), one after a name (`Ann a@b.c`), or several with blanks
 * between (`a@b.c d@e.f`). Blanks around "@" and inside a domain are obsolete syntax (RFC 5322 4.4), and are removed.
 */
export function splitBareText(bare: string): readonly Address[] {
  const known = bare.slice(0, MAX_BARE_TEXT);
  const isQuoted = isWhollyQuoted(known);
  const text = isQuoted ? trimBytes(unquoted(known).replace(/[<>]/g, " ")) : known;
  // A group without members, in quotes.
  if (isQuoted && GROUP_OF_NOBODY.test(text)) return [{ name: text, email: "" }];
  if (!/[\t-\r ]/.test(text)) return [{ name: "", email: text }];
  const addresses: Address[] = [];
  let words: string[] = [];
  for (const word of wordsOf(text)) {
    if (word.includes("@")) {
      addresses.push(addressOf(words, word));
      words = [];
    } else words.push(word);
  }
  // Words after the last address are its name when it has none: `a@b.c Ann`.
  const last = addresses.at(-1);
  if (last !== undefined && words.length > 0 && last.name === "") {
    addresses[addresses.length - 1] = { name: unquoted(words.join(" ")), email: last.email };
  }
  return addresses;
}

/** An address after the words of its name, or at the end of a name of Notes that includes them. */
function addressOf(words: readonly string[], word: string): Address {
  const whole = [...words, word].join(" ");
  if (words.length > 0 && isNotesAddress(whole)) return { name: notesName(whole), email: whole };
  const group = words.length > 0 && isEndOfGroup(word) ? groupAddress(whole) : null;
  if (group !== null) return { name: whole.slice(0, whole.indexOf("@")), email: group };
  return { name: unquoted(words.join(" ")), email: word };
}

/** Splits at blanks outside quotes and joins words again at a blank next to "@" or to a dot of a domain. */
function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (const piece of piecesOf(text)) {
    const last = words.at(-1);
    const isJoined =
      last !== undefined &&
      (piece.startsWith("@") ||
        last.endsWith("@") ||
        (last.includes("@") && (piece.startsWith(".") || last.endsWith("."))));
    if (isJoined) words[words.length - 1] = last + piece;
    else words.push(piece);
  }
  return words;
}

function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at <= text.length; at++) {
    const code = at === text.length ? 0x20 : text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) isQuoted = !isQuoted;
    else if (code <= 0x20 && (!isQuoted || at === text.length)) {
      if (at > start) pieces.push(text.slice(start, at));
      start = at + 1;
    }
  }
  if (start < text.length) pieces.push(text.slice(start));
  return pieces;
}

/** `"a@b.c"`: an address some mailers put into quotes; a quoted local part has its "@" after the quote. */
function isWhollyQuoted(text: string): boolean {
  return text.length > 2 && text.startsWith('"') && text.indexOf('"', 1) === text.length - 1;
}

function unquoted(text: string): string {
  return trimBytes(text.replace(/\\(.)/g, "$1").replaceAll('"', ""));
}

/**
 * An address of another system packed into an SMTP one by Exchange: `IMCEA<type>-<encoded>@host` ([MS-OXCMAIL] 2.1.3.1,
 * "IMCEA encapsulation").
 */
export interface EncapsulatedAddress {
  /** `ex`, `notes`, `smtp`, …, lower case. */
  readonly type: string;
  /** Decoded address, lower case. */
  readonly address: string;
  /** The host that packed it, lower case. */
  readonly host: string;
}

/** Longest type name after `IMCEA`; real ones are EX, NOTES, SMTP, INVALID, CCMAIL, FAX, X400. */
const MAX_TYPE_CHARACTERS = 16;

/** Unpacks an address key (lower case) that begins with `imcea`; null when it is no encapsulation. */
export function parseEncapsulatedAddress(key: string): EncapsulatedAddress | null {
  if (!key.startsWith("imcea")) return null;
  const dash = key.indexOf("-");
  const at = key.lastIndexOf("@");
  if (dash < 6 || dash > 5 + MAX_TYPE_CHARACTERS || at < dash + 2) return null;
  return { type: key.slice(5, dash), address: decodeEncapsulation(key.slice(dash + 1, at)), host: key.slice(at + 1) };
}

/** `+XX` is a character by its hexadecimal code, `_` a slash; a `+` without two digits stays. */
function decodeEncapsulation(encoded: string): string {
  let decoded = "";
  for (let at = 0; at < encoded.length; at++) {
    const character = encoded[at]!;
    const digits = encoded.slice(at + 1, at + 3);
    if (character === "+" && /^[0-9a-f]{2}$/i.test(digits)) {
      decoded += String.fromCharCode(Number.parseInt(digits, 16));
      at += 2;
    } else decoded += character === "_" ? "/" : character;
  }
  return decoded.toLowerCase();
}

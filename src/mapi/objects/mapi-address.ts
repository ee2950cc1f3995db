import type { Address } from "../../mail/records/address.ts";
import { isAsciiLetter } from "../../mail/words/ascii.ts";
import { displayedAddress } from "./displayed-address.ts";

/** A MAPI mailbox: a name, and an address: SMTP, X.500 (Exchange), fax, … */
export interface MapiAddress {
  readonly name: string | null;
  readonly email: string | null;
  readonly smtp: string | null;
  readonly entryId: Buffer | null;
}

/** Maximum bytes of a search key that are read: type and address. */
const MAX_KEY_BYTES = 400;
/** A search key is a type and an address in upper case, and NUL. */
const SMTP_KEY = /^SMTP:([^\0]{3,320})\0?$/i;

/** The SMTP address in a search key ([MS-OXOMSG] 2.2.1.56), in lower case; null for other keys. */
export function smtpOfSearchKey(key: Buffer | null): string | null {
  return (
    SMTP_KEY.exec(key?.toString("latin1", 0, MAX_KEY_BYTES) ?? "")?.[1]
      ?.trim()
      .toLowerCase() ?? null
  );
}

/** Provider UID of one-off entry ids ([MS-OXCDATA] 2.2.5.1). */
const ONE_OFF_UID = Buffer.from("812b1fa4bea310199d6e00dd010f5402", "hex");
const ONE_OFF_HEADER = 24;
const UNICODE_FLAG = 0x8000;

/** Provider UID of Exchange address book entries, and the offset of their X.500 name ([MS-OXCDATA] 2.2.5.2). */
const EXCHANGE_UID = Buffer.from("dca740c8c042101ab4b908002b2fe182", "hex");
const EXCHANGE_HEADER = 28;

/** The X.500 name in the entry id of an Exchange address book; null for other entry ids. */
export function x500OfEntryId(entryId: Buffer): string | null {
  if (entryId.length <= EXCHANGE_HEADER || !entryId.subarray(4, 20).equals(EXCHANGE_UID)) return null;
  const name = entryId.toString("latin1", EXCHANGE_HEADER, endOfText(entryId, EXCHANGE_HEADER)).trim();
  return name.startsWith("/") ? name : null;
}

/** X.500 name of a mailbox, from its address or entry id; null if it has none, or an SMTP address. */
export function x500Name({ email, entryId }: MapiAddress): string | null {
  const written = email?.trim() ?? "";
  if (written.startsWith("/")) return written;
  return written.includes("@") || entryId === null ? null : x500OfEntryId(entryId);
}

/** Decodes 8-bit text of an object. */
export type TextDecoder8 = (bytes: Buffer) => string;

const decodeLatin1: TextDecoder8 = (bytes) => bytes.toString("latin1");

/**
 * A one-off entry id contains the address of a recipient outside of address books. @param decode reads its 8-bit texts
 */
export function readOneOff(entryId: Buffer, decode: TextDecoder8 = decodeLatin1): MapiAddress | null {
  if (entryId.length < ONE_OFF_HEADER || !entryId.subarray(4, 20).equals(ONE_OFF_UID)) return null;
  const isUnicode = (entryId.readUInt16LE(22) & UNICODE_FLAG) !== 0;
  const texts: string[] = [];
  let at = ONE_OFF_HEADER;
  while (texts.length < 3 && at < entryId.length) {
    const end = isUnicode ? endOfWideText(entryId, at) : endOfText(entryId, at);
    texts.push(isUnicode ? entryId.toString("utf16le", at, end) : decode(entryId.subarray(at, end)));
    at = end + (isUnicode ? 2 : 1);
  }
  const [name = null, , email = null] = texts;
  return { name, email, smtp: null, entryId: null };
}

function endOfText(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(0, start);
  return end < 0 ? bytes.length : end;
}

function endOfWideText(bytes: Buffer, start: number): number {
  for (let at = start; at + 1 < bytes.length; at += 2) if (bytes[at] === 0 && bytes[at + 1] === 0) return at;
  return bytes.length - ((bytes.length - start) % 2);
}

/** SMTP addresses of X.500 names in lower case. */
export interface X500Directory {
  get(name: string): string | undefined;
}

export const NO_DIRECTORY: X500Directory = { get: () => undefined };

/** Looks up both directories in order. */
export function joinedDirectory(first: X500Directory, second: X500Directory): X500Directory {
  return { get: (name) => first.get(name) ?? second.get(name) };
}

/**
 * The best address of a mailbox: SMTP if the message contains it anywhere, else its own (X.500), else only the name.
 */
export function resolveAddress(mailbox: MapiAddress, directory: X500Directory): Address | null {
  const smtp = ownSmtp(mailbox);
  // The address is nearly always present; the entry id is only parsed if it is missing.
  const oneOff = smtp !== null && mailbox.name !== null ? null : oneOffOf(mailbox);
  // In their own mail, owners of Exchange mailboxes often appear with only an entry id and a name.
  const written = (
    smtp === null ? (x500Name(mailbox) ?? mailbox.email ?? oneOff?.email ?? "") : (mailbox.email ?? "")
  ).trim();
  // Partly resolved recipients have their name as the address, which is neither SMTP nor X.500 and would become a
  // separate contact.
  const isAddress = written.startsWith("/") || isSmtp(written);
  const known = smtp ?? smtpOfOneOff(oneOff) ?? directory.get(written.toLowerCase()) ?? null;
  const name = mailbox.name ?? oneOff?.name ?? written;
  const shown = known === null && name.includes("@") ? displayedAddress(name) : null;
  return shown !== null && shown.email !== "" ? shown : namedAddress(name, known ?? (isAddress ? written : ""));
}

/** An address that needs no trimming and that no program has put into quotes or brackets. */
const PLAIN_ADDRESS = /^[\w.+=-]{1,320}@[\w.-]{1,255}$/;

const QUOTE = /^['"]/;

function namedAddress(name: string, email: string): Address | null {
  if (email === "" && name === "") return null;
  // Most senders without a name have their address in its place.
  if (name === email && PLAIN_ADDRESS.test(name)) return { name: "", email };
  // Outlook shows an address without a name as 'a@example.org', quotes included; such a name has no information.
  const bare = (QUOTE.test(name) ? name.replace(/^(['"])(.*)\1$/s, "$2") : name).trim();
  const shown = name.includes("@") && email !== "" ? displayedAddress(name) : null;
  if (shown !== null && shown.email.toLowerCase() === email.trim().toLowerCase())
    return { ...shown, email: email.trim() };
  return { name: bare === email ? "" : bare, email: email.trim() };
}

function oneOffOf(mailbox: MapiAddress): MapiAddress | null {
  return mailbox.entryId === null ? null : readOneOff(mailbox.entryId);
}

function ownSmtp(mailbox: MapiAddress): string | null {
  if (mailbox.smtp !== null && mailbox.smtp.includes("@")) return mailbox.smtp;
  return mailbox.email !== null && isSmtp(mailbox.email) ? bareSmtp(mailbox.email) : null;
}

/** Some programs write the display name as the address; groups of Notes have addresses with blanks. */
function bareSmtp(email: string): string {
  const isBare = !/[\s<(':]/.test(email) || !/[\s<(']|^(?:smtp|mailto):/i.test(email);
  return isBare ? email : displayedAddress(email).email || email;
}

function smtpOfOneOff(oneOff: MapiAddress | null): string | null {
  return oneOff !== null && oneOff.email !== null && isSmtp(oneOff.email) ? oneOff.email : null;
}

/** The number of a fax address, `Ann@+44 20 7946 0000`. */
const FAX_NUMBER = /@\+?[\d() /-]{3,40}$/;

/** X.500 names may contain an at sign; they begin with a slash. */
function isSmtp(email: string): boolean {
  if (!email.includes("@") || email.startsWith("/")) return false;
  // Nearly all addresses end in a letter.
  return isAsciiLetter(email.charCodeAt(email.length - 1)) || !FAX_NUMBER.test(email);
}

/** True if the mailbox has an X.500 name. */
export function hasX500Name(mailbox: MapiAddress): boolean {
  return x500Name(mailbox) !== null;
}

/** The SMTP addresses that these mailboxes give for X.500 names: the sender may be one of the recipients. */
export function x500Directory(mailboxes: readonly MapiAddress[]): ReadonlyMap<string, string> {
  const directory = new Map<string, string>();
  for (const mailbox of mailboxes) {
    const name = x500Name(mailbox);
    if (name === null) continue;
    const smtp = ownSmtp(mailbox) ?? smtpOfOneOff(oneOffOf(mailbox));
    if (smtp !== null) directory.set(name.toLowerCase(), smtp);
  }
  return directory;
}

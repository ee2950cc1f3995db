import { FULL_STOP } from "../../mail/words/ascii.ts";
import { parseEncapsulatedAddress } from "../../mime/syntax/encapsulated-address.ts";
import { isDirectoryName, parseDirectoryName } from "./directory-name.ts";
import type { Organizations } from "./organization.ts";

/** Kind of an address: internet mailbox, Exchange directory name, Lotus Notes path, name alone, or other. */
type AddressForm = "smtp" | "x500" | "notes" | "name" | "malformed";

/** The normalization that makes two spellings equal. */
export type Respelling = "none" | "quotes" | "tag" | "gmail" | "encapsulated" | "completed" | "name";

export interface NormalAddress {
  readonly form: AddressForm;
  /** Addresses with the same text are one address. */
  readonly text: string;
  readonly respelling: Respelling;
}

/** Maximum length of a parsed address (RFC 5321 4.5.3.1 allows 64 + 1 + 255; directory names are longer). */
const MAX_ADDRESS_CHARACTERS = 2_048;

/**
 * The key under which an address is counted: without outer blanks, compatibility forms unified (NFKC), lower case.
 * @param email addr-spec as written.
 */
export function addressKey(email: string): string {
  for (let at = 0; at < email.length; at++) {
    const code = email.charCodeAt(at);
    if (code > 0x7e || code <= 0x20 || (code >= 0x41 && code <= 0x5a))
      return email.normalize("NFKC").trim().toLowerCase();
  }
  return email;
}

/** Normal form of an address key, with the applied normalization. */
export function normalAddress(key: string, organizations: Organizations): NormalAddress {
  if (key.length > MAX_ADDRESS_CHARACTERS) return { form: "malformed", text: key, respelling: "none" };
  const packed = parseEncapsulatedAddress(key);
  if (packed === null) return normalDirectoryName(key) ?? normalMailbox(key, organizations);
  const inside = packed.address.toLowerCase();
  if (packed.type === "smtp") return { ...normalMailbox(inside, organizations), respelling: "encapsulated" };
  const directory = normalDirectoryName(inside);
  if (directory !== null) return { ...directory, respelling: "encapsulated" };
  if (packed.type === "notes") return { form: "notes", text: inside, respelling: "encapsulated" };
  return { form: "malformed", text: key, respelling: "none" };
}

const TRAILING_MARKS = /(?<![.>'"])[.>'"]+$/;

/** Normalizes a directory name, also in quotes and with an internet domain that a gateway appended. */
function normalDirectoryName(key: string): NormalAddress | null {
  const at = key.indexOf("@");
  const name = unquoted(at < 0 ? key : key.slice(0, at));
  if (!isDirectoryName(name)) return null;
  const form = parseDirectoryName(name) === null ? "malformed" : "x500";
  return { form, text: name, respelling: name === key ? "none" : "quotes" };
}

function normalMailbox(key: string, organizations: Organizations): NormalAddress {
  const at = key.lastIndexOf("@");
  const written = at < 0 ? key : key.slice(0, at);
  if (written.includes("/")) return { form: "notes", text: key, respelling: "none" };
  const bare = at <= 0 ? null : bareMailbox(written, key.slice(at + 1));
  if (bare === null) return { form: "malformed", text: key, respelling: "none" };
  const { local, domain, respelling } = withWholeDomain(asGmailReads(bare), organizations);
  return { form: "smtp", text: `${local}@${domain}`, respelling };
}

/** A mailbox during the removal of misspellings, with the last one found. */
interface Mailbox {
  readonly local: string;
  readonly domain: string;
  readonly respelling: Respelling;
}

/** Without tag, quotes and trailing text; null if nothing remains. */
function bareMailbox(writtenLocal: string, writtenDomain: string): Mailbox | null {
  const plus = writtenLocal.indexOf("+");
  const local = stripQuotes(plus > 0 ? writtenLocal.slice(0, plus) : writtenLocal);
  const domain = writtenDomain.replace(TRAILING_MARKS, "");
  if (local === "" || domain === "" || /[\s<>@,;]/.test(local + domain)) return null;
  if (plus > 0) return { local, domain, respelling: "tag" };
  return { local, domain, respelling: local === writtenLocal && domain === writtenDomain ? "none" : "quotes" };
}

/** Gmail reads local parts without their dots, and has two domains. */
function asGmailReads(mailbox: Mailbox): Mailbox {
  const { local, domain, respelling } = mailbox;
  if (domain !== "googlemail.com" && (domain !== "gmail.com" || !local.includes("."))) return mailbox;
  return {
    local: local.replaceAll(".", ""),
    domain: "gmail.com",
    respelling: respelling === "none" ? "gmail" : respelling,
  };
}

/** A domain of one label, as the organization of that name writes it. */
function withWholeDomain(mailbox: Mailbox, organizations: Organizations): Mailbox {
  const whole = mailbox.domain.includes(".") ? null : organizations.domainOfLabel(mailbox.domain);
  return whole === null ? mailbox : { ...mailbox, domain: whole, respelling: "completed" };
}

/**
 * Drops quotes at the edges of the dotted pieces (`'x'`, `ann'.'doe`), but none inside a name (`o'leary`); then leading
 * and trailing dots.
 */
function stripQuotes(local: string): string {
  const bare = /['"]/.test(local) ? local.split(".").map(unquoted).join(".") : local;
  let start = 0;
  let end = bare.length;
  while (start < end && bare.charCodeAt(start) === FULL_STOP) start++;
  while (end > start && bare.charCodeAt(end - 1) === FULL_STOP) end--;
  return bare.slice(start, end);
}

function unquoted(piece: string): string {
  let start = 0;
  let end = piece.length;
  while (start < end && isQuote(piece.charCodeAt(start))) start++;
  while (end > start && isQuote(piece.charCodeAt(end - 1))) end--;
  return piece.slice(start, end);
}

function isQuote(code: number): boolean {
  return code === 0x22 || code === 0x27;
}

/** Domain of a normal mailbox, or null. */
export function domainOf(address: NormalAddress): string | null {
  return address.form === "smtp" ? address.text.slice(address.text.lastIndexOf("@") + 1) : null;
}

/** Local part of a normal mailbox, or null. */
export function localPartOf(address: NormalAddress): string | null {
  return address.form === "smtp" ? address.text.slice(0, address.text.lastIndexOf("@")) : null;
}

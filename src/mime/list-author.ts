import type { Address } from "../mail/address.ts";
import type { Finding, MessageEnvelope } from "../mail/message.ts";
import { parseAddressList } from "./address-list.ts";
import { firstField, type HeaderBlock } from "./header-block.ts";

/** What a mailing list tells of a message it passed on. */
export interface ListMail {
  /** The address that mail to the list goes to, lower case; null when the message names none. */
  readonly listAddress: string | null;
  /** What stood in From where it was the address of the list and not of the author; empty otherwise. */
  readonly findings: readonly Finding[];
  /** The envelope, with the author in From. */
  readonly envelope: MessageEnvelope;
}

const NO_FINDINGS: readonly Finding[] = [];

/** `Ann Reed via Mill List`: what lists and services write when they send in somebody's name. */
const VIA = /^(.{1,200}?)\s+via\s+\S/i;
/** `Mill List on behalf of Ann Reed`. */
const ON_BEHALF = /\bon behalf of\s+(.{1,200})$/i;
/** Characters of a display name, of an address and of a field that are looked at. */
const MAX_LOOKED_AT = 2_000;
/** Characters of a From that a finding tells. */
const MAX_TOLD = 400;

/**
 * Finds the author of mail whose From is the address of a list: lists write their own there, as DMARC lets nobody else
 * send in the name of another domain. It is whom Reply-To names beside the list, else X-Original-From, else the name in
 * From alone. Other mail stays as it is.
 */
export function readListMail(fields: HeaderBlock, envelope: MessageEnvelope): ListMail {
  const post = postAddress(fields);
  const { from } = envelope;
  const listAddress = post ?? (from !== null && isListId(from.email, fields) ? from.email.toLowerCase() : null);
  if (from === null || from.email === "") return { listAddress, findings: NO_FINDINGS, envelope };
  const isListAddress = listAddress !== null && sameAddress(from.email, listAddress);
  const name = from.name.slice(0, MAX_LOOKED_AT);
  const marked = unquoted(VIA.exec(name)?.[1] ?? ON_BEHALF.exec(name)?.[1] ?? "");
  if (!isListAddress && marked === "") return { listAddress, findings: NO_FINDINGS, envelope };
  const author = authorBeside(fields, envelope, listAddress) ?? (marked === "" ? null : { name: marked, email: "" });
  if (author === null) return { listAddress, findings: NO_FINDINGS, envelope };
  const named = author.name === "" ? { name: marked, email: author.email } : author;
  return { listAddress, findings: [listFinding(from)], envelope: { ...envelope, from: named } };
}

/** Tells what stood in From, as the envelope has the author there. */
function listFinding({ name, email }: Address): Finding {
  const text = `${name} <${email}>`.trim().slice(0, MAX_TOLD);
  return { code: "from-of-list", message: `From was ${text}; the author was read from other fields` };
}

/** `<mailto:list@host>` of List-Post (RFC 2369); "NO" and web pages are no addresses. */
function postAddress(fields: HeaderBlock): string | null {
  const field = firstField(fields, "list-post").slice(0, MAX_LOOKED_AT);
  const start = field.search(/mailto:/i);
  if (start < 0) return null;
  const address = /^[^\s<>?,]{1,320}/.exec(field.slice(start + "mailto:".length))?.[0] ?? "";
  return address.includes("@") ? address.toLowerCase() : null;
}

/** List-Id is the address with a dot for its `@` (RFC 2919): `<list.host>`. */
function isListId(email: string, fields: HeaderBlock): boolean {
  const field = firstField(fields, "list-id").slice(0, MAX_LOOKED_AT);
  const close = field.lastIndexOf(">");
  const id = close < 0 ? field : field.slice(field.lastIndexOf("<", close) + 1, close);
  return id !== "" && id.trim().toLowerCase() === email.toLowerCase().replace("@", ".");
}

/** The first person that Reply-To names beside the list and whoever From is, else that of X-Original-From. */
function authorBeside(
  fields: HeaderBlock,
  { from, replyTo }: MessageEnvelope,
  listAddress: string | null,
): Address | null {
  const isPerson = ({ email }: Address): boolean =>
    email.includes("@") &&
    !sameAddress(email, from!.email) &&
    (listAddress === null || !sameAddress(email, listAddress));
  const answered = replyTo.find(isPerson);
  if (answered !== undefined) return answered;
  const original = firstField(fields, "x-original-from").slice(0, MAX_LOOKED_AT);
  return original === "" ? null : (parseAddressList(original).find(isPerson) ?? null);
}

function sameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Google Groups puts the name into quotes: `'Ann Reed' via Mill`. */
function unquoted(name: string): string {
  return name.trim().replace(/^(['"])(.*)\1$/, "$2");
}

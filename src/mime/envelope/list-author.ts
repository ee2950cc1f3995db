import type { Address } from "../../mail/records/address.ts";
import type { Finding, MessageEnvelope } from "../../mail/records/message.ts";
import { parseAddressList } from "../syntax/address-list.ts";
import { firstField, type HeaderBlock } from "../syntax/header-block.ts";

/** Author and findings of a message that a mailing list forwarded. */
export interface ListMail {
  /** Post address of the list, lower case; or null. */
  readonly listAddress: string | null;
  /** The original From value if it was the address of the list; otherwise empty. */
  readonly findings: readonly Finding[];
  /** The envelope, with the author in From. */
  readonly envelope: MessageEnvelope;
}

const NO_FINDINGS: readonly Finding[] = [];

/** `Ann Reed via Mill List`: form of lists and services that send on behalf of people. */
const VIA = /^(.{1,200}?)\s+via\s+\S/i;
/** `Mill List on behalf of Ann Reed`. */
const ON_BEHALF = /\bon behalf of\s+(.{1,200})$/i;
/** `[Weavers] looms`, `Re: [weavers] looms`: the prefix of a list, possibly after reply marks. */
const SUBJECT_MARK = /^\s{0,8}(?:[a-z]{2,4}:\s{0,8}){0,4}\[([\w.+-]{1,64})\]/i;
/** Maximum characters of a display name, an address and a field. */
const MAX_LOOKED_AT = 2_000;
/** Longest From value in a finding, in characters. */
const MAX_AUTHOR_CHARACTERS = 400;

/**
 * Finds the author of mail whose From is the address of a list. Lists write their own address because of DMARC, which
 * rejects mail sent by others than the domain owner. The author is the Reply-To address other than the list, otherwise
 * X-Original-From, X-Original-Sender, the Cc address with the same name as From, the address in the display name of From,
 * the submitter, or the name in the display name. Returns other mail unchanged.
 */
export function readListMail(fields: HeaderBlock, envelope: MessageEnvelope): ListMail {
  const { from } = envelope;
  if (from === null) return withoutFrom(fields, envelope);
  const bare = isBareList(fields, envelope, from);
  const listId = idOfList(fields);
  const listAddress = postAddress(fields) ?? (bare || isListId(from.email, listId) ? from.email.toLowerCase() : null);
  const asFound = { listAddress, findings: NO_FINDINGS, envelope };
  if (from.email === "") return asFound;
  const rewritten = rewrittenAuthor(from, listAddress, listId);
  if (rewritten !== null)
    return { listAddress, findings: [listFinding(from)], envelope: { ...envelope, from: rewritten } };
  const isOfList = listAddress !== null && sameAddress(from.email, listAddress);
  const marked = markedAuthor(from.name.slice(0, MAX_LOOKED_AT), {
    bare,
    isOfList: isOfList && !sameAddress(from.name, from.email),
  });
  if (marked === "" && !isOfList) return asFound;
  const author = authorOf(fields, envelope, { listAddress, listId, marked });
  if (author === null) return asFound;
  const named = author.name === "" && !marked.includes("@") ? { name: marked, email: author.email } : author;
  return { listAddress, findings: [listFinding(from)], envelope: { ...envelope, from: named } };
}

/** What is known of a list and its author; `marked` is from `markedAuthor`. */
interface ListTrace {
  readonly listAddress: string | null;
  readonly listId: string;
  readonly marked: string;
}

function authorOf(fields: HeaderBlock, envelope: MessageEnvelope, trace: ListTrace): Address | null {
  const named = authorBeside(fields, envelope, trace) ?? markedIn(trace.marked, envelope.cc);
  return named !== null && named.email !== "" ? named : (submitter(fields, envelope.from, trace) ?? named);
}

/** The author of mail whose From an export dropped: the original author that the list recorded, or the submitter. */
function withoutFrom(fields: HeaderBlock, envelope: MessageEnvelope): ListMail {
  const listAddress = postAddress(fields);
  const original = firstOf(fields, ORIGINAL_AUTHORS, ({ email }) => email.includes("@"));
  const from = original ?? submitter(fields, null, { listAddress, listId: idOfList(fields) });
  if (from === null) return { listAddress, findings: NO_FINDINGS, envelope };
  const message = "From is missing; the author was read from other fields";
  return { listAddress, findings: [{ code: "from-of-list", message }], envelope: { ...envelope, from } };
}

/**
 * Fields that record who submitted a message: Gmail, Yahoo, Yahoo Groups, Mailman 3, and relays and programs before
 * them.
 */
const SUBMITTERS = [
  "x-google-original-from",
  "x-apparently-from",
  "x-egroups-from",
  "x-mailfrom",
  "x-envelope-from",
  "x-envelope-sender",
  "x-sender",
] as const;
/** The first part of an address of a program or list: `weavers-bounces`, `noreply`, and each recipient's own address. */
const OF_PROGRAM =
  /=|(?:^|[-_.+])(?:bounces?|owner|request|admin|no-?reply|do-?not-?reply|returns?|errors?|daemon|postmaster)(?:$|[-_.+])/i;

/** Who submitted a message to a list, if a field names a person. */
function submitter(
  fields: HeaderBlock,
  from: Address | null,
  { listAddress, listId }: Pick<ListTrace, "listAddress" | "listId">,
): Address | null {
  const isPerson = ({ email }: Address): boolean =>
    isOther(email, from, listAddress, listId) && !OF_PROGRAM.test(email.slice(0, email.lastIndexOf("@")));
  return firstOf(fields, SUBMITTERS, isPerson);
}

/** `ann@mill.example.INVALID`: the address of an author, made invalid by Apache lists to avoid DMARC checks. */
const INVALID = /\.invalid$/i;
/** `ann=mill.example@groups.io`: the same at the host of the list. */
const AT_LIST = /^([^\s@=]{1,64})=([^\s@=]{1,255}\.[a-z]{2,63})@([^\s@]{1,255})$/i;
/** `Ann Reed ann@mill.example [mill]`: the name of an author, as Yahoo's groups wrote it. */
const NAME_OF_GROUP = /^(.{1,200}?)\s([^\s@<>]{1,64}@[^\s@<>[\]]{1,255})\s\[([\w.+-]{1,64})\]$/;

/** The author whose address a list has rewritten, but not replaced; null otherwise. */
function rewrittenAuthor({ name, email }: Address, listAddress: string | null, listId: string): Address | null {
  const [, author, address, group] = (name.endsWith("]") && NAME_OF_GROUP.exec(name)) || [];
  const isListed = listAddress !== null || listId !== "";
  if (author !== undefined && (isListed || sameAddress(group!, email.slice(0, email.indexOf("@")))))
    return { name: author.trim(), email: address! };
  if (!isListed) return null;
  if (INVALID.test(email)) return { name, email: email.replace(INVALID, "") };
  const [, local, domain, host] = AT_LIST.exec(email) ?? [];
  if (host === undefined || ![listAddress, listId].some((list) => isHostOf(host.toLowerCase(), list))) return null;
  const shown = VIA.exec(name.slice(0, MAX_LOOKED_AT))?.[1] ?? name;
  return { name: unquoted(shown), email: `${local}@${domain}` };
}

/** True if a list address or id ends in a host. */
function isHostOf(host: string, list: string | null): boolean {
  return list !== null && (list === host || list.endsWith(`@${host}`) || list.endsWith(`.${host}`));
}

/**
 * The author named in a display name together with the list; "" if there is none. @param how bare: see `isBareList`;
 * isOfList: the address is that of the list and the name differs
 */
function markedAuthor(name: string, how: { readonly bare: boolean; readonly isOfList: boolean }): string {
  const quotedName = VIA.exec(name)?.[1] ?? ON_BEHALF.exec(name)?.[1];
  if (quotedName !== undefined) return unquoted(quotedName);
  if (how.isOfList && ADDRESS_AS_NAME.test(name)) return name;
  return how.bare && isPersonal(name) ? name : "";
}

/** `ann@mill.example`: an address as the display name. */
const ADDRESS_AS_NAME = /^[^\s@<>()",;:]{1,64}@[^\s@<>()",;:]{1,255}$/;

/**
 * The author if only a name is known. Lists with replies to the list put the author into Cc. @param marked from
 * `markedAuthor`
 */
function markedIn(marked: string, cc: readonly Address[]): Address | null {
  if (marked === "") return null;
  if (ADDRESS_AS_NAME.test(marked)) return { name: "", email: marked };
  const name = marked.toLowerCase();
  return cc.find((one) => one.email !== "" && one.name.toLowerCase() === name) ?? { name: marked, email: "" };
}

/** A finding with the original From value, which the author replaces in the envelope. */
function listFinding({ name, email }: Address): Finding {
  const text = `${name} <${email}>`.trim().slice(0, MAX_AUTHOR_CHARACTERS);
  return { code: "from-of-list", message: `From was ${text}; the author was read from other fields` };
}

/** `<mailto:list@host>` of List-Post (RFC 2369); "NO" and web pages are not addresses. */
function postAddress(fields: HeaderBlock): string | null {
  const field = firstField(fields, "list-post").slice(0, MAX_LOOKED_AT);
  const start = field.search(/mailto:/i);
  if (start < 0) return null;
  const address = /^[^\s<>?,]{1,320}/.exec(field.slice(start + "mailto:".length))?.[0] ?? "";
  return address.includes("@") ? address.toLowerCase() : null;
}

/** List-Id is the address with a dot for its `@` (RFC 2919): `<list.host>`. */
function isListId(email: string, id: string): boolean {
  return id !== "" && id === email.toLowerCase().replace("@", ".");
}

/** The id in List-Id, lower case; "" if there is none. */
function idOfList(fields: HeaderBlock): string {
  const whole = firstField(fields, "list-id");
  if (whole === "") return "";
  const field = whole.slice(0, MAX_LOOKED_AT);
  const close = field.lastIndexOf(">");
  const id = close < 0 ? field : field.slice(field.lastIndexOf("<", close) + 1, close);
  return id.trim().toLowerCase();
}

/**
 * True for mail of a public archive without any trace of the list: no list fields, and no recipients. Its subject is
 * marked with the local part of the address in From (`weavers at lists.example (Ann Reed)`, in months of Pipermail), so
 * that the name there is all that is known of the author.
 */
function isBareList(fields: HeaderBlock, { to, cc, subject }: MessageEnvelope, { name, email }: Address): boolean {
  if (to.length > 0 || cc.length > 0 || firstField(fields, "list-post") !== "" || firstField(fields, "list-id") !== "")
    return false;
  const mark = SUBJECT_MARK.exec(subject)?.[1]?.toLowerCase();
  const at = email.indexOf("@");
  return mark !== undefined && mark === email.slice(0, Math.max(0, at)).toLowerCase() && mark !== name.toLowerCase();
}

/** False for an address instead of a name, even an obfuscated one. */
function isPersonal(name: string): boolean {
  return !name.includes("@") && !/^\S{1,64} at \S{1,255}$/.test(name);
}

/** Fields in which lists and Google Groups store the original From. */
const ORIGINAL_AUTHORS = ["x-original-from", "x-original-sender"] as const;

/**
 * The first person in Reply-To other than the list and the From address, else the original author. Services that send
 * on behalf of people put themselves there.
 */
function authorBeside(
  fields: HeaderBlock,
  { from, replyTo }: MessageEnvelope,
  { listAddress, listId, marked }: ListTrace,
): Address | null {
  const isPerson = ({ email }: Address): boolean => isOther(email, from, listAddress, listId);
  const answered = replyTo.find((one) => isPerson(one) && mayBeSame(one.name, marked));
  return answered ?? firstOf(fields, ORIGINAL_AUTHORS, isPerson);
}

/** True for an address other than that of From and of the list. */
function isOther(email: string, from: Address | null, listAddress: string | null, listId: string): boolean {
  return (
    email.includes("@") &&
    (from === null || !sameAddress(email, from.email)) &&
    (listAddress === null || !sameAddress(email, listAddress)) &&
    !isListId(email, listId)
  );
}

/** The first address of a person in the fields of these names. */
function firstOf(
  fields: HeaderBlock,
  names: readonly string[],
  isPerson: (address: Address) => boolean,
): Address | null {
  for (const name of names) {
    const field = firstField(fields, name).slice(0, MAX_LOOKED_AT);
    const found = field === "" ? undefined : parseAddressList(field).find(isPerson);
    if (found !== undefined) return found;
  }
  return null;
}

/** False for two names without a common word. */
function mayBeSame(one: string, other: string): boolean {
  const words = wordsOf(one);
  const others = wordsOf(other);
  return words.length === 0 || others.length === 0 || words.some((word) => others.includes(word));
}

/** Words of a name that is not an address. */
function wordsOf(name: string): readonly string[] {
  return name.includes("@") ? [] : (name.toLowerCase().match(/[\p{L}\p{N}]{2,64}/gu) ?? []);
}

function sameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Google Groups puts the name into quotes: `'Ann Reed' via Mill`. */
function unquoted(name: string): string {
  return name.trim().replace(/^(['"])(.*)\1$/, "$2");
}

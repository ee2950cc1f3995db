import { type BodyParts, splitBody } from "./split-body.ts";

/** Maximum at signs of a message that are examined, and addresses that are found. */
const MAX_EXAMINED = 40;
const MAX_FOUND = 3;
/** Characters before an address that say whose it is. */
const REACH = 70;
/** Letters of a word of the author's name that an address repeats. */
const NAME_LETTERS = 4;
/** Starts of most older messages: what follows is not read. */
const OLDER_MAIL = ["-----Original Message", " Forwarded by ", "\nFrom:"];
/** Quoted lines and header fields. */
const NOT_OWN = /^\s*(?:>|(?:from|to|cc|bcc|von|an|de|para|reply-to):)/i;
const LOCAL_PART = /(?:^|[\s<(:;,"'[])([\w.+-]{1,64})$/;
const DOMAIN = /^@((?:[a-z\d-]{1,63}\.){1,5}[a-z]{2,24})(?![\w@-])/i;
/** `my new address is …`, `reach me at …`, in nine languages. */
const OWNER =
  /(?<!\p{L})(?:me|my|mir|mich|mein|meine|meiner|moi|mon|mijn|mij|mi|min|mig)(?!\p{L})(?![\s\S]*(?:[.!?]\s|[^:\s]\s*\n\s*\n))/iu;

interface Author {
  readonly name: string;
  readonly email: string;
}

/**
 * Other addresses that the author of a message gives as their own, in lower case: after `my` or `me` in a sentence, or
 * in the signature if it repeats a word of the author's name. Never throws.
 */
export function ownAddressesIn(body: string, author: Author): readonly string[] {
  const found: string[] = [];
  let parts: BodyParts | null = null;
  for (const at of atSigns(body)) {
    const address = addressAt(body, at);
    if (address === null || address === author.email.toLowerCase() || found.includes(address)) continue;
    const isSaid = OWNER.test(body.slice(Math.max(0, at - REACH), at));
    if (!isSaid && !repeatsName(address, author)) continue;
    parts ??= splitBody(body, `${author.name} <${author.email}>`);
    const kind = parts.find(({ end }) => at < end)?.kind;
    if (kind === "signature" || (kind === "own" && isSaid)) found.push(address);
    if (found.length === MAX_FOUND) break;
  }
  return found;
}

/** The first at signs above older mail, which is searched for no further than needed. */
function* atSigns(body: string): Generator<number> {
  let last = 0;
  for (let count = 0; count < MAX_EXAMINED; count++) {
    const at = body.indexOf("@", last + 1);
    if (at < 0) return;
    const passed = body.slice(last, at);
    if (OLDER_MAIL.some((mark) => passed.includes(mark))) return;
    yield at;
    last = at;
  }
}

/** The address around an at sign, in lower case; null in a quotation or a header field. */
function addressAt(body: string, at: number): string | null {
  const before = body.slice(Math.max(0, at - REACH), at);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if (NOT_OWN.test(line)) return null;
  const local = LOCAL_PART.exec(line)?.[1];
  const domain = local === undefined ? undefined : DOMAIN.exec(body.slice(at, at + 256))?.[1];
  return domain === undefined ? null : `${local}@${domain}`.toLowerCase();
}

/** True for a local part with the beginning of a word of the author's name or address. */
function repeatsName(address: string, { name, email }: Author): boolean {
  const local = address.slice(0, address.indexOf("@"));
  const words = `${name} ${email.slice(0, email.indexOf("@"))}`.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return words.some((word) => local.includes(word.slice(0, NAME_LETTERS)));
}

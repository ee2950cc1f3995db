import { addressKey } from "./addresses/address-form.ts";
import { bareDisplayName, foldName, parsePersonName } from "./names/person-name.ts";

/** Whom a text names, in a form that the same person has in other texts. */
interface AuthorKey {
  /** Family name and first letter of the given name of a full name, else the folded text; "" for none. */
  readonly name: string;
  /** `addressKey`; "" for none. */
  readonly address: string;
}

/** Longest text accepted as a name: longer ones were entered in the wrong field. */
const MAX_NAME_CHARACTERS = 160;
/** Words between the address of the sender and the author; headers of quoted mail contain them unchanged. */
const ON_BEHALF = /\bon behalf of\b/i;

/**
 * The key of a display name; "" if it identifies nobody. Short forms of a given name usually have the same initial
 * (`Jim`, `James`).
 */
export function authorName(displayName: string): string {
  const text = displayName.slice(0, MAX_NAME_CHARACTERS);
  const name = parsePersonName(text);
  return name === null ? foldName(bareDisplayName(text)) : `${name.family} ${name.given.charAt(0)}`;
}

/**
 * Reads an author as headers of quoted mails write one: `Ann Example <ann@x.example>`, `Example, Ann
 * [mailto:ann@x.example]`, `Ann Example@ORG`.
 */
export function authorKey(text: string): AuthorKey {
  const behalf = text.search(ON_BEHALF);
  const author = (behalf < 0 ? text : text.slice(behalf).replace(ON_BEHALF, "")).trim();
  const address = addressWithin(author);
  if (address === null) return { name: authorName(author), address: "" };
  const before = author.slice(0, address.start).replace(/(?:[[(<"']|mailto:|smtp:|\s)+$/i, "");
  return { name: authorName(before), address: addressKey(address.text) };
}

/** Finds the first address whose domain has two labels. `Ann Example@ORG` does not match. */
function addressWithin(text: string): { readonly start: number; readonly text: string } | null {
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    let start = at;
    while (start > 0 && isAddressCharacter(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (end < text.length && isAddressCharacter(text.charCodeAt(end))) end++;
    const domain = text.slice(at + 1, end);
    if (start < at && domain.indexOf(".") > 0 && !domain.endsWith(".")) return { start, text: text.slice(start, end) };
  }
  return null;
}

/** Any character except blanks and delimiters of addresses in text. */
function isAddressCharacter(code: number): boolean {
  return code > 0x20 && !BRACKETS.has(code);
}

const BRACKETS: ReadonlySet<number> = new Set([..."<>[](),;:\"'@"].map((character) => character.charCodeAt(0)));

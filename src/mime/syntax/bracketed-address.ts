import { collapseBytes, trimBytes, withoutBlanks } from "./byte-text.ts";
import { isNotesAddress } from "./notes-address.ts";

/** Longest name of a group between angle brackets. */
const MAX_GROUP_NAME = 256;
const BRACKETED_GROUP = new RegExp(`^([^"@:]{1,${MAX_GROUP_NAME}}):(?:([^"]*);)?\\s*$`);

/** A group inside angle brackets, as written by programs without support for groups; null for an address. */
export function bracketedGroup(angle: string): { readonly name: string; readonly members: readonly string[] } | null {
  const match = angle.includes(":") ? BRACKETED_GROUP.exec(angle) : null;
  if (match === null) return null;
  const members = (match[2] ?? "").split(",").filter((member) => trimBytes(member).lastIndexOf("@") > 0);
  return { name: trimBytes(match[1]!), members };
}

/** Prefix of an Exchange directory name, whose organization and units may have several words. */
const DIRECTORY_NAME = /^ ?\/(?:o|cn)=/i;

/** `<"a@b.c">`; in a quoted local part, the "@" follows the quotes. */
const QUOTED_ADDRESS = /^"([^"@\s]{1,256}@[^"\s]{1,256})"$/;

/** Text between angle brackets without route (RFC 5322 4.4), comments, blanks and the quotes some mailers add. */
export function bracketedAddress(angle: string): string {
  let text = angle.includes("(") ? angle.replace(/\([^()]*\)/g, "") : angle;
  if (text.startsWith("@")) {
    const colon = text.indexOf(":");
    if (colon > 0) text = text.slice(colon + 1);
  }
  if (text.startsWith('"')) return withoutSingleQuotes(trimBytes(text).replace(QUOTED_ADDRESS, "$1"));
  const spaced = text.includes("/") ? collapseBytes(text).replace(/ ?@ ?/, "@") : "";
  const hasBlanks = isNotesAddress(spaced) || DIRECTORY_NAME.test(spaced);
  return withoutSingleQuotes(hasBlanks ? spaced : withoutBlanks(text));
}

export function withoutSingleQuotes(text: string): string {
  const trimmed = trimBytes(text);
  return trimmed.length > 2 && trimmed.startsWith("'") && trimmed.endsWith("'")
    ? trimBytes(trimmed.slice(1, -1))
    : trimmed;
}

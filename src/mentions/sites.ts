import { wordSet } from "../mail/words/word-table.ts";

/** The host of an address with a scheme or `www.`; bounded by the 253 characters of a host name. */
const HOST = /\b(?:https?:\/\/(?:[^\s@/<>"]{1,64}@)?|www\.)([\w.-]{1,253})/gi;

/** Labels under which countries register names, as in `kai.co.uk`. */
const SECOND_LEVEL = wordSet("ac co com edu gob gov go gv ltd me mil ne net nhs nom or org plc sch");

/** Sites that a text links to: the part of the host that its owner registered. */
export function* sites(text: string): Generator<string> {
  for (const [, host] of text.matchAll(HOST)) {
    const site = registered(
      host!
        .toLowerCase()
        .replace(/[.-]+$/, "")
        .split("."),
    );
    if (site !== null) yield site;
  }
}

function registered(labels: readonly string[]): string | null {
  const top = labels.at(-1) ?? "";
  if (labels.length < 2 || !/^[a-z]{2,24}$/.test(top) || labels.includes("")) return null;
  const size = top.length === 2 && labels.length > 2 && SECOND_LEVEL.has(labels.at(-2)!) ? 3 : 2;
  return labels.slice(-size).join(".");
}

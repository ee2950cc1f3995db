import { parse } from "tldts";

/** The host of an address with a scheme or `www.`; bounded by the 253 characters of a host name. */
const HOST = /\b(?:https?:\/\/(?:[^\s@/<>"]{1,64}@)?|www\.)([\w.-]{1,253})/gi;

/** Sites that a text links to: registrable domains by the Public Suffix List. */
export function* sites(text: string): Generator<string> {
  for (const [, host] of text.matchAll(HOST)) {
    const { domain, isIcann } = parse(host!.replace(/[.-]+$/, "").toLowerCase());
    if (domain !== null && isIcann === true) yield domain;
  }
}

import { registrableDomain } from "../contacts/addresses/organization.ts";

/** The host of an address with a scheme or `www.`; bounded by the 253 characters of a host name. */
const HOST = /\b(?:https?:\/\/(?:[^\s@/<>"]{1,64}@)?|www\.)([\w.-]{1,253})/gi;

/** Labels, of which the last is alphabetic. */
const NAMED_HOST = /^(?:[\w-]{1,63}\.){1,20}[a-z]{2,24}$/;

/** Sites that a text links to: the part of the host that its owner registered. */
export function* sites(text: string): Generator<string> {
  for (const [, host] of text.matchAll(HOST)) {
    const site = host!.toLowerCase().replace(/[.-]+$/, "");
    if (NAMED_HOST.test(site)) yield registrableDomain(site);
  }
}

import { registrableDomain } from "../contacts/addresses/organization.ts";
import { matchesOf } from "./matches.ts";

/** The host of an address with a scheme or `www.`; bounded by the 253 characters of a host name. */
const HOST = /\b(?:https?:\/\/(?:[^\s@/<>"]{1,64}@)?|www\.)([\w.-]{1,253})/gi;

/** Labels, of which the last is alphabetic. */
const NAMED_HOST = /^(?:[\w-]{1,63}\.){1,20}[a-z]{2,24}$/;

/** Sites that a text links to: the part of the host that its owner registered. */
export function sites(text: string): readonly string[] {
  return matchesOf(HOST, text).flatMap(([, host]) => {
    const site = host!.toLowerCase().replace(/[.-]+$/, "");
    return NAMED_HOST.test(site) ? registrableDomain(site) : [];
  });
}

import { registrableDomain } from "../contacts/addresses/organization.ts";
import { matchesOf } from "./matches.ts";

/** The host of an address with a scheme or `www.`; bounded by the 253 characters of a host name. */
const HOST = /\b(?:https?:\/\/(?:[^\s@/<>"]{1,64}@)?|www\.)([\w.-]{1,253})/gi;

/** Labels, of which the last is alphabetic. */
const NAMED_HOST = /^(?:[\w-]{1,63}\.){1,20}[a-z]{2,24}$/;

/** Quick check: most texts have no links. */
const LINK = /:\/\/|[wW]{3}\./;
/** Sites by host, null for other names: mail repeats them. */
const MAX_KNOWN = 4096;
const known = new Map<string, string | null>();

/** Sites that a text links to: the part of the host that its owner registered. */
export function sites(text: string): readonly string[] {
  return LINK.test(text) ? matchesOf(HOST, text).flatMap(([, host]) => siteOf(host!) ?? []) : [];
}

function siteOf(host: string): string | null {
  let site = known.get(host);
  if (site !== undefined) return site;
  const name = host.toLowerCase().replace(/[.-]+$/, "");
  site = NAMED_HOST.test(name) ? registrableDomain(name) : null;
  if (known.size === MAX_KNOWN) known.clear();
  // A copy: a part of a text keeps all of it in memory.
  known.set(Buffer.from(host).toString(), site);
  return site;
}

import { matchesOf } from "./matches.ts";

/** Words that announce the number of a document, case, order or shipment, with the form it is shown in. */
const CUES =
  "invoice|case|docket|ticket|order|tracking|contract|deal|claim|account|acct|confirmation|purchase order|policy|reference|ref|request|job|po";
/** A cue followed by a number, with a sign or word between them that confirms it. */
const CUED = new RegExp(
  `\\b(${CUES})(?: (?:id|number|num|no)\\b\\.?|(?: ?#)|(?:\\.? nos?\\.))(?: ?[:#]? ?|[ \\t]{1,20}: ?)([A-Z0-9][A-Z0-9/.-]{2,30}[A-Z0-9])(?![\\w@])`,
  "gi",
);
/** Tracking numbers of UPS. */
const UPS = /\b1Z[0-9A-Z]{16}\b/g;
const MIN_DIGITS = 3;
/** Quick check: text without announced numbers lacks these. */
const ANNOUNCING =
  /(?:#| [Ii][Dd]| [Nn][Uu][Mm](?:[Bb][Ee][Rr])?| [Nn][Oo][Ss]?)\.?(?: ?[:#]? ?|[ \t]{1,20}: ?)[A-Za-z0-9][A-Za-z0-9/.-]{0,30}\d/;

const SHORT: Readonly<Record<string, string>> = { acct: "account", ref: "reference", po: "purchase order" };

/** Numbers of documents, cases, orders and shipments as `invoice 2001-77`. */
export function references(text: string): readonly string[] {
  const found: string[] = [];
  for (const [, cue, number] of ANNOUNCING.test(text) ? matchesOf(CUED, text) : []) {
    if (number!.replaceAll(/\D/g, "").length < MIN_DIGITS) continue;
    const word = cue!.toLowerCase();
    found.push(`${SHORT[word] ?? word} ${number!.toUpperCase()}`);
  }
  if (text.includes("1Z")) for (const [number] of matchesOf(UPS, text)) found.push(`tracking ${number}`);
  return found;
}

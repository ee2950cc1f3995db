import { matchIban } from "../redaction/iban.ts";
import { matchesOf } from "./matches.ts";

const BEGINNING = /\b[A-Z]{2}(?=\d{2})/g;

/** IBANs of a text without blanks, with a valid checksum (ISO 7064, MOD 97-10). */
export function ibans(text: string): readonly string[] {
  const found: string[] = [];
  let floor = 0;
  for (const { index } of matchesOf(BEGINNING, text)) {
    const span = index < floor ? null : matchIban(text, index, floor);
    if (span === null) continue;
    floor = span.end;
    const iban = text.slice(span.start, span.end).replaceAll(/[^0-9A-Za-z]/g, "");
    found.push(iban.toUpperCase());
  }
  return found;
}

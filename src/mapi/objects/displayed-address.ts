import type { Address } from "../../mail/records/address.ts";

/** A plain internet address without blanks and separators. */
const ADDRESS = /^[^\s@<>()[\],;:"]{1,320}@[^\s@<>()[\],;:"]{1,255}$/;
const OPENING: Readonly<Record<string, string>> = { ")": "(", ">": "<", "]": "[" };
const SCHEME = /^(?:mailto|smtp):/i;

/**
 * A mailbox as Outlook shows it: a name, an address, or both as `Kim (kim@x.example)` or `Kim <kim@x.example>`, with or
 * without quotes. The address is "" if none is shown.
 */
export function displayedAddress(shown: string): Address {
  const text = withoutQuotes(shown);
  const whole = text.replace(SCHEME, "");
  if (ADDRESS.test(whole)) return { name: "", email: whole };
  const opening = OPENING[text.slice(-1)];
  const at = opening === undefined ? -1 : text.lastIndexOf(opening);
  const email =
    at < 0
      ? ""
      : text
          .slice(at + 1, -1)
          .trim()
          .replace(SCHEME, "");
  if (!ADDRESS.test(email)) return { name: text, email: "" };
  const name = withoutQuotes(text.slice(0, at));
  return { name: name.toLowerCase() === email.toLowerCase() ? "" : name, email };
}

/** Outlook shows an address without a name as 'a@example.org', quotes included. */
function withoutQuotes(shown: string): string {
  const text = shown.trim();
  const quote = text[0];
  return text.length > 1 && (quote === "'" || quote === '"') && text.endsWith(quote) ? text.slice(1, -1).trim() : text;
}

/** Maximum names read of one list; lists of companies reach tens of thousands. */
const MAX_NAMES = 50_000;

/** Names as Outlook displays them in one text. */
export function displayedNames(text: string | null): readonly string[] {
  if (text === null) return [];
  const names = text.split(";", MAX_NAMES).map((name) => name.trim());
  return names.filter((name) => name !== "");
}

export function displayedAddresses(text: string | null): readonly Address[] {
  return displayedNames(text).map(displayedAddress);
}

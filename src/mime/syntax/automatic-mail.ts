import { firstField, type HeaderBlock } from "./header-block.ts";

const AUTOMATIC_PRECEDENCE: ReadonlySet<string> = new Set(["bulk", "list", "junk"]);

/** True for mail that no person sent: RFC 3834 section 5; the Precedence of old mailers; RFC 2919. */
export function isAutomatic(headers: HeaderBlock): boolean {
  const submitted = firstField(headers, "auto-submitted");
  if (submitted !== "" && firstWord(submitted) !== "no") return true;
  return (
    AUTOMATIC_PRECEDENCE.has(firstWord(firstField(headers, "precedence"))) || firstField(headers, "list-id") !== ""
  );
}

function firstWord(field: string): string {
  return field.split(/[\s;(]/, 1)[0]!.toLowerCase();
}

import { existsSync } from "node:fs";
import { ArchiveError } from "../errors.ts";
import { PII_TYPES, type PiiType } from "../mail/provenance.ts";

/** Flags that every command takes which has mail extracted. */

/** A count of 1 or more. Throws INVALID_ARGUMENT, naming the flag. */
export function wholeNumber(flag: string, text: string): number {
  const number = Number(text);
  if (!/^\d{1,15}$/.test(text) || number < 1)
    throw new ArchiveError("INVALID_ARGUMENT", `${flag} takes a whole number from 1 on, not "${text}"`);
  return number;
}

/** The types of `--redact`, in the order of the table; all five when none is named. Throws INVALID_ARGUMENT. */
export function piiTypes(flag: true | readonly string[] | undefined): readonly PiiType[] {
  if (flag === undefined) return [];
  if (flag === true) return PII_TYPES;
  const words = flag.flatMap((value) => value.split(",")).filter((word) => word !== "");
  for (const word of words) {
    if ((PII_TYPES as readonly string[]).includes(word)) continue;
    const hint = existsSync(word)
      ? `"${word}" is a path: put files first, or end the types with --, as in: archivetool extract mail.mbox --redact email phone`
      : `types: ${PII_TYPES.join(", ")}`;
    throw new ArchiveError("INVALID_ARGUMENT", `--redact knows no type "${word}"; the types are ${PII_TYPES.join(", ")}`, { hint });
  }
  return words.length === 0 ? PII_TYPES : PII_TYPES.filter((type) => words.includes(type));
}

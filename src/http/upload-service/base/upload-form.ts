import { ArchiveError } from "../../../errors.ts";
import { DEFAULT_PII_TYPES, PII_TYPES, type PiiType } from "../../../mail/records/provenance.ts";
import type { UploadOptions } from "../../../mail/uploads.ts";
import { formatValue } from "../../format-value.ts";

/** Options of an upload, by the names of the form fields. */
export const OPTION_FIELDS = ["redact", "password", "max_messages", "discard_originals"] as const;
type OptionField = (typeof OPTION_FIELDS)[number];

/** Form fields; absent ones are undefined. */
export type OptionFields = Readonly<Partial<Record<OptionField, string>>>;

/** Maximum bytes of all passwords of an upload, one per line: PST passwords have a few dozen characters. */
export const MAX_PASSWORD_BYTES = 1024;
const MAX_MESSAGES = 2 ** 31 - 1;

export function isOptionField(name: string): name is OptionField {
  return (OPTION_FIELDS as readonly string[]).includes(name);
}

/**
 * Options of an extraction. Empty fields count as absent. @param discardsOriginals true if the service keeps no
 * uploaded files @throws ArchiveError INVALID_QUERY
 */
export function uploadOptions(fields: OptionFields, discardsOriginals: boolean): UploadOptions {
  const redact = redactedTypes(fields.redact ?? "");
  return {
    redact,
    discardsOriginals: discardsOriginals || redact.length > 0 || checkedSwitch(fields.discard_originals ?? ""),
    password: checkedPassword(fields.password ?? ""),
    maxMessages: checkedCount(fields.max_messages ?? ""),
  };
}

/** Returns the types of `all`, or types separated by blanks or commas, each once, in table order. */
function redactedTypes(text: string): readonly PiiType[] {
  const named = text.split(/[\s,]+/).filter((word) => word !== "");
  if (named.length === 1 && named[0] === "all") return DEFAULT_PII_TYPES;
  const unknown = named.find((word) => !(PII_TYPES as readonly string[]).includes(word));
  if (unknown !== undefined) {
    throw new ArchiveError(
      "INVALID_QUERY",
      `redact must be all, or some of ${PII_TYPES.join(", ")}, not ${formatValue(unknown)}`,
    );
  }
  return PII_TYPES.filter((type) => named.includes(type));
}

/** Never included in a message. */
function checkedPassword(text: string): string | null {
  if (Buffer.byteLength(text) > MAX_PASSWORD_BYTES) {
    throw new ArchiveError("INVALID_QUERY", `password must not be longer than ${MAX_PASSWORD_BYTES} bytes`);
  }
  return text === "" ? null : text;
}

function checkedCount(text: string): number | null {
  if (text === "") return null;
  const count = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MAX_MESSAGES) return count;
  throw new ArchiveError(
    "INVALID_QUERY",
    `max_messages must be an integer from 1 to ${MAX_MESSAGES}, not ${formatValue(text)}`,
  );
}

function checkedSwitch(text: string): boolean {
  if (text === "" || text === "0" || text === "1") return text === "1";
  throw new ArchiveError("INVALID_QUERY", `discard_originals must be 0 or 1, not ${formatValue(text)}`);
}

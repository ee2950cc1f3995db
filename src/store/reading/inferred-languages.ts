import { numbersIn } from "./document-columns.ts";

/** Columns of the index for messages with short text. */
export const LANGUAGE_COLUMNS = ["inferredLanguages", "languageNames"] as const;

/** The inferred language of messages with short text; null if none was inferred. */
export function inferredLanguages(columns: ReadonlyMap<string, Uint8Array>): (ordinal: number) => string | null {
  const [numbers, names] = LANGUAGE_COLUMNS.map((name) => columns.get(name));
  if (numbers === undefined || names === undefined) return () => null;
  const ofMessages = numbersIn(numbers);
  const listed = JSON.parse(new TextDecoder().decode(names)) as readonly string[];
  return (ordinal) => listed[ofMessages[ordinal] ?? 0] || null;
}

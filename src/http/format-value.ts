/** Maximum characters of a client's value in an error message: enough to recognize it, too few to fill a log. */
const MAX_SHOWN = 100;

/** A value as shown in an error message: JSON, truncated; lists and objects only by type. */
export function formatValue(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (value === undefined) return "nothing";
  return typeof value === "string" ? JSON.stringify(formatText(value)) : String(value);
}

/** Truncates a text for an error message. */
export function formatText(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`.toWellFormed();
}

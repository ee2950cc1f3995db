/**
 * Beginning of the line that records when and how a command changed a corrections file; the number is that of the
 * format.
 */
const ENTRY = /^# \d{4}-\d{2}-\d{2} [a-z]+(?: (\d+) corrections)?$/;

/** An entry that a command writes to a corrections file. */
export interface CorrectionEntry {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly verb: string;
  /** The lines of each correction. */
  readonly corrections: readonly (readonly string[])[];
}

/** Appends an entry to the text of a file. @param text "" if there is no file @param header its first line */
export function withEntry(text: string, header: string, { date, verb, corrections }: CorrectionEntry): string {
  const count = corrections.length === 1 ? "" : ` ${corrections.length} corrections`;
  const before = text === "" ? `${header}\n` : text.replace(/\n?$/, "\n");
  return `${before}${[`# ${date} ${verb}${count}`, ...corrections.flat()].join("\n")}\n`;
}

/** The text without its last entry, and that entry; null if no command wrote one. */
export function withoutLastEntry(text: string): { readonly text: string; readonly entry: string } | null {
  const lines = text.split("\n");
  const at = lines.findLastIndex((line) => ENTRY.test(line.trimEnd()));
  if (at < 0) return null;
  let left = Number(ENTRY.exec(lines[at]!.trimEnd())![1] ?? 1);
  let end = at + 1;
  for (; end < lines.length && left > 0; end++) if (isEndOfCorrection(lines[end]!.trim())) left--;
  return { text: [...lines.slice(0, at), ...lines.slice(end)].join("\n"), entry: lines[at]!.slice(2).trim() };
}

function isEndOfCorrection(line: string): boolean {
  return line === "--" || line.startsWith("!") || line.startsWith("@list");
}

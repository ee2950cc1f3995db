import { ArchiveError } from "../../errors.ts";

/** Names of export formats, available before any is loaded. */
export const EXPORT_FORMATS = [
  "mbox",
  "eml",
  "maildir",
  "csv",
  "jsonl",
  "html",
  "markdown",
  "load-file",
  "opensearch",
  "vcf",
  "ics",
  "graphml",
  "gexf",
] as const;

/** How `eml` files are named. */
export const EML_NAMES = ["id", "date"] as const;
export type EmlNames = (typeof EML_NAMES)[number];
export type ExportFormatName = (typeof EXPORT_FORMATS)[number];

/** The value of `--names`. Throws INVALID_ARGUMENT. */
export function emlNamesOf(format: ExportFormatName, text: string): EmlNames {
  const names = EML_NAMES.find((name) => name === text);
  if (names === undefined)
    throw new ArchiveError("INVALID_ARGUMENT", `--names must be one of ${EML_NAMES.join(", ")}, not "${text}"`);
  if (names !== "id" && format !== "eml") throw new ArchiveError("INVALID_ARGUMENT", "--names requires --format eml");
  return names;
}

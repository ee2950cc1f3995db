/** Names of the formats of exports, for whoever asks before any is loaded. */
export const EXPORT_FORMATS = [
  "mbox",
  "eml",
  "maildir",
  "csv",
  "jsonl",
  "html",
  "markdown",
  "load-file",
  "vcf",
  "ics",
  "graphml",
  "gexf",
] as const;
export type ExportFormatName = (typeof EXPORT_FORMATS)[number];

import { DEFAULT_PII_TYPES, type Provenance, REDACTED_TYPES, REQUESTED_TYPES } from "../mail/records/provenance.ts";
import { SOURCE, SOURCE_FORMAT, STATISTICS } from "./extraction-records.ts";
import { wellFormedValue } from "./json-line.ts";
import { COUNT, choice, FLAG, type JsonOf, list, nullable, record, TEXT, whereThere } from "./published-record.ts";
import { COUNTS, REQUIRED_DATE, SHA256 } from "./published-values.ts";

const WARNING = record({
  code: ["code", TEXT],
  message: ["message", TEXT],
  source: ["source", nullable(COUNT)],
  location: ["location", nullable(TEXT)],
  sha256: ["sha256", nullable(SHA256)],
});
export const WARNINGS = list(WARNING);

/** Types enabled by default are always counted, other types only if requested. */
const REDACTIONS = record({
  ...namedAsThey(DEFAULT_PII_TYPES, COUNT),
  ...namedAsThey(REQUESTED_TYPES, whereThere(COUNT)),
});

function namedAsThey<Name extends string, Described>(names: readonly Name[], described: Described) {
  return Object.fromEntries(names.map((name) => [name, [name, described]])) as unknown as {
    readonly [N in Name]: readonly [N, Described];
  };
}

const RUN = record({
  extractedAt: ["extracted_at", REQUIRED_DATE],
  toolVersion: ["tool_version", TEXT],
  incremental: ["incremental", FLAG],
  sources: ["sources", list(TEXT)],
  added: ["added", COUNTS],
});

/** provenance.json: origin, processing and unreadable items. */
export const PROVENANCE = record({
  tool: ["tool", TEXT],
  toolVersion: ["tool_version", TEXT],
  /** The watermark of incremental runs. */
  extractedAt: ["extracted_at", REQUIRED_DATE],
  sourceHash: ["source_hash", SHA256],
  sourceFormat: ["source_format", choice([...SOURCE_FORMAT.words, "mixed"])],
  sources: [
    "sources",
    list(
      record({
        ...SOURCE.fields,
        mailboxes: ["mailboxes", list(record({ name: ["name", TEXT], counts: ["counts", COUNTS] }))],
      }),
    ),
  ],
  options: [
    "options",
    record({
      maxMessages: ["max_messages", nullable(COUNT)],
      redact: ["redact", list(choice(REDACTED_TYPES))],
      mergeContacts: ["merge_contacts", FLAG],
      keepCopies: ["keep_copies", FLAG],
      extractAttachments: ["extract_attachments", FLAG],
      attachmentText: ["attachment_text", FLAG],
      incremental: ["incremental", FLAG],
      charset: ["charset", whereThere(TEXT)],
      mentions: ["mentions", whereThere(FLAG)],
    }),
  ],
  statistics: ["statistics", STATISTICS],
  redactions: ["redactions", REDACTIONS],
  warnings: ["warnings", WARNINGS],
  /** Warnings beyond the first 10,000. */
  warningsTruncated: ["warnings_truncated", COUNT],
  /** Oldest first. */
  runs: ["runs", list(RUN)],
});

/** provenance.json as an object, keys in the order they are written. */
export function provenanceDocument(provenance: Provenance): JsonOf<typeof PROVENANCE> {
  const { options, redactions } = provenance;
  const isPublished = (type: string): boolean =>
    REQUESTED_TYPES.every((named) => named !== type) || options.redact.some((named) => named === type);
  const published = Object.fromEntries(
    Object.entries(redactions).filter(([type]) => isPublished(type)),
  ) as typeof redactions;
  return wellFormedValue(PROVENANCE.write({ ...provenance, redactions: published }));
}

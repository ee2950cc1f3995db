import { formatInstant } from "../mail/instant.ts";
import {
  DEFAULT_PII_TYPES,
  NAMED_PII_TYPES,
  type PiiType,
  type Provenance,
  type RedactionCounts,
  type Warning,
} from "../mail/provenance.ts";
import { wellFormed } from "../mail/unicode.ts";
import { sourceJson, statisticsJson } from "./extraction-records.ts";
import type { ProvenanceJson } from "./provenance-schema.ts";
import type { Published } from "./published-values.ts";

const optionalText = (text: string | null): string | null => (text === null ? null : wellFormed(text));

/** A warning as it is published. */
export function warningJson({
  code,
  message,
  source,
  location,
  sha256,
}: Warning): Published<ProvenanceJson["warnings"][number]> {
  return { code, message: wellFormed(message), source, location: optionalText(location), sha256 };
}

/** Types that need not be named, and those that were. */
function redactionsJson(counts: RedactionCounts, named: readonly PiiType[]): Published<ProvenanceJson["redactions"]> {
  const told = [...DEFAULT_PII_TYPES, ...NAMED_PII_TYPES.filter((type) => named.includes(type))];
  return Object.fromEntries(told.map((type) => [type, counts[type]])) as Published<ProvenanceJson["redactions"]>;
}

/** provenance.json as an object, keys in the order they are written. */
export function provenanceDocument(provenance: Provenance): Published<ProvenanceJson> {
  const { options, redactions } = provenance;
  return {
    tool: provenance.tool,
    tool_version: provenance.toolVersion,
    extracted_at: formatInstant(provenance.extractedAt),
    source_hash: provenance.sourceHash,
    source_format: provenance.sourceFormat,
    sources: provenance.sources.map((source) => ({
      ...sourceJson(source),
      path: wellFormed(source.path),
      mailboxes: source.mailboxes.map(({ name, counts }) => ({ name: wellFormed(name), counts: { ...counts } })),
    })),
    options: {
      max_messages: options.maxMessages,
      redact: [...options.redact],
      merge_contacts: options.mergeContacts,
      keep_copies: options.keepCopies,
      extract_attachments: options.extractAttachments,
      incremental: options.incremental,
    },
    statistics: statisticsJson(provenance.statistics),
    redactions: redactionsJson(redactions, options.redact),
    warnings: provenance.warnings.map(warningJson),
    warnings_truncated: provenance.warningsTruncated,
    runs: provenance.runs.map((run) => ({
      extracted_at: formatInstant(run.extractedAt),
      tool_version: run.toolVersion,
      incremental: run.incremental,
      sources: run.sources.map(wellFormed),
      added: { ...run.added },
    })),
  };
}

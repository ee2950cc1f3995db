import type { z } from "zod";
import { type Instant, parseInstant } from "../mail/dates/instant.ts";
import { DocumentReferences, type DocumentSummary } from "./document-references.ts";
import type { DocumentElement, DocumentPart } from "./document-scanner.ts";
import type { StatisticsJson } from "./extraction-records.ts";
import { ELEMENT_SCHEMAS, type ElementKey, VALUE_SCHEMAS, type ValueKey } from "./extraction-schema.ts";
import { type ByteChunks, readExtraction } from "./read-extraction.ts";

export interface DocumentError {
  /** Such as `messages[12].sent_at`; "" for the document itself. */
  readonly path: string;
  readonly message: string;
  /** Byte offset of the element or value concerned; null when it is missing. */
  readonly offset: number | null;
}

export interface DocumentReport {
  readonly errorCount: number;
  /** The first 100. */
  readonly errors: readonly DocumentError[];
  readonly summary: DocumentSummary;
  /** Paths of the sources when they were read. */
  readonly sourcePaths: readonly string[];
}

/** Maximum errors listed: a document of another kind has one for every element. */
const ERRORS_LISTED = 100;

/**
 * Checks an extraction.json against its schema, element by element, and its references, ids and counts against each
 * other. Memory: the ordinals of messages and threads and the dates of messages; none of their content.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one walk over the parts of a document, which nothing holds
export async function validateExtraction(chunks: ByteChunks): Promise<DocumentReport> {
  const errors: DocumentError[] = [];
  let errorCount = 0;
  const report = (path: string, message: string, offset: number | null): void => {
    errorCount++;
    if (errors.length < ERRORS_LISTED) errors.push({ path, message, offset });
  };
  const sourcePaths: string[] = [];
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  const references = new DocumentReferences(report);
  let statistics: { readonly value: StatisticsJson; readonly offset: number } | null = null;
  let extractedAt: Instant | null = null;

  for await (const part of readExtraction(chunks)) {
    if ((part.kind === "fault" || part.kind === "element") && part.index !== null)
      counts.set(part.key!, part.index + 1);
    if (part.kind === "fault") {
      report(pathOf(part.key, part.index), part.message, part.offset);
    } else if (part.kind === "element") {
      const isValid = checkElement(part, report);
      if (isValid && part.key === "sources") sourcePaths.push((part.element as { readonly path: string }).path);
      if (isValid) references.add(part.key, part.index, part.element, part.offset);
      else references.addInvalid(part.key, part.index, part.element, part.offset);
    } else if (checkKey(part, seen, report)) {
      if (part.key === "statistics") statistics = { value: part.value as StatisticsJson, offset: part.offset };
      else if (part.key === "extracted_at") extractedAt = parseInstant(part.value as string);
    }
  }
  for (const key of [...Object.keys(VALUE_SCHEMAS), ...Object.keys(ELEMENT_SCHEMAS)]) {
    if (!seen.has(key)) report(key, "is missing", null);
  }
  const count = (key: ElementKey): number => counts.get(key) ?? 0;
  const summary = {
    messages: count("messages"),
    contacts: count("contacts"),
    threads: count("threads"),
    topics: count("topics"),
    events: count("calendar_events"),
  };
  references.finish(
    statistics === null ? null : { ...(statistics as { value: StatisticsJson; offset: number }), extractedAt },
    summary,
  );
  return { errorCount, errors, summary, sourcePaths };
}

type Report = (path: string, message: string, offset: number | null) => void;

function pathOf(key: string | null, index: number | null): string {
  return index === null ? (key ?? "") : `${key}[${index}]`;
}

function isElementKey(key: string): key is ElementKey {
  return Object.hasOwn(ELEMENT_SCHEMAS, key);
}

/** Returns true if the element matches its schema. */
function checkElement(part: DocumentElement, report: Report): boolean {
  if (!isElementKey(part.key)) return false;
  return checkValue(
    ELEMENT_SCHEMAS[part.key],
    part.element,
    { path: pathOf(part.key, part.index), offset: part.offset },
    report,
  );
}

/** Checks a top-level key and, unless it is an array, its value; returns true if the value matches its schema. */
function checkKey(
  part: Exclude<DocumentPart, DocumentElement>,
  seen: Set<string>,
  report: Report,
): part is Extract<DocumentPart, { kind: "value" }> {
  const { key, offset } = part;
  if (key === null || part.kind === "fault") return false;
  if (seen.has(key)) report(key, "is duplicated", offset);
  seen.add(key);
  if (isElementKey(key)) {
    if (part.kind === "value") report(key, "must be an array", offset);
    return false;
  }
  if (!Object.hasOwn(VALUE_SCHEMAS, key)) {
    report(key, "is an unknown key", offset);
    return false;
  }
  if (part.kind === "array") {
    report(key, "must not be an array", offset);
    return false;
  }
  return checkValue(VALUE_SCHEMAS[key as ValueKey], part.value, { path: key, offset }, report);
}

function checkValue(
  schema: z.ZodType,
  value: unknown,
  at: { readonly path: string; readonly offset: number },
  report: Report,
): boolean {
  const parsed = schema.safeParse(value);
  if (parsed.success) return true;
  for (const issue of parsed.error.issues) {
    const inner = issue.path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
    report(at.path + inner, issue.message, at.offset);
  }
  return false;
}

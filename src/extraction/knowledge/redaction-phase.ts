import { type MessageIndex, ordinalAt } from "../../mail/ordinal.ts";
import { NO_REDACTIONS, PII_TYPES, type RedactionCounts } from "../../mail/provenance.ts";
import { type FilledChunk, prepareSegments } from "../preparing/prepare-phase.ts";
import { addRedactions } from "../staging/redact-record.ts";
import type { StagedSegment } from "../staging/staged-segment.ts";
import { type KnowledgeContext, restoredOf } from "./knowledge-context.ts";

/** What the second pass has made of all text of this run. */
export interface PreparedText {
  readonly chunks: readonly FilledChunk[];
  /** Over all runs. */
  readonly redactions: RedactionCounts;
}

/**
 * The second pass: text is redacted, and what topics, contacts and search need of it is written beside. Ends the
 * threads.
 */
export async function prepareText(
  context: KnowledgeContext,
  segments: readonly StagedSegment[],
): Promise<PreparedText> {
  const { run, runner, options, onEvent } = context;
  const firstOrdinal = ordinalAt(restoredOf(context).thread.length as MessageIndex);
  const chunks = await prepareSegments(
    segments,
    { stagingDirectory: run.staging, firstOrdinal, redact: options.redact, onEvent },
    runner,
  );
  // The workers have done their part; what they hold is better used by the store.
  await runner.close();
  const redactions = auditRedactions(context, chunks);
  for (const chunk of chunks) tellUnread(context, chunk);
  return { chunks, redactions };
}

/** Sums what was redacted, and records it message by message in provenance. */
function auditRedactions(context: KnowledgeContext, chunks: readonly FilledChunk[]): RedactionCounts {
  const sum = { ...NO_REDACTIONS, ...context.earlier?.archive.provenance.redactions };
  for (const { prepared } of chunks) {
    addRedactions(sum, prepared.redactions);
    for (const { location, counts } of prepared.redacted) {
      const parts = PII_TYPES.filter((type) => counts[type] > 0).map((type) => `${counts[type]} ${type}`);
      context.warn({ code: "redacted", message: `${parts.join(", ")} redacted`, source: null, location, sha256: null });
    }
  }
  return sum;
}

/** Records that stopped the workers of the second pass: they are kept, and nobody will find them by their words. */
function tellUnread({ options, warn }: KnowledgeContext, { segments, prepared }: FilledChunk): void {
  const loss =
    options.redact.length === 0
      ? "it is kept, but not found by its words"
      : "it is kept without its text, which was not redacted";
  for (const { segment, location, sha256 } of prepared.unread) {
    const message = `its text stopped whatever read it: ${loss}`;
    warn({
      code: "text-not-read",
      message,
      source: segments[segment]!.source,
      location,
      sha256,
    });
  }
}

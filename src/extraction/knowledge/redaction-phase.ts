import { type MessageIndex, ordinalAt } from "../../mail/ordinal.ts";
import { NO_REDACTIONS, PII_TYPES, type RedactionCounts } from "../../mail/provenance.ts";
import { type ChunkFiles, prepareSegments } from "../preparing/prepare-phase.ts";
import { TextFacts } from "../preparing/text-facts.ts";
import { addRedactions } from "../staging/redact-record.ts";
import type { StagedSegment } from "../staging/staged-segment.ts";
import type { PreparedChunk, UnreadRecord } from "../staging/task.ts";
import { type KnowledgeContext, restoredOf } from "./knowledge-context.ts";

/** What the second pass has made of all text of this run. */
export interface PreparedText {
  readonly chunks: readonly ChunkFiles[];
  readonly facts: TextFacts;
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
  const { run, runner, options, onEvent, memory } = context;
  const firstOrdinal = ordinalAt(restoredOf(context).thread.length as MessageIndex);
  const request = { stagingDirectory: run.staging, firstOrdinal, redact: options.redact, onEvent };
  const redactions = { ...NO_REDACTIONS, ...context.earlier?.archive.provenance.redactions };
  const facts = new TextFacts(memory);
  const chunks: ChunkFiles[] = [];
  const unread: UnreadSegments[] = [];
  for await (const { segments: own, prepared } of prepareSegments(segments, request, runner)) {
    const { rowsPath, termsPath, indexPaths } = prepared;
    chunks.push({ segments: own, prepared: { rowsPath, termsPath, indexPaths } });
    facts.add(prepared);
    addRedactions(redactions, prepared.redactions);
    tellRedacted(context, prepared);
    if (prepared.unread.length > 0) unread.push({ segments: own, records: prepared.unread });
  }
  // The workers have done their part; what they hold is better used by the store.
  await runner.close();
  for (const records of unread) tellUnread(context, records);
  return { chunks, facts, redactions };
}

/** Records what was redacted message by message in provenance. */
function tellRedacted({ warn }: KnowledgeContext, { redacted }: PreparedChunk): void {
  for (const { location, counts } of redacted) {
    const parts = PII_TYPES.filter((type) => counts[type] > 0).map((type) => `${counts[type]} ${type}`);
    warn({ code: "redacted", message: `${parts.join(", ")} redacted`, source: null, location, sha256: null });
  }
}

interface UnreadSegments {
  readonly segments: readonly StagedSegment[];
  readonly records: readonly UnreadRecord[];
}

/** Records that stopped the workers of the second pass: they are kept, and nobody will find them by their words. */
function tellUnread({ options, warn }: KnowledgeContext, { segments, records }: UnreadSegments): void {
  const loss =
    options.redact.length === 0
      ? "it is kept, but not found by its words"
      : "it is kept without its text, which was not redacted";
  for (const { segment, location, sha256 } of records) {
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

import { type MessageIndex, ordinalAt } from "../../mail/records/ordinal.ts";
import { NO_REDACTIONS, REDACTED_TYPES, type RedactionCounts } from "../../mail/records/provenance.ts";
import { META } from "../../store/contract/archive-meta.ts";
import { type ChunkFiles, type FilledChunk, prepareSegments, type Segments } from "../preparing/prepare-phase.ts";
import { TextFacts } from "../preparing/text-facts.ts";
import { addRedactions, type RedactionTally } from "../staging/redact-record.ts";
import type { StagedSegment } from "../staging/staged-segment.ts";
import type { PreparedChunk, UnreadRecord } from "../staging/task.ts";
import { type KnowledgeContext, restoredOf } from "./knowledge-context.ts";

/** Results of the second pass over the text of this run. */
export interface PreparedText {
  readonly chunks: readonly ChunkFiles[];
  readonly facts: TextFacts;
  /** Over all runs. */
  readonly redactions: RedactionCounts;
}

/**
 * The second pass: redacts text and writes separately what topics, contacts and search need of it. May begin during the
 * first pass; ends with its own phase.
 */
export class TextPreparation {
  private readonly facts: TextFacts;
  private readonly chunks: ChunkFiles[] = [];
  private readonly redactions: RedactionTally;
  private readonly unread: UnreadSegments[] = [];
  private done: Promise<void> | null = null;
  /** Number of messages that its phase reports; null before it starts. */
  private total: number | null = null;

  /** @param segments all segments, or a stream of them */
  constructor(
    private readonly context: KnowledgeContext,
    private readonly segments: Segments,
  ) {
    this.facts = new TextFacts(context.memory);
    this.redactions = { ...NO_REDACTIONS, ...context.earlier?.archive.provenance.redactions };
  }

  begin(): Promise<void> {
    this.done ??= this.prepare();
    // Thrown when awaited.
    this.done.catch(() => undefined);
    return this.done;
  }

  /** Waits for the rest, and ends the threads. @param total messages of this run */
  async finish(total: number): Promise<PreparedText> {
    this.total = total;
    this.tellProgress();
    await this.begin();
    // After the workers are done, the store can use their memory.
    await this.context.runner.close();
    for (const records of this.unread) tellUnread(this.context, records);
    const { chunks, facts, redactions } = this;
    return { chunks, facts, redactions };
  }

  private async prepare(): Promise<void> {
    const { context, segments } = this;
    const { run, runner, options } = context;
    const firstOrdinal = ordinalAt(restoredOf(context).thread.length as MessageIndex);
    const rangeMessages = await context.writer.getMeta(META.rangeMessages);
    const request = {
      ...{ stagingDirectory: run.staging, firstOrdinal, redact: options.redact, redactWords: context.redactWords },
      mentions: options.mentions === true,
      ...(rangeMessages === null ? {} : { rangeMessages: Number(rangeMessages) }),
    };
    for await (const chunk of prepareSegments(segments, request, runner)) this.take(chunk);
  }

  private take({ segments, prepared }: FilledChunk): void {
    const { context, facts } = this;
    const { rowsPath, termsPath, indexPaths, unread } = prepared;
    this.chunks.push({ segments, prepared: { rowsPath, termsPath, indexPaths } });
    facts.add(prepared);
    addRedactions(this.redactions, prepared.redactions);
    tellRedacted(context, prepared);
    if (unread.length > 0) this.unread.push({ segments, records: unread });
    this.tellProgress();
  }

  private tellProgress(): void {
    const { total } = this;
    const done = this.facts.length;
    if (total !== null && done > 0)
      this.context.onEvent({ kind: "phase", phase: "redaction", state: "progress", done, total });
  }
}

/** Records what was redacted message by message in provenance. */
function tellRedacted({ warn }: KnowledgeContext, { redacted }: PreparedChunk): void {
  for (const { location, counts } of redacted) {
    const parts = REDACTED_TYPES.filter((type) => counts[type] > 0).map((type) => `${counts[type]} ${type}`);
    warn({ code: "redacted", message: `${parts.join(", ")} redacted`, source: null, location, sha256: null });
  }
}

interface UnreadSegments {
  readonly segments: readonly StagedSegment[];
  readonly records: readonly UnreadRecord[];
}

/** Warns about records that stopped the workers of the second pass: they are kept but not indexed. */
function tellUnread({ options, warn }: KnowledgeContext, { segments, records }: UnreadSegments): void {
  const loss =
    options.redact.length === 0
      ? "it was imported but its text is not searchable"
      : "it was imported without its text, which was not redacted";
  for (const { segment, location, sha256 } of records) {
    const message = `its text could not be processed: ${loss}`;
    warn({
      code: "text-not-read",
      message,
      source: segments[segment]!.source,
      location,
      sha256,
    });
  }
}

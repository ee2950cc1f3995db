import type { Counts, Warning } from "../mail/records/provenance.ts";
import type { SourceFormatName } from "../mail/records/source-formats.ts";

/** The named phases of a run, in the order they start. The first four are the specification's. */
export const PHASES = [
  "parsing",
  "threading",
  "contact_resolution",
  "redaction",
  "topics",
  "indexing",
  "outputs",
] as const;
export type Phase = (typeof PHASES)[number];

/** What a run tells while it goes on: the command line prints it, a server can send it. */
export type ExtractionEvent =
  | { readonly kind: "phase"; readonly phase: Phase; readonly state: "started" }
  /** `done` and `total` count messages. Of parsing, where nobody knows how many there are, `reading` tells. */
  | {
      readonly kind: "phase";
      readonly phase: Exclude<Phase, "parsing">;
      readonly state: "progress";
      readonly done: number;
      readonly total: number;
    }
  | {
      readonly kind: "phase";
      readonly phase: Phase;
      readonly state: "completed";
      readonly done: number;
      readonly skipped: boolean;
    }
  /**
   * Progress of parsing: bytes read so far of all sources, as far as the parts that are done tell, the messages in them,
   * and where the reader stands.
   */
  | {
      readonly kind: "reading";
      readonly bytes: number;
      readonly totalBytes: number;
      readonly messages: number;
      readonly mailbox: string;
    }
  | { readonly kind: "source"; readonly path: string; readonly format: SourceFormatName; readonly counts: Counts }
  | { readonly kind: "warning"; readonly warning: Warning }
  /** A repair made before the run, in one line for the user. */
  | { readonly kind: "note"; readonly text: string };

export type EventListener = (event: ExtractionEvent) => void;

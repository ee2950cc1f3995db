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

/** Events of a run, for the command line or a server. */
export type ExtractionEvent =
  | { readonly kind: "phase"; readonly phase: Phase; readonly state: "started" }
  /** `done` and `total` count messages. Parsing has no total, and reports `reading` instead. */
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
   * Progress of parsing: bytes read so far of all sources, from finished parts, the messages in them, and the reader's
   * location.
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

import type { Archive, ArchivedMessage } from "../../mail/archive.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import type { Provenance } from "../../mail/records/provenance.ts";
import type { Numbering } from "./control-numbers.ts";
import type { EmlNames } from "./export-names.ts";
import type { ExportTarget } from "./export-target.ts";
import type { Manifest } from "./manifest.ts";
import type { MessageBytes } from "./message-bytes.ts";

/** Input of a format. */
export interface ExportContent {
  readonly archive: Archive;
  readonly provenance: Provenance;
  /** Number of messages, and a description of their selection. */
  readonly count: number;
  readonly title: string;
  readonly exportedAt: Instant;
  /** How the documents of a load file are numbered. */
  readonly numbering: Numbering;
  /** Whether a load file has tags, review states, notes and the query. */
  readonly hasReview: boolean;
  /** Custodian of each source by number. */
  readonly custodians: readonly string[];
  readonly names: EmlNames;
  messages(): AsyncIterable<ArchivedMessage>;
  /** The original message, or a composed one. */
  bytesOf(message: ArchivedMessage): Promise<MessageBytes>;
}

/** Target: a file of this name, or a directory if it is "". */
export interface ExportPlace {
  readonly target: ExportTarget;
  readonly fileName: string;
  /** Maximum UTF-16 units of a file path, for Windows. */
  readonly room: number;
  readonly manifest: Manifest;
}

/** Lists a message that was written in the manifest. @param of where, and the bytes; null bytes for a record of it */
export function listMessage(
  { provenance }: ExportContent,
  { manifest }: ExportPlace,
  message: ArchivedMessage,
  of: { readonly path: string; readonly read: MessageBytes | null },
): void {
  const { id, messageId, sha256, source, location } = message;
  const { origin, note } = of.read ?? { origin: "record" as const, note: "" };
  manifest.add({
    path: of.path,
    id,
    messageId,
    sha256,
    source: provenance.sources[source]?.path ?? "",
    location,
    origin,
    note,
  });
}

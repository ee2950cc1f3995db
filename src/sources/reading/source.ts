import type { Instant } from "../../mail/dates/instant.ts";
import type { CalendarEntry } from "../../mail/records/calendar-event.ts";
import type { OutlookItem } from "../../mail/records/item.ts";
import type { AttachmentPart, Finding, Message } from "../../mail/records/message.ts";
import type { SourceFormatName } from "../../mail/records/source-formats.ts";
import type { WarningCode } from "../../mail/records/warning-codes.ts";
import type { ZipMember } from "../../unpacking/zip-member-list.ts";

/** Location of an item: its mailbox, and its position in the source. */
export interface ItemPlace {
  /**
   * Folder path with `/` between levels; "" is never used: the root mailbox of a source is `INBOX` or the source's own
   * name.
   */
  readonly mailbox: string;
  /** A path relative to the source, `offset:<bytes>` in an mbox, `nid:<hex>` in a PST, the name of a file in an OLM. */
  readonly location: string;
}

/**
 * An item of a source. `bytes` and lazily decoded attachments are valid only until the next item is requested,
 * because readers reuse their buffers.
 */
export type SourceItem =
  | ({
      readonly kind: "rfc5322";
      readonly bytes: Buffer;
      readonly flags: readonly string[];
      /** When the message was added to the store, or null. Read if the message is undated. */
      storedAt(): Instant | null;
      /** True if the bytes are a file of a directory, which needs no end-of-file item. */
      readonly isWholeFile?: boolean;
    } & ItemPlace)
  | FileEnd
  | ({
      /** A message stored as fields, not as sent. */
      readonly kind: "object";
      readonly message: Message;
      readonly flags: readonly string[];
      /** Appointment data of a meeting request, when the item is one. */
      readonly calendar: readonly CalendarEntry[];
      /** SHA-256 over the item's property bytes in a fixed order: its fingerprint. */
      readonly sha256: string;
      readonly sizeBytes: number;
      /** The item as RFC 5322 text, composed of its properties: the same bytes each time. */
      rendered(): Buffer;
    } & ItemPlace)
  | ({
      readonly kind: "appointment";
      /** Without its attachments, which are read during hashing. */
      readonly entry: CalendarEntry;
      readonly attachments: readonly AttachmentPart[];
      readonly sha256: string;
      readonly isPart: boolean;
    } & ItemPlace)
  | ({
      readonly kind: "item";
      /** True for a part of the preceding item, such as a changed occurrence of a series: it is not counted again. */
      readonly isPart: boolean;
      readonly item: OutlookItem;
      readonly attachments: readonly AttachmentPart[];
      readonly sha256: string;
    } & ItemPlace)
  | Remark;

/** Follows the items of each directory file that is not exactly one message. */
export interface FileEnd extends ItemPlace {
  readonly kind: "file-end";
  /** Hash of the file; null if it is not a message file. */
  readonly sha256: string | null;
}

/**
 * A remark about a location in a source: `skipped` items were left out on purpose (not a message, protected) and count
 * as skipped; `damaged` items are unreadable and count as failed; a `note` concerns no item and is not counted.
 */
export type Remark = ItemPlace & {
  readonly kind: "skipped" | "damaged" | "note";
  readonly code: WarningCode;
  readonly message: string;
  readonly sha256: string | null;
};

/**
 * Adjacent message files of one directory. Their names are one text, which is cheaper to post to threads than as many
 * objects.
 */
export interface FileRun {
  /** Relative to the source with a `/` at its end; "" for the source itself. */
  readonly prefix: string;
  readonly mailbox: string;
  /** Decoded, NUL between them, in order. */
  readonly names: string;
  /** Program that wrote a file about each of them, if any. */
  readonly sidecars?: "proton" | "zimbra";
}

/** A message file of a directory source. */
export interface MessageFile {
  /** Relative to the source, `/` between levels, in a reversible encoding. */
  readonly relativePath: string;
  readonly mailbox: string;
  readonly flags: readonly string[];
  readonly sidecars: "proton" | "zimbra" | null;
}

/**
 * A part of a source that one worker reads independently. Plain data that is posted to threads. The division depends
 * only on the source, never on the number of workers, so that any number of them gives the same result.
 */
export type WorkUnit =
  /** Bytes [start, end) of an mbox: the messages whose separator lines start there. */
  | {
      readonly kind: "mbox";
      readonly path: string;
      readonly mailbox: string;
      readonly start: number;
      readonly end: number;
      readonly dialect: string;
      /** Charset of mail without one; absent if not given. */
      readonly charset?: string;
    }
  /**
   * Message files. `states` are their states when they were listed (`file-state.ts`), packed; without them, the file
   * system is queried again.
   */
  | {
      readonly kind: "files";
      readonly root: string;
      readonly runs: readonly FileRun[];
      readonly states?: string;
      readonly charset?: string;
    }
  /** A run of items of a PST: node ids in the order of folders and contents tables. */
  | {
      readonly kind: "pst";
      readonly path: string;
      readonly nodes: readonly PstNode[];
      readonly password: string | null;
      /** X.500 names and their SMTP addresses, from the whole file. */
      readonly directory: readonly (readonly [string, string])[];
      /** Charset of 8-bit texts without one, as given or inferred from the store; or null. */
      readonly charset: string | null;
    }
  /** Adjacent files of an Outlook for Mac archive. */
  | { readonly kind: "olm"; readonly path: string; readonly files: readonly OlmFile[]; readonly charset?: string };

export type PstUnit = Extract<WorkUnit, { kind: "pst" }>;
export type OlmUnit = Extract<WorkUnit, { kind: "olm" }>;

/** A file with items in such an archive. */
export interface OlmFile {
  readonly member: ZipMember;
  readonly mailbox: string;
}

export interface PstNode {
  /** 0 for an orphaned item. */
  readonly nid: number;
  /** Blocks of an item without a node; null for others. */
  readonly blocks: { readonly dataBid: number; readonly subnodeBid: number } | null;
  readonly mailbox: string;
  /**
   * `listed` in its folder, `orphan` found only by walking the node tree, `recovered` found by scanning damaged pages,
   * or without any node.
   */
  readonly origin: "listed" | "orphan" | "recovered";
}

export interface SourceLimits {
  /** `--password` for PST/OST, or null. */
  readonly password: string | null;
  /** `of several`: skip even if all of several sources are protected, but not a single one. */
  readonly skipProtected: boolean | "of several";
  /** `--charset` for mail without a charset; absent if not given. */
  readonly charset?: string;
}

/** What opening a source found: its units, and notes about the source itself (skipped or damaged parts). */
export interface OpenedSource {
  readonly format: SourceFormatName;
  readonly path: string;
  readonly sizeBytes: number;
  /**
   * True if the hash of the source is that of one file; false if it is computed from the hashes of its message files.
   */
  readonly isFile: boolean;
  /** Items found while opening: damaged folders, protected files, files that are not messages. */
  readonly notes: readonly SourceItem[];
  /** Number of units. They are of similar size, so the share of completed units is the progress of the source. */
  readonly unitCount: number;
  units(): Iterable<WorkUnit>;
}

/** Functions of a format, in addition to its row in the table. */
export interface SourceFormat {
  /** True if the first bytes identify the format under any name. */
  recognizes(head: Buffer): boolean;
  /** True if the first bytes are possible for the format of the name: more tolerant than detection by content. */
  accepts(head: Buffer): boolean;
  /** Throws ArchiveError if it is not such a source. */
  open(path: string, limits: SourceLimits): Promise<OpenedSource>;
}

/** Operations on one kind of unit. Items are returned synchronously, once their reader is loaded. */
export interface UnitKind<Unit extends WorkUnit> {
  /** Its items, in the order of the source. Bad mail never throws. */
  read(unit: Unit): Promise<Iterable<SourceItem>>;
  /** Two units with the same items in order, each with at least one; null if there is only one item. */
  halve(unit: Unit): readonly [Unit, Unit] | null;
  /** Returns its items with locations and fingerprints only; items other than mail are unchanged. */
  /** @param loss why the item is lost: it stopped every worker that read it */
  lose(unit: Unit, loss: Finding): Promise<Iterable<SourceItem>>;
  /** Location of its first item, if the unit contains it. */
  firstPlace(unit: Unit): ItemPlace;
  /** Bytes of mail in it; an upper bound if only its reader knows the number. */
  sizeBytes(unit: Unit): number;
}

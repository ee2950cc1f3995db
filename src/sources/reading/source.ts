import type { Instant } from "../../mail/dates/instant.ts";
import type { CalendarEntry } from "../../mail/records/calendar-event.ts";
import type { OutlookItem } from "../../mail/records/item.ts";
import type { AttachmentPart, Message } from "../../mail/records/message.ts";
import type { SourceFormatName } from "../../mail/records/source-formats.ts";
import type { ZipMember } from "../../unpacking/zip-member-list.ts";

/** Where an item lies: the mailbox it is filed in and a location that finds it again in the source. */
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
 * One thing a source holds. `bytes` and lazily decoded attachments are valid only until the next item is asked for:
 * readers reuse their buffers.
 */
export type SourceItem =
  | ({
      readonly kind: "rfc5322";
      readonly bytes: Buffer;
      readonly flags: readonly string[];
      /** When the message came into the store, as that says; null where it does not. Read when the message is undated. */
      storedAt(): Instant | null;
      /** True where the bytes are those of a file of a directory: no end of the file comes after it. */
      readonly isWholeFile?: boolean;
    } & ItemPlace)
  | FileEnd
  | ({
      /** A message that is kept as fields and not as it was sent. */
      readonly kind: "object";
      readonly message: Message;
      readonly flags: readonly string[];
      /** Appointment data of a meeting request, when the item is one. */
      readonly calendar: readonly CalendarEntry[];
      /** SHA-256 over the item's property bytes in a fixed order: its fingerprint. */
      readonly sha256: string;
      readonly sizeBytes: number;
      /** The item as RFC 5322 text, made of its properties: the same bytes each time. */
      rendered(): Buffer;
    } & ItemPlace)
  | ({
      readonly kind: "appointment";
      /** Without its attachments, which are read when they are hashed. */
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

/** Comes after the items of each file of a directory that is not one message as it is. */
export interface FileEnd extends ItemPlace {
  readonly kind: "file-end";
  /** Of the bytes of the file; null where it is not a message file. */
  readonly sha256: string | null;
}

/**
 * A remark about a location in a source: `skipped` items were left out on purpose (not a message, protected) and count
 * as skipped; `damaged` items are unreadable and count as failed; a `note` concerns no item and is not counted.
 */
export type Remark = ItemPlace & {
  readonly kind: "skipped" | "damaged" | "note";
  readonly code: string;
  readonly message: string;
  readonly sha256: string | null;
};

/**
 * Neighbouring message files of one directory. Their names are one text: it crosses threads for less than as many
 * objects.
 */
export interface FileRun {
  /** Relative to the source with a `/` at its end; "" for the source itself. */
  readonly prefix: string;
  readonly mailbox: string;
  /** Decoded, NUL between them, in order. */
  readonly names: string;
}

/** One message file of a directory source. */
export interface MessageFile {
  /** Relative to the source, `/` between levels, in bytes that lead back to the file. */
  readonly relativePath: string;
  readonly mailbox: string;
  readonly flags: readonly string[];
}

/**
 * A piece of a source that one worker reads on its own. Plain data: it crosses threads. The cut depends only on the
 * source, never on the number of workers, so that any number of them gives the same result.
 */
export type WorkUnit =
  /** Bytes [start, end) of an mbox: the messages whose separator line starts in there. */
  | {
      readonly kind: "mbox";
      readonly path: string;
      readonly mailbox: string;
      readonly start: number;
      readonly end: number;
      readonly dialect: string;
      /** Charset of mail that names none; left out when nobody said. */
      readonly charset?: string;
    }
  /** Message files. `state` is their state when they were listed; without it, the file system is queried again. */
  | {
      readonly kind: "files";
      readonly root: string;
      readonly runs: readonly FileRun[];
      readonly state?: string;
      readonly charset?: string;
    }
  /** A run of items of a PST: node ids in the order of folders and contents tables. */
  | {
      readonly kind: "pst";
      readonly path: string;
      readonly nodes: readonly PstNode[];
      readonly password: string | null;
      /** X.500 names and the SMTP addresses the whole file tells for them. */
      readonly directory: readonly (readonly [string, string])[];
      /** What 8-bit texts are in that name no charset, as was said or as the store tells; null when nothing tells. */
      readonly charset: string | null;
    }
  /** Neighbouring files of an archive of Outlook for Mac. */
  | { readonly kind: "olm"; readonly path: string; readonly files: readonly OlmFile[]; readonly charset?: string };

export type PstUnit = Extract<WorkUnit, { kind: "pst" }>;
export type OlmUnit = Extract<WorkUnit, { kind: "olm" }>;

/** A file in such an archive that holds items. */
export interface OlmFile {
  readonly member: ZipMember;
  readonly mailbox: string;
}

export interface PstNode {
  /** 0 for an item that nothing leads to. */
  readonly nid: number;
  /** Where an item without a node lies; null for all others. */
  readonly blocks: { readonly dataBid: number; readonly subnodeBid: number } | null;
  readonly mailbox: string;
  /**
   * `listed` in its folder, `orphan` found only by walking the node tree, `recovered` found by scanning damaged pages,
   * or without any node.
   */
  readonly origin: "listed" | "orphan" | "recovered";
}

export interface SourceLimits {
  /** `--password` for PST/OST; null when none was given. */
  readonly password: string | null;
  /** `of several`: also where all of several sources are protected, but not a single one. */
  readonly skipProtected: boolean | "of several";
  /** `--charset`: what mail is in that names no charset; left out when nobody said. */
  readonly charset?: string;
}

/** What opening a source found: its units, and notes about the source itself (skipped or damaged parts). */
export interface OpenedSource {
  readonly format: SourceFormatName;
  readonly path: string;
  readonly sizeBytes: number;
  /** True when the hash of the source is that of one file; false when it is made of the hashes of its message files. */
  readonly isFile: boolean;
  /** Items the opening itself met: damaged folders, protected files, files that are no messages. */
  readonly notes: readonly SourceItem[];
  /** Number of units. They are of similar size, so the share that is done is the progress of the source. */
  readonly unitCount: number;
  units(): Iterable<WorkUnit>;
}

/** Functions of a format, in addition to its row in the table. */
export interface SourceFormat {
  /** True for the first bytes of a file that is this by what it holds, whatever its name. */
  recognises(head: Buffer): boolean;
  /** True for the first bytes of a file that can be what its name says: more than is recognised without the name. */
  accepts(head: Buffer): boolean;
  /** Throws ArchiveError for what is no such source at all. */
  open(path: string, limits: SourceLimits): Promise<OpenedSource>;
}

/** Why an item is given up: it stopped every worker that read it. */
export interface ItemLoss {
  readonly code: string;
  readonly message: string;
}

/** What is done with one kind of unit. Items come synchronously, once what reads them is loaded. */
export interface UnitKind<Unit extends WorkUnit> {
  /** Its items, in the order of the source. Bad mail never throws. */
  read(unit: Unit): Promise<Iterable<SourceItem>>;
  /** Two units that hold its items in the same order, each at least one; null when it holds no more than one. */
  halve(unit: Unit): readonly [Unit, Unit] | null;
  /** Its items with nothing but places and fingerprints; what is no mail is given as it is. */
  lose(unit: Unit, loss: ItemLoss): Promise<Iterable<SourceItem>>;
  /** The place of its first item, as far as the unit itself tells. */
  firstPlace(unit: Unit): ItemPlace;
  /** Bytes of mail in it; a bound where only its reader learns how many. */
  sizeBytes(unit: Unit): number;
}

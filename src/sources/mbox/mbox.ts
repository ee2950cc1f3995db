import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { ArchiveError } from "../../errors.ts";
import { encodePath } from "../../files/path-text.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import { formatOfName } from "../../mail/records/source-formats.ts";
import type { WarningCode } from "../../mail/records/warning-codes.ts";
import { archiveFormat } from "../../unpacking/archive-format.ts";
import { ByteWindow, WINDOW_BYTES } from "../reading/byte-window.ts";
import { looksLikeMessage, SNIFF_BYTES, skipLead, startsWithFrom } from "../reading/header-line.ts";
import { headerFlags } from "../reading/mailbox-flags.ts";
import { mailboxAbove } from "../reading/mailbox-name.ts";
import { pathInExport } from "../reading/own-export.ts";
import { readHead } from "../reading/read-head.ts";
import type { OpenedSource, SourceFormat, SourceItem, WorkUnit } from "../reading/source.ts";
import { separatorDate } from "../reading/stored-dates.ts";
import { unquoteFromLines } from "./mbox-quoting.ts";
import {
  emptyTally,
  findSeparator,
  type MessageSpan,
  type ScanTally,
  type SeparatorRule,
  scanMessages,
} from "./mbox-scan.ts";
import { DATED, judgeSeparator, LOOKAHEAD_BYTES, mayEndLine } from "./mbox-separator.ts";

export type MboxUnit = Extract<WorkUnit, { kind: "mbox" }>;

/**
 * 2 MiB: about 20 to 50 ms of work and a thousand messages, so that results waiting for the coordinator stay small. A
 * unit ends at a separator, so it may be longer.
 */
export const MBOX_UNIT_BYTES = 2 * 1024 * 1024;

const FORMAT = "mbox";

/** 2 GiB - 1: a longer message is a file that lost its separators; its head is kept, the whole is hashed. */
const MESSAGE_BYTES_MAX = 2 ** 31 - 1;

/**
 * Bytes scanned between two turns of the event loop, so that progress and Ctrl-C are handled while a large file is
 * opened.
 */
const BYTES_A_TURN = 64 * 1024 * 1024;

/** Bytes hashed at once for fingerprints of content that is not in memory. */
const HASH_CHUNK_BYTES = 4 * 1024 * 1024;

export const mbox: SourceFormat = {
  recognizes: (head) => startsWithFrom(head, skipLead(head)),
  // A mailbox may begin with a message or with other lines.
  accepts: (head) =>
    startsWithFrom(head, skipLead(head)) ||
    looksLikeMessage(head) ||
    head.includes("\nFrom ") ||
    archiveFormat(head) === "utf-16",
  open: (path) => openMbox(path, { mailbox: mailboxOfFile(path), unitBytes: MBOX_UNIT_BYTES }),
};

/** Opera's mailbox extension: it does not determine a format, and mailbox names omit it. */
const OPERA_EXTENSION = /\.mbs$/i;

/** In an export of Google Groups, the directory is named after the group's address, and the file has this name. */
const GROUP_FILE = "topics.mbox";

/**
 * The mailbox of an mbox file: its name without extension, below the mailboxes of its directories according to
 * Thunderbird, KMail or an export of this tool.
 */
export function mailboxOfFile(path: string): string {
  const file = basename(path);
  let directory = dirname(resolve(path));
  if (file === GROUP_FILE && basename(directory).includes("@")) return basename(directory);
  const exported = pathInExport(path);
  if (exported !== null) return [...exported.split("/").slice(0, -1), nameOfFile(file)].join("/");
  const levels = [nameOfFile(file)];
  for (let above = mailboxAbove(basename(directory)); above !== null; above = mailboxAbove(basename(directory))) {
    levels.unshift(above);
    directory = dirname(directory);
  }
  return levels.join("/");
}

function nameOfFile(file: string): string {
  const isNamed = formatOfName(file)?.name === FORMAT || OPERA_EXTENSION.test(file);
  const name = isNamed ? file.slice(0, file.lastIndexOf(".")) : file;
  return name === "" || name.startsWith(".") ? "INBOX" : name;
}

/** The MBOX in an Apple Mail package, `Name.mbox/mbox`; null for any other directory. */
export function packagedMailbox(path: string): string | null {
  if (!/\.mbox\/*$/i.test(path)) return null;
  const packaged = join(path, "mbox");
  const isFile = statSync(encodePath(packaged), { throwIfNoEntry: false })?.isFile() === true;
  return isFile && mbox.recognizes(readHead(packaged)) ? packaged : null;
}

/**
 * Scans an mbox once, at reading speed, and divides it at separators into units of about `unitBytes`. Separators
 * depend on earlier bytes (Content-Length) and on the whole file (dated or not), so they are determined here and not
 * by the workers; every division gives the same messages. @throws ArchiveError UNSUPPORTED_FORMAT if the file has
 * neither a separator nor a message header.
 */
export async function openMbox(
  path: string,
  cut: { readonly mailbox: string; readonly unitBytes: number },
): Promise<OpenedSource> {
  const window = new ByteWindow(path);
  try {
    const scan = await scanFile(window, cut.unitBytes);
    if (scan === null)
      throw new ArchiveError("UNSUPPORTED_FORMAT", `${path}: no "From " line and no message header found`);
    const dialect = writeDialect(path, scan);
    const notes = sourceNotes(window, scan, { dialect, mailbox: cut.mailbox });
    const { boundaries } = scan;
    return {
      format: FORMAT,
      path,
      sizeBytes: window.size,
      isFile: true,
      notes,
      unitCount: boundaries.length - 1,
      *units() {
        for (let index = 0; index + 1 < boundaries.length; index++) {
          const [start, end] = [boundaries[index]!, boundaries[index + 1]!];
          yield { kind: "mbox", path, mailbox: cut.mailbox, start, end, dialect };
        }
      },
    };
  } finally {
    window.close();
  }
}

interface FileScan {
  /** Starts of the units and the end of the last one, ascending. */
  readonly boundaries: readonly number[];
  readonly rule: SeparatorRule;
  readonly tally: ScanTally;
  /** End of the bytes before the first separator that are not a message. */
  readonly preambleEnd: number;
  /** False if the separators repeat one date, such as that of copying. */
  readonly tellsDelivery: boolean;
}

/** Number of first separators whose dates are compared. */
const COMPARED_DATES = 100;
/** Bytes of the date that ends a separator: `Wed Mar  1 09:00:00 2023`. */
const DATE_BYTES = 24;

async function scanFile(window: ByteWindow, unitBytes: number): Promise<FileScan | null> {
  window.moveTo(0);
  const lineEnd = window.view.subarray(0, SNIFF_BYTES).includes(10)
    ? 10
    : window.view.subarray(0, SNIFF_BYTES).includes(13)
      ? 13
      : 10;
  const dated = await scanBy(window, { dated: true, lineEnd }, unitBytes);
  // An undated first line counts as a separator only by its position, so the other separators may be dated.
  if (dated === null || (dated.tally.dated === 0 && dated.tally.undated > 0)) {
    return (await scanBy(window, { dated: false, lineEnd }, unitBytes)) ?? dated;
  }
  return dated;
}

async function scanBy(window: ByteWindow, rule: SeparatorRule, unitBytes: number): Promise<FileScan | null> {
  const tally = emptyTally();
  window.moveTo(0);
  const head = skipLead(window.view);
  let first = head;
  if (startsWithFrom(window.view, head)) {
    if ((judgeSeparator(window.view.subarray(0, head + LOOKAHEAD_BYTES), head, rule.lineEnd) & DATED) !== 0)
      tally.dated++;
  } else if (!looksLikeMessage(window.view)) {
    first = findSeparator(window, { from: head, ignoreUntil: 0, isPatch: true, tally }, rule);
    if (first === window.size) return null;
  }
  const boundaries = [first];
  const dates: string[] = [];
  let turn = first;
  for (const { separator, start } of scanMessages(window, { from: first, to: window.size, tally }, rule)) {
    if (dates.length < COMPARED_DATES) dates.push(separatorLine(window, separator, start).trimEnd().slice(-DATE_BYTES));
    if (separator - boundaries.at(-1)! >= unitBytes) boundaries.push(separator);
    if (separator - turn >= BYTES_A_TURN) {
      turn = separator;
      await setImmediate();
    }
  }
  boundaries.push(window.size);
  const repeated = dates.filter((date, at) => date === dates[at - 1]).length;
  return {
    boundaries,
    rule,
    tally,
    preambleEnd: first > head ? first : 0,
    tellsDelivery: repeated <= (dates.length - 1) / 2,
  };
}

/** Word of a dialect: an export of this tool. */
const OWN = "own";

/** `mboxo`, `mboxrd`, `mboxcl` or `mboxcl2`, followed by ` own`, ` undated`, ` one-date` and ` cr` if they apply. */
function writeDialect(path: string, { tally, rule, tellsDelivery }: FileScan): string {
  const name = dialectName(path, tally);
  return `${name}${rule.dated ? "" : " undated"}${tellsDelivery ? "" : " one-date"}${rule.lineEnd === 13 ? " cr" : ""}`;
}

function separatorLine(window: ByteWindow, separator: number, start: number): string {
  return window.text(separator, Math.min(start, separator + SEPARATOR_BYTES));
}

/**
 * A file with lines `>From ` and `>>From `, and without any unquoted body line "From ", was written by the mboxrd rule;
 * so were exports of this tool, recognized by their manifest. Otherwise mboxrd cannot be distinguished from mboxo, and
 * nothing is unquoted: an extra `>` is harmless, but removing one that was written would change the mail.
 */
function dialectName(path: string, tally: ScanTally): string {
  const hasQuoted = tally.quotedOnce + tally.quotedMore > 0;
  if (hasQuoted && tally.unquoted === 0 && pathInExport(path) !== null) return `mboxrd ${OWN}`;
  if (tally.measured > 0) return hasQuoted && tally.unquoted === 0 ? "mboxcl" : "mboxcl2";
  return tally.quotedOnce > 0 && tally.quotedMore > 0 && tally.unquoted === 0 ? "mboxrd" : "mboxo";
}

const DIALECT_NOTES: Readonly<Record<string, string>> = {
  mboxrd: 'read as mboxrd: one ">" is removed from each quoted "From " line',
  mboxcl: "read as mboxcl: messages end at their Content-Length if it is plausible",
  mboxcl2: "read as mboxcl2: messages end at their Content-Length if it is plausible",
};

function sourceNotes(
  window: ByteWindow,
  scan: FileScan,
  name: { readonly dialect: string; readonly mailbox: string },
): SourceItem[] {
  const { mailbox } = name;
  const notes: SourceItem[] = [];
  const note = (location: string, code: WarningCode, message: string) =>
    notes.push({ kind: "note", mailbox, location, code, message, sha256: null });
  const dialectNote = DIALECT_NOTES[name.dialect.split(" ")[0]!];
  if (dialectNote !== undefined) note("offset:0", "mbox-dialect", dialectNote);
  if (!scan.rule.dated)
    note(
      "offset:0",
      "mbox-undated",
      "no separator has a date: every From line between a blank line and a header is a separator",
    );
  if (scan.preambleEnd > 0) {
    const message = `${scan.preambleEnd} bytes before the first separator are not a message`;
    const sha256 = hashRange(window, 0, scan.preambleEnd);
    notes.push({ kind: "damaged", mailbox, location: "offset:0", code: "mbox-preamble", message, sha256 });
  } else if (!startsWithFrom(window.peek(scan.boundaries[0]!), 0)) {
    note(`offset:${scan.boundaries[0]}`, "mbox-no-first-separator", "the first message has no separator line");
  }
  for (const { offset, reason } of scan.tally.rejected) {
    note(
      `offset:${offset}`,
      "mbox-separator-rejected",
      `a line that looks like a separator was kept as text: ${reason}`,
    );
  }
  const unlisted = scan.tally.rejectedCount - scan.tally.rejected.length;
  if (unlisted > 0)
    note("offset:0", "mbox-separator-rejected", `${unlisted} more lines that look like separators were kept as text`);
  return notes;
}

function ruleOf({ dialect }: MboxUnit): SeparatorRule {
  const words = dialect.split(" ");
  return { dated: !words.includes("undated"), lineEnd: words.includes("cr") ? 13 : 10 };
}

/** Starts of the messages of a unit, at which it can be divided. */
export function mboxSeparators(unit: MboxUnit): readonly number[] {
  const window = new ByteWindow(unit.path, WINDOW_BYTES);
  try {
    const spans = scanMessages(window, { from: unit.start, to: unit.end, tally: emptyTally() }, ruleOf(unit));
    return Array.from(spans, ({ separator }) => separator);
  } finally {
    window.close();
  }
}

/**
 * Reads the messages of a unit in order. `bytesMax` truncates huge messages. The result does not depend on
 * `windowBytes`, as long as a window can contain the header that is searched for Content-Length.
 */
export function* readMboxUnit(
  unit: MboxUnit,
  bytesMax = MESSAGE_BYTES_MAX,
  windowBytes = WINDOW_BYTES,
): Generator<SourceItem> {
  const rule = ruleOf(unit);
  const words = unit.dialect.split(" ");
  const isQuoted = words[0] === "mboxrd";
  // Our exports are safe for readers that accept any line end; other programs quote after their own only.
  const endsLine = words.includes(OWN) ? mayEndLine : (byte: number): boolean => byte === rule.lineEnd;
  const tellsDelivery = !words.includes("one-date");
  const window = new ByteWindow(unit.path, windowBytes);
  try {
    for (const span of scanMessages(window, { from: unit.start, to: unit.end, tally: emptyTally() }, rule)) {
      const place = { mailbox: unit.mailbox, location: `offset:${span.separator}` };
      if (span.end - span.start > bytesMax) yield tooLarge(window, span, place);
      // Read before the message, whose window would overwrite it.
      const line = separatorLine(window, span.separator, span.start);
      const stored = window.slice(span.start, Math.min(span.end, span.start + bytesMax));
      if (stored.length === 0) {
        const sha256 = createHash("sha256").digest("hex");
        yield {
          kind: "damaged",
          ...place,
          code: "empty-message",
          message: "nothing follows the separator line",
          sha256,
        };
        continue;
      }
      if (isFolderData(stored)) {
        yield folderData(stored, place);
        continue;
      }
      const bytes = isQuoted ? unquoteFromLines(stored, endsLine) : stored;
      const storedAt = (): Instant | null => (tellsDelivery ? separatorDate(line) : null);
      yield { kind: "rfc5322", ...place, bytes, flags: headerFlags(bytes), storedAt };
    }
  } finally {
    window.close();
  }
}

/** Bytes of a separator line that contain its date. */
const SEPARATOR_BYTES = 256;

/** Maximum bytes of the header of such a record; real ones have about 500. */
const FOLDER_DATA_BYTES = 2048;

/** The end of its subject, without `DON`: a text that begins with a rare character is found faster. */
const FOLDER_DATA_SIGN = Buffer.from("'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA");

/**
 * The record that UW-IMAP, Pine and Alpine keep at the head of a mailbox: numbers and keywords, in the shape of a mail.
 */
function isFolderData(message: Buffer): boolean {
  const head = message.subarray(0, FOLDER_DATA_BYTES);
  if (!head.includes(FOLDER_DATA_SIGN)) return false;
  const text = head.toString("latin1");
  return /^Subject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA\r?$/m.test(text) && /^X-IMAP: /m.test(text);
}

function folderData(message: Buffer, place: { readonly mailbox: string; readonly location: string }): SourceItem {
  const sha256 = createHash("sha256").update(message).digest("hex");
  const code = "folder-internal-data";
  return { kind: "skipped", ...place, code, message: "mailbox metadata of a mail program, not a message", sha256 };
}

function tooLarge(
  window: ByteWindow,
  span: MessageSpan,
  place: { readonly mailbox: string; readonly location: string },
): SourceItem {
  const message = `message of ${span.end - span.start} bytes: truncated`;
  return {
    kind: "note",
    ...place,
    code: "message-too-large",
    message,
    sha256: hashRange(window, span.start, span.end),
  };
}

function hashRange(window: ByteWindow, start: number, end: number): string {
  const hash = createHash("sha256");
  for (let at = start; at < end; at += HASH_CHUNK_BYTES)
    hash.update(window.slice(at, Math.min(end, at + HASH_CHUNK_BYTES)));
  return hash.digest("hex");
}

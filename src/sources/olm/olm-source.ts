import { createHash, hash } from "node:crypto";
import { basename, posix } from "node:path";
import { decodeCharset } from "../../charset/decode-charset.ts";
import { utf16Order } from "../../charset/utf-16.ts";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import type { Finding } from "../../mail/records/message.ts";
import { renderMessage } from "../../mapi/objects/message-rendering.ts";
import { ITEM_BYTES_MAX, itemPieces, kindOfFile, type OlmFileKind } from "../../olm/item-pieces.ts";
import { readOlmAppointment } from "../../olm/olm-appointment.ts";
import { OLM_ITEM_READERS } from "../../olm/olm-items.ts";
import { readOlmMessage } from "../../olm/olm-message.ts";
import { readXml, type XmlElement } from "../../olm/xml-element.ts";
import { archiveFormat } from "../../unpacking/archive-format.ts";
import { UNPACK_LIMITS } from "../../unpacking/unpack-limits.ts";
import type { ZipMember } from "../../unpacking/zip-member-list.ts";
import { BoundedMembers, ZipMembers } from "../../unpacking/zip-members.ts";
import { readHead } from "../reading/read-head.ts";
import type { ItemPlace, OlmFile, OlmUnit, OpenedSource, SourceItem, WorkUnit } from "../reading/source.ts";
import { ATTACHMENTS, OlmAttachments } from "./olm-attachments.ts";

const FORMAT = "olm";
/**
 * Maximum files and bytes of one unit: a few tenths of a second of work, compared with milliseconds to reopen the
 * archive.
 */
const UNIT_FILES_MAX = 500;
const UNIT_BYTES = 8 << 20;
/** Maximum bytes read of one XML file: a calendar of ten years has 50 MB. */
const XML_BYTES_MAX = 256 << 20;
/** Internal levels of paths: `Accounts/<account>/com.microsoft.__Messages/Inbox`. */
const PLUMBING = /^com\.microsoft\.__/;

/**
 * Opens an archive of Outlook for Mac: a zip file of XML, with a file per message and one per calendar, address book,
 * and list of tasks or notes. If its directory is lost, its files are read in sequence. @throws ArchiveError
 * UNSUPPORTED_FORMAT if it is not a zip file, UNSAFE_ARCHIVE if it declares more than it contains, DAMAGED_SOURCE or
 * SOURCE_EMPTY if it has no items.
 */
export async function openOlm(path: string): Promise<OpenedSource> {
  if (archiveFormat(readHead(path)) !== "zip")
    throw new ArchiveError("UNSUPPORTED_FORMAT", `${path}: not an Outlook for Mac archive (not a zip file)`);
  const zip = openZip(path);
  try {
    const bounded = new BoundedMembers(zip.sizeBytes, UNPACK_LIMITS);
    const roots = new Set<string>();
    const room = new UnitRoom();
    for (const member of zip.members()) {
      bounded.admit(member);
      if (!isItemFile(member)) continue;
      if (member.name.includes("/")) roots.add(rootOf(member.name));
      room.take(member);
    }
    bounded.requireDisjoint();
    if (room.units === 0) {
      const code = zip.isWhole ? "SOURCE_EMPTY" : "DAMAGED_SOURCE";
      throw new ArchiveError(code, `${path}: no mail, events or contacts in this Outlook archive`);
    }
    const hasSeveralRoots = roots.size > 1;
    return {
      format: FORMAT,
      path,
      sizeBytes: zip.sizeBytes,
      isFile: true,
      notes: zip.isWhole ? [] : [truncated(path)],
      unitCount: room.units,
      units: () => unitsOf(path, hasSeveralRoots),
    };
  } finally {
    zip.close();
  }
}

function openZip(path: string): ZipMembers {
  try {
    return new ZipMembers(path);
  } catch (cause) {
    if (systemErrorCode(cause) === null) throw cause;
    throw new ArchiveError("SOURCE_UNREADABLE", `${path}: cannot be read`, { cause });
  }
}

function truncated(path: string): SourceItem {
  const message = "the zip directory is missing; files were found by scanning";
  return { kind: "note", code: "file-truncated", message, sha256: null, mailbox: basename(path), location: "" };
}

function isItemFile({ name }: ZipMember): boolean {
  return /\.xml$/i.test(name) && !name.includes(`${ATTACHMENTS}/`) && !name.startsWith("__MACOSX/");
}

/** The account of a file, or `Local` for items stored only on the computer. */
function rootOf(name: string): string {
  const [first = "", second = ""] = name.split("/");
  return first === "Accounts" ? second : first;
}

/** Outlook folder of an item, below its account if there are several. */
function mailboxOf(name: string, hasSeveralRoots: boolean): string {
  const levels = name.split("/").slice(0, -1);
  const root = rootOf(name);
  const own = levels.slice(levels[0] === "Accounts" ? 2 : 1).filter((level) => !PLUMBING.test(level));
  const shown = hasSeveralRoots && root !== "" ? [root, ...own] : own;
  return shown.join("/").normalize("NFC") || posix.basename(name).replace(/\.xml$/i, "");
}

/** Counts the units of consecutive files. */
class UnitRoom {
  units = 0;
  private files = 0;
  private bytes = 0;

  /** Returns true if a file begins a unit. */
  take({ sizeBytes, packedBytes }: ZipMember): boolean {
    const size = sizeBytes ?? packedBytes;
    const isFirst = this.units === 0 || this.files === UNIT_FILES_MAX || this.bytes + size > UNIT_BYTES;
    if (isFirst) {
      this.units++;
      this.files = 0;
      this.bytes = 0;
    }
    this.files++;
    this.bytes += size;
    return isFirst;
  }
}

function* unitsOf(path: string, hasSeveralRoots: boolean): Generator<WorkUnit> {
  const zip = openZip(path);
  try {
    const room = new UnitRoom();
    let files: OlmFile[] = [];
    for (const member of zip.members()) {
      if (!isItemFile(member)) continue;
      if (room.take(member) && files.length > 0) {
        yield { kind: "olm", path, files };
        files = [];
      }
      files.push({ member, mailbox: mailboxOf(member.name, hasSeveralRoots) });
    }
    if (files.length > 0) yield { kind: "olm", path, files };
  } finally {
    zip.close();
  }
}

/** The items of one unit, in order. */
export function* readOlmUnit({ path, files }: OlmUnit): Generator<SourceItem> {
  const zip = new ZipMembers(path);
  try {
    const attachments = new OlmAttachments(zip);
    for (const file of files) yield* readFile(zip, file, attachments);
  } finally {
    zip.close();
  }
}

function* readFile(zip: ZipMembers, { member, mailbox }: OlmFile, attachments: OlmAttachments): Generator<SourceItem> {
  const place = { mailbox, location: member.name };
  const content = zip.read(member, XML_BYTES_MAX);
  if ("fault" in content) {
    yield { kind: "damaged", ...place, code: "olm-damaged", message: `unreadable: ${content.fault}`, sha256: null };
    return;
  }
  const bytes = asUtf8(content.bytes);
  const kind = kindOfFile(bytes);
  if (kind?.kind === "other") return;
  let count = 0;
  for (const piece of kind === null ? [] : itemPieces(bytes, kind)) {
    // The first item has the location of its file; most files have only one.
    const location = count === 0 ? member.name : `${member.name}/${kind!.kind}:${count}`;
    yield* readPiece(piece, kind!, { place: { mailbox, location }, attachments });
    count++;
  }
  if (kind === null) yield damaged(place, content.bytes, "no item found in the file");
}

/** Tags are searched in the bytes, which other programs write as UTF-16. */
function asUtf8(bytes: Buffer): Buffer {
  const order = utf16Order(bytes);
  return order === null ? bytes : Buffer.from(decodeCharset(bytes, order));
}

function damaged(place: ItemPlace, bytes: Buffer, message: string): SourceItem {
  return { kind: "damaged", ...place, code: "olm-damaged", message, sha256: hash("sha256", bytes) };
}

interface PieceContext {
  readonly place: ItemPlace;
  readonly attachments: OlmAttachments;
}

function* readPiece(piece: Buffer, { kind }: OlmFileKind, { place, attachments }: PieceContext): Generator<SourceItem> {
  if (piece.length > ITEM_BYTES_MAX) {
    yield damaged(place, piece, `longer than ${ITEM_BYTES_MAX} bytes`);
    return;
  }
  const element = readXml(decodeCharset(piece, "utf-8"));
  if (element === null || kind === "other") {
    yield damaged(place, piece, "no item found in the file");
    return;
  }
  if (kind === "email") {
    yield readEmail(element, piece, { place, attachments });
    yield* attachments.faults(place);
    return;
  }
  const sha256 = hash("sha256", piece);
  if (kind === "appointment") {
    const entry = readOlmAppointment(element, sha256);
    yield { kind: "appointment", entry, attachments: [], isPart: false, sha256, ...place };
    return;
  }
  yield { kind: "item", isPart: false, item: OLM_ITEM_READERS[kind](element), attachments: [], sha256, ...place };
}

function readEmail(element: XmlElement, piece: Buffer, { place, attachments }: PieceContext): SourceItem {
  const files = attachments.ofMessage(place.location);
  const { message, flags, transportHeaders } = readOlmMessage(element, files.find);
  // From the directory only, because reading the attachments would double the work.
  const fingerprint = createHash("sha256").update(piece);
  for (const { crc, sizeBytes } of files.found()) fingerprint.update(`\n${crc} ${sizeBytes}`);
  return {
    kind: "object",
    message,
    flags,
    calendar: [],
    sha256: fingerprint.digest("hex"),
    sizeBytes: files.found().reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), piece.length),
    rendered: () => renderMessage(message, { transportHeaders, flags, invitations: message.calendarParts }),
    ...place,
  };
}

/** The files of one unit as lost items, with fingerprints of the readable ones. */
export function* loseOlmUnit({ path, files }: OlmUnit, loss: Finding): Generator<SourceItem> {
  const zip = new ZipMembers(path);
  try {
    for (const { member, mailbox } of files) {
      const content = zip.read(member, XML_BYTES_MAX);
      const sha256 = "fault" in content ? null : hash("sha256", content.bytes);
      yield { kind: "damaged", ...loss, mailbox, location: member.name, sha256 };
    }
  } finally {
    zip.close();
  }
}

/** The file with this name in an archive, with its items, or null. Used to read an item again. */
export function olmUnitOf(path: string, name: string, mailbox: string): OlmUnit | null {
  const zip = new ZipMembers(path);
  try {
    for (const member of zip.members())
      if (member.name === name) return { kind: "olm", path, files: [{ member, mailbox }] };
    return null;
  } finally {
    zip.close();
  }
}

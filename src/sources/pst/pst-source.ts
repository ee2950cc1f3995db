import { hash } from "node:crypto";
import { basename } from "node:path";
import { Uint32Column } from "../../columns/column.ts";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import type { Finding } from "../../mail/records/message.ts";
import type { WarningCode } from "../../mail/records/warning-codes.ts";
import { bufferOf } from "../../properties/byte-range.ts";
import type { NodeData } from "../../pst/ltp/property-context.ts";
import { listedNodes, readFolders } from "../../pst/messaging/folder-tree.ts";
import { type MessageStore, openMessageStore, passwordFits } from "../../pst/messaging/message-store.ts";
import { findOrphanObjects } from "../../pst/messaging/orphan-objects.ts";
import { listedOrphans } from "../../pst/messaging/orphan-rows.ts";
import { bytesAt } from "../../pst/ndb/byte-source.ts";
import { hasPstSignature } from "../../pst/ndb/file-header.ts";
import { ANSI } from "../../pst/ndb/file-layout.ts";
import { scannedNodes } from "../../pst/ndb/node-database.ts";
import { NODE_ID, NODE_TYPE } from "../../pst/ndb/node-entry.ts";
import { noteOf } from "../reading/place-note.ts";
import type { OpenedSource, PstNode, PstUnit, SourceItem, SourceLimits, WorkUnit } from "../reading/source.ts";
import { hashFile } from "../reading/source-hash.ts";
import { associatedMessages, summarizeSkipped } from "./pst-associated.ts";
import { inferCharset, withCharsets } from "./pst-charset.ts";
import { readDirectory } from "./pst-directory.ts";
import { PstFile } from "./pst-file.ts";
import { FolderRows, ListedTimes } from "./pst-folder-rows.ts";
import { LostItems } from "./pst-lost-item.ts";
import { placeOfNode } from "./pst-place.ts";
import { type PstReading, readPstNode } from "./pst-read.ts";

/**
 * Minimum number of items per unit: 0.1 to 1 s of work, compared with some milliseconds to open the store again and
 * reach its blocks. A store is divided into 16 parts, work for eight threads, while they have at least this size.
 */
const MIN_NODES_PER_UNIT = 200;
const MAX_NODES_PER_UNIT = 2000;
const UNITS_WANTED = 16;
/** Mailbox of items whose folder is missing. */
const ORPHANS = "Orphaned items";
const FORMAT = "pst";
const ORIGINS: readonly PstNode["origin"][] = ["listed", "orphan", "recovered"];

/**
 * Opens an Outlook PST or OST. A unit is a range of node ids. Every unit opens the file itself instead of sharing an
 * open store: opening reads the header and a few pages whatever the size of the file, and nothing has to be kept open
 * between calls.
 * @throws ArchiveError UNSUPPORTED_FORMAT if it is not a store, DAMAGED_SOURCE if nothing can be read,
 * PASSWORD_REQUIRED if the password is missing or wrong, unless protected stores are skipped.
 */
export async function openPst(path: string, limits: SourceLimits): Promise<OpenedSource> {
  const file = openFile(path);
  let store: MessageStore | null = null;
  try {
    store = openMessageStore(file);
    if (store === null) throw noStore(path, file);
    const about = { format: FORMAT, path, sizeBytes: file.size, isFile: true } as const;
    if (!passwordFits(store, limits.password))
      return { ...about, notes: [await refuseProtected(path, limits)], unitCount: 0, units: () => [] };
    const charset = limits.charset ?? charsetOf(file, store);
    store = withCharsets(store, [charset]);
    const contents = listContents(store);
    if (
      contents.nids.length === 0 &&
      contents.orphans.length === 0 &&
      contents.isDamaged &&
      store.database.node(NODE_ID.store) === null
    ) {
      throw new ArchiveError("DAMAGED_SOURCE", `${path}: nothing in this PST/OST file can be read`);
    }
    const notes = storeNotes(path, store, contents);
    const withoutNode = [...contents.listedOrphans.values(), ...contents.orphans];
    const directory = readDirectory(store, { nids: contents.nids, withoutNode });
    const unitCount = Math.ceil(itemCount(contents) / nodesPerUnit(contents));
    const unitsAbout = { path, password: limits.password, directory, charset };
    return { ...about, notes, unitCount, units: () => unitsOf(contents, unitsAbout) };
  } finally {
    store?.database.close();
    file.close();
  }
}

/** Uses a separate reader, whose damage notes are reported when the store itself is read. */
function charsetOf(file: PstFile, { header }: MessageStore): string | null {
  const sample = header.layout === ANSI ? openMessageStore(file) : null;
  if (sample === null) return null;
  try {
    return inferCharset(sample);
  } finally {
    sample.database.close();
  }
}

function openFile(path: string): PstFile {
  try {
    return new PstFile(path);
  } catch (cause) {
    if (systemErrorCode(cause) === null) throw cause;
    throw new ArchiveError("SOURCE_UNREADABLE", `${path}: cannot be read`, { cause });
  }
}

function noStore(path: string, file: PstFile): ArchiveError {
  if (!hasPstSignature(bytesAt(file, 0, 4)))
    return new ArchiveError("UNSUPPORTED_FORMAT", `${path}: not a PST or OST file (no !BDN at its start)`);
  return new ArchiveError("DAMAGED_SOURCE", `${path}: the file ends within the header of the PST/OST`);
}

/** Note about a skipped protected store. Its fingerprint is that of the file. */
async function refuseProtected(path: string, limits: SourceLimits): Promise<SourceItem> {
  const given = limits.password === null ? "it is password-protected" : "wrong password";
  if (limits.skipProtected !== true) throw new ArchiveError("PASSWORD_REQUIRED", `${path}: ${given}`);
  return {
    kind: "skipped",
    code: "password-protected",
    message: `skipped: ${given}; to add it later, run extract with --incremental and --password-file`,
    sha256: (await hashFile(path)).sha256,
    mailbox: basename(path),
    location: "",
  };
}

/** The items of a store in columns: 8 bytes each, so ten million items take 80 MB. */
interface Contents {
  readonly mailboxes: readonly string[];
  readonly nids: Uint32Array;
  /** Index into `mailboxes`, times 4, plus index into `ORIGINS`. */
  readonly places: Uint32Array;
  /** Blocks of items whose nodes are lost, by the id under which their folder lists them. */
  readonly listedOrphans: ReadonlyMap<number, NodeData>;
  /** Items without a path to them, if pages of the node tree are lost. */
  readonly orphans: readonly NodeData[];
  /** With lost tree pages, every reader would have to scan the whole file, so there is only one unit. */
  readonly isDamaged: boolean;
  /** Associated messages with views and settings, by class. */
  readonly settings: ReadonlyMap<string, number>;
}

/** Seen ids, one bit each: 16 MB if a store uses them all. */
class NodeSet {
  private bits = new Uint32Array(1024);

  /** Returns false if it was already there. */
  add(nid: number): boolean {
    const index = nid >>> 5;
    const word = index >>> 5;
    if (word >= this.bits.length) {
      const grown = new Uint32Array(Math.max(word + 1, this.bits.length * 2));
      grown.set(this.bits);
      this.bits = grown;
    }
    const bit = 1 << (index & 31);
    const isNew = (this.bits[word]! & bit) === 0;
    this.bits[word] = this.bits[word]! | bit;
    return isNew;
  }
}

/** The items that folders list, in node order; then every message node that no folder lists. */
function listContents(store: MessageStore): Contents {
  // Reads the whole tree first: a lost page found late would turn half the units into scans.
  store.database.countBlocks();
  const nids = new Uint32Column();
  const places = new Uint32Column();
  const seen = new NodeSet();
  const mailboxes: string[] = [];
  const mailboxOf = new Map<number, number>();
  const add = (nid: number, mailbox: number, origin: PstNode["origin"]): void => {
    if (!seen.add(nid)) return;
    nids.push(nid);
    places.push(mailbox * 4 + ORIGINS.indexOf(origin));
  };
  for (const folder of readFolders(store)) {
    mailboxOf.set(folder.nid, mailboxes.length);
    mailboxes.push(folder.path);
    for (const nid of listedNodes(store, folder.nid)) add(nid, mailboxes.length - 1, "listed");
  }
  sortByNode(nids.view(), places.view());
  mailboxes.push(ORPHANS);
  const { database } = store;
  const mailboxBelow = (parentNid: number): number => mailboxOf.get(parentNid) ?? mailboxes.length - 1;
  database.eachNode(NODE_TYPE.message, (nid, parentNid) => add(nid, mailboxBelow(parentNid), "orphan"));
  for (const node of scannedNodes(database, NODE_TYPE.message))
    add(node.nid, mailboxBelow(node.parentNid), "recovered");
  const associated = associatedMessages(store);
  for (const { nid, parentNid } of associated.kept) add(nid, mailboxBelow(parentNid), "listed");
  const { isDamaged } = database;
  const found = database.hasLostNodes ? findOrphanObjects(store.database) : [];
  const listed = found.length === 0 ? new Map<number, NodeData>() : listedOrphans(store, mailboxOf.keys(), found);
  const filed = new Set(listed.values());
  const orphans = found.filter((orphan) => !filed.has(orphan));
  return {
    mailboxes,
    nids: nids.view(),
    places: places.view(),
    listedOrphans: listed,
    orphans,
    isDamaged,
    settings: associated.leftOut,
  };
}

/**
 * Sorts items by node: the order of creation, and mostly of their blocks in the file. Reading by folder would pass over
 * the file once per folder and fetch twice the bytes.
 */
function sortByNode(nids: Uint32Array, places: Uint32Array): void {
  const pairs = new Uint32Array(2 * nids.length);
  for (let index = 0; index < nids.length; index++) {
    pairs[2 * index] = places[index]!;
    pairs[2 * index + 1] = nids[index]!;
  }
  // Sorted as 64-bit numbers with the id in the upper half: a native sort, without callbacks for ten million of them.
  new BigUint64Array(pairs.buffer).sort();
  for (let index = 0; index < nids.length; index++) {
    places[index] = pairs[2 * index]!;
    nids[index] = pairs[2 * index + 1]!;
  }
}

function storeNotes(
  path: string,
  store: MessageStore,
  { orphans, listedOrphans: listed, settings }: Contents,
): readonly SourceItem[] {
  const place = { mailbox: basename(path), location: "" };
  const notes = store.database.log.drain().map((damage) => noteOf(damage, place, null));
  const add = (code: WarningCode, message: string): void => {
    notes.push({ kind: "note", code, message, sha256: null, ...place });
  };
  if (!store.header.isIntact) add("header-damaged", "the header of the store does not match its CRC");
  if (store.passwordCrc === null)
    add("password-unclear", "the password property is damaged; the store was read without a password");
  const found = orphans.length + listed.size;
  if (found > 0)
    add(
      "items-without-node",
      `${found} items were recovered from their data; the folder of ${orphans.length} is unknown`,
    );
  const leftOut = summarizeSkipped(settings);
  if (leftOut !== null) add("settings-left-out", leftOut);
  const { declaredSize } = store.header;
  if (store.header.isIntact && declaredSize > store.database.size)
    add("file-truncated", `the store should have ${declaredSize} bytes, but the file has ${store.database.size}`);
  return notes;
}

function itemCount({ nids, orphans }: Contents): number {
  return nids.length + orphans.length;
}

function nodesPerUnit(contents: Contents): number {
  if (contents.isDamaged) return Math.max(1, itemCount(contents));
  const part = Math.ceil(contents.nids.length / UNITS_WANTED);
  return Math.min(MAX_NODES_PER_UNIT, Math.max(MIN_NODES_PER_UNIT, part));
}

function* unitsOf(
  contents: Contents,
  about: Pick<PstUnit, "path" | "password" | "directory" | "charset">,
): Generator<WorkUnit> {
  const count = itemCount(contents);
  const size = nodesPerUnit(contents);
  for (let first = 0; first < count; first += size) {
    const nodes = Array.from({ length: Math.min(size, count - first) }, (_, index) => nodeAt(contents, first + index));
    yield { kind: "pst", nodes, ...about };
  }
}

/** Entries with a node first. */
function nodeAt(contents: Contents, index: number): PstNode {
  const { nids, places, mailboxes, listedOrphans: listed, orphans } = contents;
  if (index >= nids.length)
    return { nid: 0, blocks: orphans[index - nids.length]!, mailbox: ORPHANS, origin: "recovered" };
  const nid = nids[index]!;
  const place = places[index]!;
  const blocks = listed.get(nid) ?? null;
  return { nid, blocks, mailbox: mailboxes[place >>> 2]!, origin: blocks === null ? ORIGINS[place & 3]! : "recovered" };
}

/** The items of one unit, in order. */
export function* readPstUnit(unit: PstUnit): Generator<SourceItem> {
  const file = new PstFile(unit.path);
  let store: MessageStore | null = null;
  try {
    store = openMessageStore(file);
    if (store === null || !passwordFits(store, unit.password))
      throw new ArchiveError("SOURCE_CHANGED", `${unit.path}: changed while it was read`);
    store = withCharsets(store, [unit.charset]);
    if (unit.nodes.some(({ origin }) => origin === "recovered")) store.database.recover();
    const rows = new FolderRows(store);
    const reading = {
      store,
      directory: new Map(unit.directory),
      lost: new LostItems(store, rows),
      times: new ListedTimes(store, rows, unit.nodes),
    };
    for (const node of unit.nodes) for (const item of readGuarded(node, reading)) yield item;
  } finally {
    store?.database.close();
    file.close();
  }
}

/** The readers do not throw for damage; if one does, that item is lost and the run continues. */
function readGuarded(node: PstNode, reading: PstReading): readonly SourceItem[] {
  try {
    return readPstNode(node, reading);
  } catch (error) {
    if (systemErrorCode(error)?.startsWith("E") === true && !systemErrorCode(error)!.startsWith("ERR_")) throw error;
    const message = `unreadable: ${error instanceof Error ? error.message : String(error)}`;
    return [
      {
        kind: "damaged",
        code: "reader-fault",
        message,
        sha256: null,
        ...placeOfNode(node),
      },
    ];
  }
}

/**
 * The items of one unit as lost items. They are not read again: each has the fingerprint of the block with its
 * properties.
 */
export function* losePstUnit(unit: PstUnit, loss: Finding): Generator<SourceItem> {
  for (const node of unit.nodes) yield { kind: "damaged", ...loss, ...placeOfNode(node), sha256: nodeHash(unit, node) };
}

/** Hash of the block with the properties of a node; null if unreadable. */
function nodeHash(unit: PstUnit, node: PstNode): string | null {
  const file = new PstFile(unit.path);
  let store: MessageStore | null = null;
  try {
    store = openMessageStore(file);
    const entry = node.blocks ?? store?.database.node(node.nid) ?? null;
    const block = entry === null ? null : (store?.database.readBlock(entry.dataBid) ?? null);
    return block === null ? null : hash("sha256", bufferOf(block));
  } finally {
    store?.database.close();
    file.close();
  }
}

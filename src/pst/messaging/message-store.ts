import { type ByteRange, fullRange } from "../../properties/byte-range.ts";
import { mapiCrc } from "../../properties/crc.ts";
import { NO_NAMES, readPropertyNames } from "../../properties/named-properties.ts";
import { Properties, type StoreContext } from "../../properties/properties.ts";
import { PID } from "../../properties/property-ids.ts";
import { charsetOfCodePage, textCharsets } from "../../properties/text-code-page.ts";
import { settleEncoding } from "../ltp/encoding-detection.ts";
import { PropertyContext } from "../ltp/property-context.ts";
import type { ByteSource } from "../ndb/byte-source.ts";
import { type FileHeader, readFileHeader } from "../ndb/file-header.ts";
import { NodeDatabase } from "../ndb/node-database.ts";
import { NODE_ID } from "../ndb/node-entry.ts";
import { findOrphanNameMap } from "./orphan-objects.ts";

/**
 * An opened PST or OST. Opening reads the header, the properties of the store and its names: a few pages, at any file
 * size.
 */
export interface MessageStore {
  readonly header: FileHeader;
  readonly database: NodeDatabase;
  readonly context: StoreContext;
  /** The root of the user's folders; null if the store does not name it. */
  readonly ipmSubtreeNid: number | null;
  /** CRC of the password; 0 without a password; null if its property is damaged. */
  readonly passwordCrc: number | null;
  /** Buffer for the duration of one call, shared by all items. */
  readonly scratch: ByteRange;
}

/** Buffer for the small values of nearly every item. */
const SCRATCH_BYTES = 64 << 10;

/** Null if the bytes are not a store: no signature, or the file ends within the header. */
export function openMessageStore(source: ByteSource): MessageStore | null {
  const header = readFileHeader(source);
  if (header === null) return null;
  const database = new NodeDatabase(source, header);
  settleEncoding(database);
  const names = contextOf(database, NODE_ID.nameToIdMap) ?? orphanNameMap(database);
  const nameMap = names === null ? NO_NAMES : readPropertyNames(names);
  const bytes = contextOf(database, NODE_ID.store);
  const properties = bytes === null ? null : new Properties(bytes, { charsets: [], names: nameMap });
  const charsets = [PID.messageCodePage, PID.codePageId].map((id) =>
    charsetOfCodePage(properties?.integer(id) ?? null),
  );
  const subtree = properties?.binary(PID.ipmSubtreeEntryId) ?? null;
  return {
    header,
    database,
    context: { charsets: textCharsets(charsets), names: nameMap },
    // A PST entry id is flags, the store's GUID and the node id ([MS-PST] 2.4.3.2).
    ipmSubtreeNid: subtree !== null && subtree.length >= 24 ? subtree.readUInt32LE(20) : null,
    // OSTs belong to a mail account and have no password; this field is all ones.
    passwordCrc: header.isOffline ? 0 : passwordCrcOf(database, properties),
    scratch: fullRange(Buffer.allocUnsafeSlow(SCRATCH_BYTES)),
  };
}

/**
 * A CRC from a damaged block does not indicate a password. Passwords do not protect the data, so a damaged store is
 * read, with a note.
 */
function passwordCrcOf(database: NodeDatabase, properties: Properties | null): number | null {
  const crc = (properties?.integer(PID.passwordCrc) ?? 0) >>> 0;
  const node = crc === 0 ? null : database.node(NODE_ID.store);
  return node === null || database.isIntact(node.dataBid) ? crc : null;
}

function orphanNameMap(database: NodeDatabase): PropertyContext | null {
  const node = database.hasLostNodes ? findOrphanNameMap(database) : null;
  return node === null ? null : PropertyContext.open(database, node);
}

function contextOf(database: NodeDatabase, nid: number): PropertyContext | null {
  const node = database.node(nid);
  return node === null ? null : PropertyContext.open(database, node);
}

/**
 * True if an encoding of a password has the stored CRC ([MS-PST] 2.4.9.1.1.1). Outlook uses its ANSI code page, other
 * writers UTF-8. @param passwords one per line, for several stores
 */
export function passwordFits(store: MessageStore, passwords: string | null): boolean {
  if (store.passwordCrc === 0 || store.passwordCrc === null) return true;
  if (passwords === null) return false;
  return passwords
    .split("\n")
    .flatMap((password) => PASSWORD_ENCODINGS.map((encoding) => Buffer.from(password, encoding)))
    .some((bytes) => mapiCrc(bytes) === store.passwordCrc);
}

const PASSWORD_ENCODINGS = ["latin1", "utf8", "utf16le"] as const;

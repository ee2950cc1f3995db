import { type FileLayout, plainBid, readId } from "./file-layout.ts";

/** A node of the store ([MS-PST] 2.2.2.7.7.4): where its data and its subnodes are. */
export interface NodeEntry {
  readonly nid: number;
  readonly dataBid: number;
  /** 0 if it has no subnodes. */
  readonly subnodeBid: number;
  readonly parentNid: number;
}

/** A block of the store ([MS-PST] 2.2.2.7.7.3). */
export interface BlockEntry {
  readonly bid: number;
  readonly offset: number;
  /** Bytes as stored, without padding and trailer. */
  readonly storedSize: number;
  /** Bytes of data: differs from `storedSize` if the block is deflated. */
  readonly size: number;
}

/** Low five bits of a node id ([MS-PST] 2.2.2.1). */
export const NODE_TYPE = {
  folder: 0x02,
  searchFolder: 0x03,
  message: 0x04,
  attachment: 0x05,
  associatedMessage: 0x08,
} as const;
/** Types that no node has ([MS-PST] 2.2.2.1). */
const UNUSED_TYPES: ReadonlySet<number> = new Set([
  0x09, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e,
]);

/** True for an impossible node id: the entry belongs to another node. */
export function isImpossibleNode(nid: number): boolean {
  return UNUSED_TYPES.has(nodeType(nid));
}

export const NODE_ID = {
  store: 0x21,
  nameToIdMap: 0x61,
  rootFolder: 0x122,
  attachmentTable: 0x671,
  recipientTable: 0x692,
} as const;
/** Added to the id of a folder (type bits cleared), gives the ids of its tables. */
export const FOLDER_TABLE = { hierarchy: 0x0d, contents: 0x0e, associated: 0x0f } as const;

export function nodeType(nid: number): number {
  return nid & 0x1f;
}

/** Id of a folder's table: same index, other type. */
export function tableOfFolder(folderNid: number, type: number): number {
  return ((folderNid & ~0x1f) | type) >>> 0;
}

/** Ids before the parent of a node in its entry: its own, then those of its two blocks. */
export const PARENT_AT = 3;

/** Node ids have 32 bits; Unicode stores use 64, with an undefined upper half. */
export function readNodeEntry(data: DataView, offset: number, layout: FileLayout): NodeEntry {
  const { idSize } = layout;
  return {
    nid: data.getUint32(offset, true),
    dataBid: plainBid(readId(data, offset + idSize, idSize)),
    subnodeBid: plainBid(readId(data, offset + 2 * idSize, idSize)),
    parentNid: data.getUint32(offset + PARENT_AT * idSize, true),
  };
}

export function readBlockEntry(data: DataView, offset: number, layout: FileLayout): BlockEntry {
  const { idSize } = layout;
  const storedSize = data.getUint16(offset + 2 * idSize, true);
  return {
    bid: plainBid(readId(data, offset, idSize)),
    offset: readId(data, offset + idSize, idSize),
    storedSize,
    size: layout.compresses ? data.getUint16(offset + 2 * idSize + 2, true) : storedSize,
  };
}

/**
 * The three variants of the file format as tables of offsets ([MS-PST] 2.2.2; the 4K variant of Outlook 2013 is not in
 * the specification and was derived from stores). All readers are written once, against this record.
 */
export interface FileLayout {
  readonly name: "ansi" | "unicode" | "unicode-4k";
  /** Width of a block id, of a file offset and of a node id in tree entries, in bytes. */
  readonly idSize: 4 | 8;
  readonly header: {
    readonly fileEnd: number;
    readonly nodeTree: number;
    readonly blockTree: number;
    readonly encoding: number;
    readonly size: number;
  };
  readonly page: PageLayout;
  readonly block: BlockLayout;
  /** Bits of a heap id: 5 of type, then the allocation index, then the block. */
  readonly heapIndexBits: number;
  /** True if blocks may be deflated; the block tree then has their inflated size. */
  readonly compresses: boolean;
}

interface PageLayout {
  readonly size: number;
  /** Bytes covered by the CRC: everything before the trailer. */
  readonly trailer: number;
  readonly entriesEnd: number;
  readonly count: number;
  readonly countSize: 1 | 2;
  readonly entrySize: number;
  readonly level: number;
  /** Bytes of the smallest entry of an inner page; and of a leaf, of the block tree and of the node tree. */
  readonly innerEntry: number;
  readonly leafEntries: readonly [block: number, node: number];
  /** Offsets from the start of the trailer. */
  readonly crc: number;
  readonly bid: number;
}

interface BlockLayout {
  readonly trailerSize: number;
  readonly alignment: number;
  /** Maximum stored size of a block. */
  readonly maxStored: number;
  /** Largest data after inflating. */
  readonly maxInflated: number;
  readonly crc: number;
  readonly bid: number;
  /** Trailer field with the inflated size; null if blocks are not deflated. */
  readonly inflatedSize: number | null;
}

const UNICODE_HEADER = { fileEnd: 184, nodeTree: 224, blockTree: 240, encoding: 513, size: 564 } as const;

export const ANSI: FileLayout = {
  name: "ansi",
  idSize: 4,
  header: { fileEnd: 168, nodeTree: 188, blockTree: 196, encoding: 461, size: 512 },
  page: {
    size: 512,
    trailer: 500,
    entriesEnd: 496,
    count: 496,
    countSize: 1,
    entrySize: 498,
    level: 499,
    innerEntry: 12,
    leafEntries: [12, 16],
    crc: 8,
    bid: 4,
  },
  block: { trailerSize: 12, alignment: 64, maxStored: 8180, maxInflated: 8180, crc: 8, bid: 4, inflatedSize: null },
  heapIndexBits: 11,
  compresses: false,
};

export const UNICODE: FileLayout = {
  name: "unicode",
  idSize: 8,
  header: UNICODE_HEADER,
  page: {
    size: 512,
    trailer: 496,
    entriesEnd: 488,
    count: 488,
    countSize: 1,
    entrySize: 490,
    level: 491,
    innerEntry: 24,
    leafEntries: [20, 28],
    crc: 4,
    bid: 8,
  },
  block: { trailerSize: 16, alignment: 64, maxStored: 8176, maxInflated: 8176, crc: 4, bid: 8, inflatedSize: null },
  heapIndexBits: 11,
  compresses: false,
};

export const UNICODE_4K: FileLayout = {
  name: "unicode-4k",
  idSize: 8,
  header: UNICODE_HEADER,
  page: {
    size: 4096,
    trailer: 4072,
    entriesEnd: 4056,
    count: 4056,
    countSize: 2,
    entrySize: 4060,
    level: 4061,
    innerEntry: 24,
    leafEntries: [20, 28],
    crc: 4,
    bid: 8,
  },
  block: { trailerSize: 24, alignment: 512, maxStored: 65512, maxInflated: 65535, crc: 4, bid: 8, inflatedSize: 18 },
  heapIndexBits: 14,
  compresses: true,
};

/** `wVer` of the header ([MS-PST] 2.2.2.6): 14 and 15 ANSI, 23 Unicode, 36 and above Unicode with 4K pages. */
export function layoutOfVersion(version: number): FileLayout | null {
  if (version === 14 || version === 15) return ANSI;
  if (version >= 36 && version <= 64) return UNICODE_4K;
  if (version >= 20 && version < 36) return UNICODE;
  return null;
}

/**
 * Reads a node id, block id or file offset of the layout's width. Exact to 2^53. The bytes must exist. Values of up
 * to 32 bits are not computed by multiplication, because V8 stores the result as a slow floating-point number.
 */
export function readId(data: DataView, offset: number, idSize: 4 | 8): number {
  const low = data.getUint32(offset, true);
  const high = idSize === 4 ? 0 : data.getUint32(offset + 4, true);
  return high === 0 ? low : high * 0x1_0000_0000 + low;
}

/**
 * Block ids have a reserved lowest bit that writers set arbitrarily ([MS-PST] 2.2.2.2). Never uses 32-bit operators:
 * ids exceed 2^32.
 */
export function plainBid(bid: number): number {
  return bid % 2 === 0 ? bid : bid - 1;
}

/** Bit 1 marks blocks with ids of other blocks; they are never encoded. */
export function isInternalBid(bid: number): boolean {
  return bid % 4 >= 2;
}

/** `wSig` of pages and blocks ([MS-PST] 5.5): offset and id, folded to their low halves. */
export function pstSignature(offset: number, bid: number): number {
  const folded = (offset % 0x1_0000_0000) ^ (bid % 0x1_0000_0000);
  return (folded >>> 16) ^ (folded & 0xffff);
}

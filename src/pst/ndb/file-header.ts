import { dataViewOf } from "../../properties/byte-range.ts";
import { mapiCrc } from "../../properties/crc.ts";
import { type BlockEncoding, encodingOfByte } from "./block-encoding.ts";
import { type ByteSource, bytesAt } from "./byte-source.ts";
import { ANSI, type FileLayout, layoutOfVersion, readId, UNICODE, UNICODE_4K } from "./file-layout.ts";

/** `!BDN`, little-endian ([MS-PST] 2.2.2.6). */
const MAGIC = 0x4e44_4221;
/** Bytes covered by the partial CRC, from `wMagicClient` at 8 on. */
const PARTIAL_CRC_LENGTH = 471;

export interface FileHeader {
  readonly layout: FileLayout;
  readonly encoding: BlockEncoding;
  /** File offsets of the root pages. */
  readonly nodeTreeRoot: number;
  readonly blockTreeRoot: number;
  /** The file length according to the store; the file is truncated if it is shorter. */
  readonly declaredSize: number;
  /** False if the CRC of the header is wrong; its offsets are then verified before use. */
  readonly isIntact: boolean;
  /** `wMagicClient` is that of an offline store (OST), not of a PST. */
  readonly isOffline: boolean;
}

/** `SO`: written by the OST side of Outlook. */
const OFFLINE_CLIENT = 0x4f53;

/** True if the bytes begin like a PST or OST. */
export function hasPstSignature(start: Uint8Array): boolean {
  return start.length >= 4 && start[0] === 0x21 && start[1] === 0x42 && start[2] === 0x44 && start[3] === 0x4e;
}

/**
 * Reads the header. Returns null if the signature is missing or the file ends before its header does. Later fields
 * may be damaged; the layout is then inferred from root pointers with valid targets.
 */
export function readFileHeader(source: ByteSource): FileHeader | null {
  const bytes = Buffer.from(bytesAt(source, 0, UNICODE.header.size));
  if (bytes.length < ANSI.header.size || bytes.readUInt32LE(0) !== MAGIC) return null;
  const layout = layoutOfVersion(bytes.readUInt16LE(10)) ?? guessLayout(source, bytes);
  if (bytes.length < layout.header.size) return null;
  const { nodeTree, blockTree, fileEnd, encoding } = layout.header;
  const data = dataViewOf(bytes);
  const isIntact = mapiCrc(bytes.subarray(8, 8 + PARTIAL_CRC_LENGTH)) === bytes.readUInt32LE(4);
  return {
    layout,
    // An unknown method is a flipped bit: use permute, Outlook's default for PSTs.
    encoding: encodingOfByte(bytes[encoding]!) ?? (layout.compresses ? "none" : "permute"),
    nodeTreeRoot: readId(data, nodeTree, layout.idSize),
    blockTreeRoot: readId(data, blockTree, layout.idSize),
    declaredSize: readId(data, fileEnd, layout.idSize),
    isIntact,
    isOffline: bytes.readUInt16LE(8) === OFFLINE_CLIENT,
  };
}

/** For a damaged version: returns the layout whose offsets lead to a page of the node tree. */
function guessLayout(source: ByteSource, header: Buffer): FileLayout {
  for (const layout of [UNICODE_4K, UNICODE, ANSI]) {
    if (header.length < layout.header.size) continue;
    const root = readId(dataViewOf(header), layout.header.nodeTree, layout.idSize);
    const page = bytesAt(source, root, layout.page.size);
    if (
      page.length === layout.page.size &&
      page[layout.page.trailer] === 0x81 &&
      page[layout.page.trailer + 1] === 0x81
    )
      return layout;
  }
  return UNICODE;
}

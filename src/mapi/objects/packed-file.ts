import { decodeCharset } from "../../charset/decode-charset.ts";
import type { CompoundStorage } from "../../compound/compound-file.ts";
import { ByteReader } from "../../properties/byte-reader.ts";

/** A file inside the data of an attachment. */
export interface PackedFile {
  /** "" if it has no name. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** Streams with the unchanged file, in upper case: of documents and OpenDocument files. */
const WHOLE_STREAMS: readonly string[] = ["CONTENTS", "PACKAGE", "EMBEDDEDODF"];
const NATIVE_STREAM = "\x01OLE10NATIVE";
/** First byte of Packager data. */
const PACKAGER_MARK = 2;
/** Maximum bytes of a name or path: Windows allows 32,767 characters. */
const MAX_NAME_BYTES = 65_536;

/** The file in an OLE storage; null if its program stores data differently. */
export function fileInStorage(storage: CompoundStorage, decodeAnsi: (text: Buffer) => string): PackedFile | null {
  const native = storage.streams.get(NATIVE_STREAM)?.bytes();
  if (native !== undefined && native.length > 4) return readNative(native, decodeAnsi);
  for (const name of WHOLE_STREAMS) {
    const bytes = storage.streams.get(name)?.bytes();
    if (bytes !== undefined && bytes.length > 0) return { name: "", bytes };
  }
  return null;
}

/** OLE 1.0 data ([MS-OLEDS] 2.3.6): its size, then the file; Packager data has a name and two paths before the file. */
function readNative(native: Buffer, decodeAnsi: (text: Buffer) => string): PackedFile {
  const size = Math.min(native.readUInt32LE(0), native.length - 4);
  const data = native.subarray(4, 4 + size);
  const reader = new ByteReader(data);
  if (reader.uint16() === PACKAGER_MARK) {
    const label = cString(data, 2);
    const path = label === null ? null : cString(data, 2 + label.length + 1);
    if (label !== null && path !== null) {
      const rest = new ByteReader(data, 2 + label.length + 1 + path.length + 1 + 4);
      rest.skip(rest.uint32());
      const length = rest.uint32();
      const bytes = rest.view(Math.min(length, rest.left));
      if (!rest.isCut) return { name: baseName(decodeAnsi(label) || decodeAnsi(path)), bytes };
    }
  }
  return { name: "", bytes: data };
}

function cString(bytes: Buffer, start: number): Buffer | null {
  const end = bytes.subarray(start, start + MAX_NAME_BYTES).indexOf(0);
  return end < 0 ? null : bytes.subarray(start, start + end);
}

function baseName(path: string): string {
  return path.replace(/^.*[\\/]/s, "");
}

/** `PidTagAttachEncoding` of a file in MacBinary format: the object identifier 1.2.840.113556.3.11.1 ([MS-OXCMSG] 2.2.2.20). */
export const MAC_BINARY_ENCODING = Buffer.from("2a864886f714030b01", "hex");
/** Offsets in the header of MacBinary: length and text of the name, size of the data, size of a second header. */
const MAC_HEADER = { size: 128, nameLength: 1, name: 2, dataSize: 83, extraSize: 120 } as const;
/** Longest name of a file in old versions of Mac OS, in bytes. */
const MAX_MAC_NAME = 63;

/** The data fork of a MacBinary file; null if the bytes are no MacBinary, or a file without data. */
export function fileInMacBinary(bytes: Buffer): PackedFile | null {
  if (bytes.length <= MAC_HEADER.size || bytes[0] !== 0) return null;
  const nameLength = bytes[MAC_HEADER.nameLength]!;
  const size = bytes.readUInt32BE(MAC_HEADER.dataSize);
  const start =
    MAC_HEADER.size + Math.ceil(bytes.readUInt16BE(MAC_HEADER.extraSize) / MAC_HEADER.size) * MAC_HEADER.size;
  if (nameLength < 1 || nameLength > MAX_MAC_NAME || size === 0 || start + size > bytes.length) return null;
  const name = decodeCharset(bytes.subarray(MAC_HEADER.name, MAC_HEADER.name + nameLength), "macintosh");
  return { name, bytes: bytes.subarray(start, start + size) };
}

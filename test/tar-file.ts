/** A tar entry of a test; missing fields are as a correct writer writes them. */
export interface TarPart {
  readonly name: string | Buffer;
  readonly content?: Buffer | string;
  /**
   * Type flag (POSIX ustar): `0` file, `1` hard link, `2` symbolic link, `3` `4` devices, `5` directory, `6` FIFO, `x`
   * extended header, `L` GNU long name.
   */
  readonly type?: string;
  readonly linkName?: string;
  /** Size in the header instead of that of the content. */
  readonly declaredBytes?: number;
  /** A tar from before POSIX has no magic word. */
  readonly isOld?: boolean;
}

const RECORD_BYTES = 512;

/** A tar of the parts with its two end records. */
export function buildTar(parts: readonly TarPart[]): Buffer {
  return Buffer.concat([...parts.map(tarEntry), Buffer.alloc(2 * RECORD_BYTES)]);
}

/** A record of the extended header (pax): `length key=value\n`. */
export function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  length = rest + String(length).length;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

export function tarEntry(part: TarPart): Buffer {
  const content = Buffer.from(part.content ?? "");
  const header = Buffer.alloc(RECORD_BYTES);
  (typeof part.name === "string" ? Buffer.from(part.name) : part.name).copy(header, 0, 0, 100);
  header.write("0000600\0", 100, "latin1");
  header.write("0000000\0", 108, "latin1");
  header.write("0000000\0", 116, "latin1");
  writeSize(header, part.declaredBytes ?? content.length);
  header.write("00000000000\0", 136, "latin1");
  header.write("        ", 148, "latin1");
  header.write(part.type ?? "0", 156, "latin1");
  header.write(part.linkName ?? "", 157, 100);
  if (part.isOld !== true) header.write("ustar\x0000", 257, "latin1");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return Buffer.concat([
    header,
    content,
    Buffer.alloc((RECORD_BYTES - (content.length % RECORD_BYTES)) % RECORD_BYTES),
  ]);
}

/** Octal, or base 256 if that is too short (GNU). */
function writeSize(header: Buffer, size: number): void {
  if (size < 8 ** 11) {
    header.write(`${size.toString(8).padStart(11, "0")}\0`, 124, "latin1");
    return;
  }
  header[124] = 0x80;
  header.writeBigUInt64BE(BigInt(size), 128);
}

/** A file entry of a tar archive. */
export interface TarEntry {
  readonly path: string;
  readonly file: Blob;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
}

/** Bytes of a block (POSIX.1-2017, pax, "ustar Interchange Format"). */
const BLOCK = 512;
/** Maximum bytes of a path in the header itself. */
const MAX_NAME_BYTES = 100;

/** Parts of a tar archive; a Blob of them copies nothing into memory. */
export function tarOfFiles(entries: readonly TarEntry[]): BlobPart[] {
  const parts: BlobPart[] = [];
  for (const { path, file, modifiedAt } of entries) {
    const name = new TextEncoder().encode(path);
    if (name.length > MAX_NAME_BYTES || name.some((byte) => byte > 126)) {
      const record = paxRecord(path);
      parts.push(header("pax", record.length, modifiedAt, "x"), record, padding(record.length));
    }
    parts.push(header(path, file.size, modifiedAt, "0"), file, padding(file.size));
  }
  parts.push(new Uint8Array(2 * BLOCK));
  return parts;
}

/**
 * `length path=value
 * `, where the length includes its own digits.
 */
function paxRecord(path: string): Uint8Array<ArrayBuffer> {
  const rest = new TextEncoder().encode(` path=${path}\n`).length;
  let length = rest + String(rest).length;
  length = rest + String(length).length;
  return new TextEncoder().encode(`${length} path=${path}\n`);
}

function header(path: string, size: number, modifiedAt: number, type: string): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const write = (text: string, at: number, length: number): void => {
    block.set(new TextEncoder().encode(text).subarray(0, length), at);
  };
  const number = (value: number, digits: number): string => `${value.toString(8).padStart(digits, "0")}\0`;
  write(path, 0, MAX_NAME_BYTES);
  write(number(0o644, 7), 100, 8);
  write(number(0, 7), 108, 8);
  write(number(0, 7), 116, 8);
  if (size < 8 ** 11) write(number(size, 11), 124, 12);
  else writeLargeSize(block, size);
  write(number(Math.max(0, Math.floor(modifiedAt / 1000)), 11), 136, 12);
  write("        ", 148, 8);
  write(type, 156, 1);
  write("ustar\x0000", 257, 8);
  const sum = block.reduce((total, byte) => total + byte, 0);
  write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, 8);
  return block;
}

/** Sizes from 8 GiB in base 256, which all current readers support. */
function writeLargeSize(block: Uint8Array, size: number): void {
  block[124] = 0x80;
  for (let at = 135, rest = size; at > 124 && rest > 0; at--, rest = Math.floor(rest / 256)) block[at] = rest % 256;
}

function padding(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);
}

import type { DirectoryEntry } from "./directory-entry.ts";

/** Offsets in the header ([MS-CFB] 2.2). */
const HEADER = {
  majorVersion: 26,
  sectorShift: 30,
  miniSectorShift: 32,
  directoryStart: 48,
  miniStreamCutoff: 56,
  miniFatStart: 60,
  difatStart: 68,
  difat: 76,
} as const;
const DIFAT_IN_HEADER = 109;
/** Special sector numbers: free, end of a chain, sectors of the tables. */
const MAX_SECTOR = 0xffff_fffa;
/** Sectors are 512 bytes in version 3, 4,096 in version 4; mini sectors 64. */
const SECTOR_SHIFTS: ReadonlySet<number> = new Set([9, 12]);
const MINI_SECTOR_SHIFT = 6;

const CUT_CHAIN = "a sector chain ends early or points outside the file";

/**
 * The sectors of a compound file and their chains. A sector belongs to one stream, so all streams together are at
 * most as large as the file; anything else is damage or an attack on memory.
 */
export class SectorChains {
  readonly majorVersion: number;
  private readonly shift: number;
  private readonly fat: Uint32Array;
  private readonly miniFat: Uint32Array;
  private readonly cutoff: number;
  private miniStream: Buffer = Buffer.alloc(0);
  private bytesLeft: number;

  private constructor(
    private readonly bytes: Buffer,
    private readonly faults: Set<string>,
  ) {
    this.majorVersion = bytes.readUInt16LE(HEADER.majorVersion);
    this.shift = bytes.readUInt16LE(HEADER.sectorShift);
    this.cutoff = bytes.readUInt32LE(HEADER.miniStreamCutoff);
    this.bytesLeft = bytes.length;
    this.fat = this.readFat();
    this.miniFat = numbersOf(this.chain(bytes.readUInt32LE(HEADER.miniFatStart), bytes.length));
  }

  /** Null when the header names sectors that no version has. */
  static open(bytes: Buffer, faults: Set<string>): SectorChains | null {
    const isKnown =
      SECTOR_SHIFTS.has(bytes.readUInt16LE(HEADER.sectorShift)) &&
      bytes.readUInt16LE(HEADER.miniSectorShift) === MINI_SECTOR_SHIFT;
    return isKnown ? new SectorChains(bytes, faults) : null;
  }

  /** The bytes of the directory, at most `most`. */
  directory(most: number): Buffer {
    return this.chain(this.bytes.readUInt32LE(HEADER.directoryStart), most);
  }

  /** Sets the stream of the root, whose mini sectors store streams below the cutoff. */
  useMiniStream(root: DirectoryEntry): void {
    this.miniStream = this.chain(root.start, root.sizeBytes);
  }

  /** The bytes of a stream; shorter than its declared size if some are lost. */
  stream({ start, sizeBytes }: DirectoryEntry): Buffer {
    if (sizeBytes === 0) return Buffer.alloc(0);
    const wanted = Math.min(sizeBytes, this.bytesLeft);
    const bytes = sizeBytes < this.cutoff ? this.miniChain(start, wanted) : this.chain(start, wanted);
    this.bytesLeft -= bytes.length;
    if (bytes.length < sizeBytes) this.faults.add(CUT_CHAIN);
    return bytes;
  }

  /** Reads the table of sectors, listed in the header and, for the rest, in a separate chain. */
  private readFat(): Uint32Array {
    const pieces: Buffer[] = [];
    const add = (sector: number): void => {
      if (sector < MAX_SECTOR && pieces.length * this.sectorSize < this.bytes.length) pieces.push(this.sector(sector));
    };
    for (let index = 0; index < DIFAT_IN_HEADER; index++) add(this.bytes.readUInt32LE(HEADER.difat + 4 * index));
    const perSector = this.sectorSize / 4 - 1;
    const seen = new Set<number>();
    let next = this.bytes.readUInt32LE(HEADER.difatStart);
    while (next < MAX_SECTOR && !seen.has(next)) {
      seen.add(next);
      const sector = this.sector(next);
      if (sector.length < this.sectorSize) break;
      for (let index = 0; index < perSector; index++) add(sector.readUInt32LE(4 * index));
      next = sector.readUInt32LE(4 * perSector);
    }
    return numbersOf(Buffer.concat(pieces));
  }

  private get sectorSize(): number {
    return 1 << this.shift;
  }

  private sector(number: number): Buffer {
    const at = (number + 1) * this.sectorSize;
    return this.bytes.subarray(at, at + this.sectorSize);
  }

  /** Bytes of a chain of sectors, at most `most`, which also ends a cyclic chain. Contiguous sectors are not copied. */
  private chain(start: number, most: number): Buffer {
    const limit = Math.min(most, this.bytes.length);
    return joined(this.fat, { start, limit, shift: this.shift }, (first, count) => {
      const at = (first + 1) * this.sectorSize;
      return this.bytes.subarray(at, at + count * this.sectorSize);
    });
  }

  private miniChain(start: number, most: number): Buffer {
    const limit = Math.min(most, this.miniStream.length);
    return joined(this.miniFat, { start, limit, shift: MINI_SECTOR_SHIFT }, (first, count) =>
      this.miniStream.subarray(first << MINI_SECTOR_SHIFT, (first + count) << MINI_SECTOR_SHIFT),
    );
  }
}

interface Chain {
  readonly start: number;
  /** Bytes at most. */
  readonly limit: number;
  /** Binary logarithm of the size of its sectors. */
  readonly shift: number;
}

/** Follows a chain through its table and joins runs of contiguous sectors. Stops at a missing sector. */
function joined(
  table: Uint32Array,
  { start, limit, shift }: Chain,
  run: (first: number, count: number) => Buffer,
): Buffer {
  const pieces: Buffer[] = [];
  let length = 0;
  let first = start;
  while (first < MAX_SECTOR && length < limit) {
    let count = 1;
    while (table[first + count - 1] === first + count && length + (count << shift) < limit) count++;
    const piece = run(first, count);
    pieces.push(piece);
    length += piece.length;
    if (piece.length < count << shift) break;
    first = table[first + count - 1] ?? MAX_SECTOR;
  }
  const whole = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  return whole.subarray(0, limit);
}

function numbersOf(bytes: Buffer): Uint32Array {
  const numbers = new Uint32Array(bytes.length >> 2);
  for (let index = 0; index < numbers.length; index++) numbers[index] = bytes.readUInt32LE(4 * index);
  return numbers;
}

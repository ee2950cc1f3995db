import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { encodePath } from "../../files/path-text.ts";
import { unpackedName } from "../../unpacking/archive-format.ts";
import { unpackPart } from "../../unpacking/unpack-archive.ts";
import { UNPACK_LIMITS } from "../../unpacking/unpack-limits.ts";
import { isPackedFile } from "./resolve-input.ts";

/** Maximum unpacked sources at a time: an export reads one after the other. */
const MAX_UNPACKED = 2;

/** A source inside a packed file, or the packed file itself. */
interface PackedPath {
  readonly file: string;
  /** Path inside the packed file; "" for everything. */
  readonly inside: string;
}

/** The packed file at or above this path, or null. Throws SOURCE_UNREADABLE. */
export function packedAbove(path: string): PackedPath | null {
  for (let file = path; file !== dirname(file); file = dirname(file)) {
    if (!existsSync(encodePath(file))) continue;
    if (statSync(encodePath(file)).isDirectory()) return null;
    if (isPackedFile(file)) return { file, inside: path.slice(file.length + 1).replaceAll("\\", "/") };
  }
  return null;
}

/** Removes everything that a reader of packed sources has unpacked, after it has ended. */
export function removeUnpackedSources(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}

/** Reopens packed sources; each is unpacked on first use. */
export class UnpackedSources {
  /** Directory of each unpacked source, the oldest first. */
  private readonly places = new Map<string, Promise<string>>();
  /** Packed file of each path, cached because every message needs it. */
  private readonly packed = new Map<string, PackedPath | null>();

  /** @param directory created when something is unpacked */
  constructor(private readonly directory: string) {}

  /**
   * Readable location of a source: its own path, or where it was unpacked. Throws like `unpackArchive`.
   * @param isCopy see `unpackPart`
   */
  async placeOf(path: string, isCopy: boolean): Promise<string> {
    const looked = this.packed.get(path);
    const packed = looked === undefined ? packedAbove(path) : looked;
    this.packed.set(path, packed);
    if (packed === null) return path;
    const known = this.places.get(path) ?? this.unpack(packed, isCopy);
    this.places.set(path, known);
    return known;
  }

  private async unpack({ file, inside }: PackedPath, isCopy: boolean): Promise<string> {
    const [oldest] = this.places.keys();
    if (this.places.size >= MAX_UNPACKED && oldest !== undefined) await this.remove(oldest);
    mkdirSync(this.directory, { recursive: true, mode: 0o700 });
    // A restarted thread reuses what the previous one unpacked.
    const root = join(mkdtempSync(join(this.directory, "packed-")), unpackedName(basename(file)));
    await unpackPart({ path: file, wanted: inside, isCopy }, root, UNPACK_LIMITS);
    return join(root, inside);
  }

  private async remove(path: string): Promise<void> {
    const place = await this.places.get(path)?.catch(() => null);
    this.places.delete(path);
    if (place !== undefined && place !== null) rmSync(place, { recursive: true, force: true });
  }
}

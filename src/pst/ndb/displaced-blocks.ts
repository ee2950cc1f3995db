import type { ByteSource } from "./byte-source.ts";
import type { FileLayout } from "./file-layout.ts";
import type { BlockEntry } from "./node-entry.ts";
import { isSignedForItsPlace, scanTrailers } from "./trailer-scan.ts";

/** Maximum id: ids are sequential, and no store has written so many blocks. Larger ones are text, or chance. */
const MAX_BID = 2 ** 40;
/** Limit of displaced blocks in memory, about 10 MB: no readable store has more. */
const MAX_DISPLACED = 100_000;

/** Intact blocks at offsets for which they were not written, by id. */
export type DisplacedBlocks = ReadonlyMap<number, BlockEntry>;

/**
 * Finds blocks with a valid id and CRC whose signature belongs to another location, because a disk or recovery tool
 * mixed up sectors. Reads the file once.
 */
export function findDisplacedBlocks(source: ByteSource, layout: FileLayout): DisplacedBlocks {
  const displaced = new Map<number, BlockEntry>();
  scanTrailers(
    source,
    layout,
    (claim) => claim.bid < MAX_BID && displaced.size < MAX_DISPLACED && !isSignedForItsPlace(claim),
    (entry) => displaced.set(entry.bid, entry),
  );
  return displaced;
}

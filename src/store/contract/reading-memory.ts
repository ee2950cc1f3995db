/**
 * Maximum memory of one open archive. Files are not mapped: if one were truncated while open, the system would end the
 * process (SIGBUS) instead of failing the read.
 */
export interface ReadingMemory {
  readonly cacheKib: number;
  /** Young-generation heap of its search thread, in MiB. */
  readonly nurseryMib: number;
  /** True if the checksums of the file were already compared, or it was just written. */
  readonly isChecked: boolean;
  /**
   * Maximum bytes of a file whose checksums are compared before the first result; larger files are opened without a
   * check.
   */
  readonly checkedBytes: number;
}
/** Maximum bytes that a server checks once; takes 40 ms. */
const CHECKED_ONCE_BYTES = 64 << 20;
/** Maximum bytes that a command checks on each start; takes 5 ms. */
const CHECKED_EACH_TIME_BYTES = 8 << 20;
/**
 * For a process that reads one archive. The cache has the texts of 20,000 messages: with a quarter of it, phrases of
 * common words and pages of 1,000 messages take a fifth longer. V8 would choose a nursery of 48 MiB, which becomes
 * resident after some queries; a quarter of it takes the same CPU time.
 */
export const RANDOM_READ_CACHE: ReadingMemory = {
  cacheKib: 64 * 1024,
  nurseryMib: 12,
  isChecked: false,
  checkedBytes: CHECKED_ONCE_BYTES,
};
/** For a process that answers one query. */
export const ONE_QUERY_MEMORY: ReadingMemory = { ...RANDOM_READ_CACHE, checkedBytes: CHECKED_EACH_TIME_BYTES };
/** For one scan of everything: each row is read once. */
export const SCAN_CACHE: ReadingMemory = { ...RANDOM_READ_CACHE, cacheKib: 8 * 1024, nurseryMib: 4 };
/** The same for output of this run. */
export const WRITTEN_MEMORY: ReadingMemory = { ...SCAN_CACHE, isChecked: true };
/**
 * For one of several threads that scan output of this run. With 8 MiB of cache and a nursery of 16 MiB, rendering 85,322
 * messages in two threads took 16 to 35 MB more and no less CPU time.
 */
export const DIVIDED_SCAN_MEMORY: ReadingMemory = { ...WRITTEN_MEMORY, cacheKib: 2 * 1024, nurseryMib: 6 };
/** For one of several open archives: small enough for four at a time on a busy server. */
export const SHARED_MEMORY: ReadingMemory = { ...RANDOM_READ_CACHE, cacheKib: 4 * 1024, nurseryMib: 4 };

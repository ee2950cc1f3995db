/**
 * Memory one open archive may take. Files are not mapped: where one is cut off while it is open, the system would end
 * the process (SIGBUS) instead of failing the read.
 */
export interface ReadingMemory {
  readonly cacheKib: number;
  /** Young-generation heap of its search thread, in MiB. */
  readonly nurseryMib: number;
  /** True for a file whose checksums were compared already, or that was just written. */
  readonly isChecked: boolean;
}
/**
 * For a process that reads one archive. V8 would choose a nursery of 48 MiB, all of
 * which is resident after some queries; with a quarter of it, and half the cache, answers take the same CPU time.
 */
export const WHOLE_MEMORY: ReadingMemory = {
  cacheKib: 16 * 1024,
  nurseryMib: 12,
  isChecked: false,
};
/** For one walk over everything: rows are read once. */
export const WALKING_MEMORY: ReadingMemory = { cacheKib: 8 * 1024, nurseryMib: 4, isChecked: false };
/** The same for what this run has written. */
export const WRITTEN_MEMORY: ReadingMemory = { ...WALKING_MEMORY, isChecked: true };
/** For one of several archives that are open side by side: what a server with other work can bear four times over. */
export const SHARED_MEMORY: ReadingMemory = { cacheKib: 4 * 1024, nurseryMib: 4, isChecked: false };

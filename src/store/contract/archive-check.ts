/** Limit of listed faults; further faults are counted. */
export const MAX_FAULTS = 100;

/** Faults of an archive in words; empty if it is sound. */
export interface ArchiveCheck {
  readonly faultCount: number;
  /** The first {@link MAX_FAULTS} of them. */
  readonly faults: readonly string[];
}

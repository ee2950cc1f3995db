/** Limit of listed faults; further faults are counted. */
export const MAX_FAULTS = 100;

/** What is wrong with an archive, in words for people; nothing when it is sound. */
export interface ArchiveCheck {
  readonly faultCount: number;
  /** The first {@link MAX_FAULTS} of them. */
  readonly faults: readonly string[];
}

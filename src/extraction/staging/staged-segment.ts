/**
 * What becomes of one staged record: the ordinal it is kept under, minus the ordinal it duplicates, or 0 when it is
 * left out.
 */
export type Actions = Int32Array;
export const LEFT_OUT = 0;
/** Appointments and items have no message ordinal; they are kept under the largest number an Int32Array holds. */
export const KEPT_ITEM = 0x7fff_ffff;

/** The staged records of one unit, and what becomes of each. */
export interface StagedSegment {
  readonly path: string;
  readonly actions: Actions;
  readonly source: number;
  /** Where the attachments of its messages wait; null when they are not saved. */
  readonly attachmentDirectory: string | null;
}

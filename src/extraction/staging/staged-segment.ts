import type { PagedInt32Column } from "../../columns/paged-column.ts";
import type { MessageOrdinal } from "../../mail/records/ordinal.ts";

/** Action for one staged record. */
export type Action =
  | { readonly kind: "left_out" }
  /** Appointments and items: they have no message ordinal. */
  | { readonly kind: "kept_item" }
  | { readonly kind: "kept"; readonly ordinal: MessageOrdinal }
  /** Adds an occurrence to the message of an ordinal. */
  | { readonly kind: "copy"; readonly of: MessageOrdinal };

export const LEFT_OUT: Action = { kind: "left_out" };
export const KEPT_ITEM: Action = { kind: "kept_item" };

/** Actions as posted between threads: the ordinal of a kept message, or minus that of its original. */
export type PackedActions = Int32Array;
const PACKED_LEFT_OUT = 0;
/** Maximum of an Int32Array; ordinals are smaller. */
const PACKED_KEPT_ITEM = 0x7fff_ffff;

export function packActions(actions: readonly Action[]): PackedActions {
  return Int32Array.from(actions, (action) => {
    switch (action.kind) {
      case "left_out":
        return PACKED_LEFT_OUT;
      case "kept_item":
        return PACKED_KEPT_ITEM;
      case "kept":
        return action.ordinal;
      case "copy":
        return -action.of;
    }
  });
}

/** Action of a record by its index in the unit. */
export function actionAt(actions: PackedActions, index: number): Action {
  const packed = actions[index] ?? PACKED_LEFT_OUT;
  if (packed === PACKED_LEFT_OUT) return LEFT_OUT;
  if (packed === PACKED_KEPT_ITEM) return KEPT_ITEM;
  return packed > 0
    ? { kind: "kept", ordinal: packed as MessageOrdinal }
    : { kind: "copy", of: -packed as MessageOrdinal };
}

/** Number of records of a unit that are not omitted. */
export function countStaged(actions: PackedActions): number {
  return actions.reduce((count, packed) => count + (packed === PACKED_LEFT_OUT ? 0 : 1), 0);
}

/** Number of messages of a unit that get their own ordinal. */
function countMessages(actions: PackedActions): number {
  return actions.reduce((count, packed) => count + (packed > 0 && packed !== PACKED_KEPT_ITEM ? 1 : 0), 0);
}

/** The action for each record of one unit, until the archive is filled; mostly stored in a file. */
export class SegmentActions {
  private readonly first: number;
  private readonly count: number;
  /** Messages that get their own ordinal. */
  readonly messages: number;

  /** @param column actions of all units, to which these are appended */
  constructor(
    private readonly column: PagedInt32Column,
    actions: PackedActions,
  ) {
    this.first = column.length;
    this.count = actions.length;
    this.messages = countMessages(actions);
    column.write(this.first, actions);
  }

  packed(): PackedActions {
    return this.column.slice(this.first, this.first + this.count);
  }
}

/** The staged records of a unit, with their actions. */
export interface StagedSegment {
  readonly path: string;
  readonly actions: SegmentActions;
  readonly source: number;
  /** Directory of attachments before publishing; null if they are not saved. */
  readonly attachmentDirectory: string | null;
}

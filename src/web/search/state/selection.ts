import { type Signal, useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { MAX_NAMED_IDS } from "../../../mail/exploration.ts";
import { useApplication } from "../../application.ts";
import { closeOverlay } from "../../frame/open-menus.ts";
import type { PagedRows } from "../../parts/paged-rows.ts";
import { useKeys } from "../../shell/use-keys.ts";
import { WORDS } from "../../words/words.ts";

/** A selectable row. */
export interface Choosable {
  readonly id: string;
  readonly message_id: string;
}

/** Selected rows, or all results. */
export interface Selection {
  readonly rows: Signal<ReadonlyMap<string, Choosable>>;
  readonly isAll: Signal<boolean>;
  has(id: string): boolean;
  /**
   * Toggles a row; with `isRange` selects all rows from the last selected one, including rows that are still loading.
   * If everything was selected, clears the selection.
   */
  turn(index: number, isRange: boolean): void;
  all(): void;
  clear(): void;
}

export function useSelection(rows: PagedRows<Choosable>): Selection {
  const { notice } = useApplication();
  const chosen = useSignal<ReadonlyMap<string, Choosable>>(new Map());
  const isAll = useSignal(false);
  /** The last selected row. */
  const last = useRef(-1);
  /** Number of times the selection was cleared: rows that load later are not selected. */
  const clears = useRef(0);
  return useMemo(() => {
    const refuse = (): void => {
      notice.value = WORDS.selection.tooMany(MAX_NAMED_IDS);
    };
    const choose = async (one: number, other: number, isRange: boolean): Promise<void> => {
      const before = clears.current;
      const [first, end] = [Math.min(one, other), Math.max(one, other) + 1];
      if (end - first > MAX_NAMED_IDS) return refuse();
      if (!(await rows.bring(first, end)) || clears.current !== before) return;
      const next = turned(chosen.peek(), rows.held(first, end), isRange);
      if (next.size > MAX_NAMED_IDS) return refuse();
      chosen.value = next;
      last.current = other;
    };
    const clear = (): void => {
      clears.current++;
      last.current = -1;
      chosen.value = new Map();
      isAll.value = false;
    };
    return {
      rows: chosen,
      isAll,
      has: (id) => isAll.value || chosen.value.has(id),
      turn(index, isRange) {
        // Excluding one of all results is not expressible as a query: clears the selection, and the row stays
        // unselected.
        if (isAll.peek()) clear();
        else void choose(isRange && last.current >= 0 ? last.current : index, index, isRange);
      },
      all() {
        isAll.value = true;
      },
      clear,
    };
  }, []);
}

/** The selection after adding rows, or toggling one. */
function turned(
  chosen: ReadonlyMap<string, Choosable>,
  rows: readonly Choosable[],
  isRange: boolean,
): ReadonlyMap<string, Choosable> {
  const next = new Map(chosen);
  for (const row of rows) if (isRange || !next.delete(row.id)) next.set(row.id, row);
  return next;
}

/** Keys for selecting. @param cursor the focused row */
export function useSelectionKeys(selection: Selection, cursor: Signal<number>): void {
  useKeys({
    select: () => selection.turn(Math.max(0, cursor.peek()), false),
    selectAll: () => selection.all(),
    back() {
      // A menu for the selection, which is kept.
      if (closeOverlay()) return true;
      const isChosen = selection.isAll.peek() || selection.rows.peek().size > 0;
      if (isChosen) selection.clear();
      return isChosen;
    },
  });
}

import { type Signal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { useKeys } from "../use-keys.ts";

/** What is chosen of a result: some rows, or everything that the search finds. */
export interface Selection {
  readonly ids: Signal<ReadonlySet<string>>;
  readonly isAll: Signal<boolean>;
  has(id: string): boolean;
  /** Chooses a row or leaves it; with `isRange` all rows from the one chosen before. */
  turn(index: number, isRange: boolean): void;
  all(): void;
  clear(): void;
}

/** @param idAt the id of a row; null for one that is not there yet */
export function useSelection(idAt: (index: number) => string | null): Selection {
  const ids = useSignal<ReadonlySet<string>>(new Set());
  const isAll = useSignal(false);
  const last = useSignal(-1);
  return useMemo(
    () => ({
      ids,
      isAll,
      has: (id) => isAll.value || ids.value.has(id),
      turn(index, isRange) {
        const chosen = new Set(ids.peek());
        const id = idAt(index);
        if (id === null) return;
        isAll.value = false;
        if (isRange && last.peek() >= 0) {
          const [from, to] = [Math.min(last.peek(), index), Math.max(last.peek(), index)];
          for (let at = from; at <= to; at++) chosen.add(idAt(at) ?? id);
        } else if (!chosen.delete(id)) chosen.add(id);
        last.value = index;
        ids.value = chosen;
      },
      all() {
        isAll.value = true;
      },
      clear() {
        ids.value = new Set();
        isAll.value = false;
        last.value = -1;
      },
    }),
    [],
  );
}

/** What keys choose. @param cursor the row that keys are at */
export function useSelectionKeys(selection: Selection, cursor: Signal<number>): void {
  useKeys({
    select: () => selection.turn(Math.max(0, cursor.peek()), false),
    selectAll: () => selection.all(),
    back() {
      const isChosen = selection.isAll.peek() || selection.ids.peek().size > 0;
      if (isChosen) selection.clear();
      return isChosen;
    },
  });
}

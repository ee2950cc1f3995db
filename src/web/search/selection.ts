import { type Signal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { useKeys } from "../use-keys.ts";

/** What is chosen of a result: some rows, or everything that the search finds. */
export interface Selection {
  readonly ids: Signal<ReadonlySet<string>>;
  readonly isAll: Signal<boolean>;
  has(id: string): boolean;
  /**
   * Chooses a row or leaves it; with `isRange` all rows from the one chosen before. Where everything is chosen, nothing is
   * from then on.
   */
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
        if (idAt(index) === null) return;
        const from = isRange && last.peek() >= 0 ? last.peek() : null;
        // All but one is no query: nothing is chosen then, and nothing happens to the one that was to be left out.
        ids.value = isAll.peek()
          ? new Set()
          : turned(ids.peek(), idsBetween(idAt, from ?? index, index), from !== null);
        isAll.value = false;
        last.value = index;
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

/** The ids of rows that are there, from one to another in either direction. */
function idsBetween(idAt: (index: number) => string | null, one: number, other: number): readonly string[] {
  const [from, to] = [Math.min(one, other), Math.max(one, other)];
  return Array.from({ length: to - from + 1 }, (_, at) => idAt(from + at)).filter((id) => id !== null);
}

/** What is chosen when some are added, or one is turned. */
function turned(chosen: ReadonlySet<string>, ids: readonly string[], isRange: boolean): ReadonlySet<string> {
  const next = new Set(chosen);
  for (const id of ids) if (isRange || !next.delete(id)) next.add(id);
  return next;
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

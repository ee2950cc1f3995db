import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useParameters } from "../../application.ts";
import { CONVERSATION_PARAMETERS } from "../../conversation/display-options.ts";
import type { Step } from "../../shell/navigation.ts";
import type { ClauseText } from "../../shell/query-text.ts";

/** Derives a query from another by its parsed form. */
type QueryEdit = (q: string, clauses: readonly ClauseText[]) => string;

/** A parsed query with functions to change it. */
export interface EditedQuery {
  readonly q: string;
  /** Empty while loading. */
  readonly clauses: readonly ClauseText[];
  readonly isUnderstood: boolean;
  readonly edit: (change: QueryEdit) => void;
}

/**
 * Edits a query once its parsed form is known: earlier edits wait for it, so that fast clicks are not lost.
 * @param step effect of a change on the history
 */
export function useQueryEdits(
  q: string,
  clauses: readonly ClauseText[],
  isUnderstood: boolean,
  step: () => Step,
): EditedQuery {
  const changeParameters = useParameters();
  const waiting = useSignal<readonly QueryEdit[]>([]);
  const apply = (edit: QueryEdit): void =>
    changeParameters({ ...CONVERSATION_PARAMETERS, q: edit(q, clauses), m: null }, step());
  useEffect(() => {
    const [first, ...rest] = waiting.peek();
    if (!isUnderstood || first === undefined) return;
    waiting.value = rest;
    apply(first);
  }, [q, isUnderstood]);
  return {
    q,
    clauses: isUnderstood ? clauses : [],
    isUnderstood,
    edit(change) {
      if (isUnderstood) apply(change);
      else waiting.value = [...waiting.peek(), change];
    },
  };
}

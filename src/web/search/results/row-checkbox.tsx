import { counted } from "../../parts/formats.ts";
import { WORDS } from "../../words/words.ts";
import type { Selection } from "../state/selection.ts";

/** The checkbox that selects a row. */
export function RowCheckbox({ index, id, selection }: { index: number; id: string; selection: Selection }) {
  return (
    <label class="pick">
      <input
        type="checkbox"
        aria-label={WORDS.selection.pick(counted(index + 1))}
        checked={selection.has(id)}
        onClick={(event) => selection.turn(index, event.shiftKey)}
      />
    </label>
  );
}

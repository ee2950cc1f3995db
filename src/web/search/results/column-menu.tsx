import { useParameters } from "../../application.ts";
import { Icon } from "../../parts/icon.tsx";
import { WORDS } from "../../words/words.ts";
import { COLUMNS, formatColumns, useColumns } from "../state/table-columns.ts";

const { search: words } = WORDS;

/** Selects the columns of the table of results; at least one stays. */
export function ColumnMenu() {
  const change = useParameters();
  const columns = useColumns();
  return (
    <details class="menu">
      <summary class="tool" aria-label={words.chooseColumns} title={words.chooseColumns}>
        <Icon name="columns" />
      </summary>
      <ul>
        {COLUMNS.map((column) => {
          const isShown = columns.includes(column);
          const others = columns.filter((other) => other !== column);
          return (
            <li key={column}>
              <label class="column">
                <input
                  type="checkbox"
                  checked={isShown}
                  disabled={isShown && others.length === 0}
                  onChange={() =>
                    change({ columns: formatColumns(isShown ? others : [...columns, column]) }, "replace")
                  }
                />
                {words.columns[column]}
              </label>
            </li>
          );
        })}
      </ul>
    </details>
  );
}

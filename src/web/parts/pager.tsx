import { useRoute } from "../application.ts";
import { addressOf } from "../shell/addresses.ts";
import { WORDS } from "../words/words.ts";
import { counted } from "./formats.ts";

/** Rows per page of a table. */
export const TABLE_ROWS = 100;

/** Offset of a table from the URL. */
export function useOffset(): number {
  const text = useRoute().parameters.get("offset") ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** Link to the current view with changed parameters, starting at its first row. */
export function useChanged(): (changed: Readonly<Record<string, string | number | null>>) => string {
  const place = useRoute();
  return (changed) => {
    const parameters = { ...Object.fromEntries(place.parameters), offset: null, ...changed };
    return addressOf(place.view, place, parameters);
  };
}

interface PagerProps {
  readonly total: number;
  /** Number of shown rows. */
  readonly rows: number;
  /** Rows of a full page. */
  readonly pageRows?: number;
}

/** The range of the shown rows, their total, and links to the previous and next ones. */
export function Pager({ total, rows, pageRows = TABLE_ROWS }: PagerProps) {
  const offset = useOffset();
  const changed = useChanged();
  if (rows === total) return null;
  const { first, before, behind } = WORDS.pages;
  const link = (text: string, to: number) => (
    <a class="button" href={changed({ offset: to === 0 ? null : to })}>
      {text}
    </a>
  );
  return (
    <nav class="pager" aria-label={WORDS.pages.label}>
      {offset > 0 ? link(rows === 0 ? first : before, rows === 0 ? 0 : Math.max(0, offset - pageRows)) : null}
      <span class="quiet">
        {rows === 0 ? WORDS.pages.none : WORDS.pages.range(counted(offset + 1), counted(offset + rows), counted(total))}
      </span>
      {offset + rows < total && rows > 0 ? link(behind, offset + pageRows) : null}
    </nav>
  );
}

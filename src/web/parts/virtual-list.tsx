import { useSignal } from "@preact/signals";
import type { ComponentChild, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useApplication } from "../application.ts";
import { WORDS } from "../words/words.ts";

/**
 * Maximum rows in the document: Firefox's maximum height is 17.9 million pixels, and 20,000 rows of a hundred are two
 * million.
 */
const WINDOW_ROWS = 20_000;
/** Rows rendered above and below the visible ones. */
const OVERSCAN = 6;

interface VirtualListProps {
  /** Key of the stored scroll position. */
  readonly name: string;
  readonly label: string;
  readonly count: number;
  /** Pixels of every row. */
  readonly rowHeight: number;
  /** The focused row; it is scrolled into view when it changes. */
  readonly cursor: number;
  readonly row: (index: number) => ComponentChild;
  /** Called with the range of the rendered rows, end exclusive. */
  readonly onRange: (first: number, end: number) => void;
  readonly class?: string;
}

/** A list of any number of equally high rows that renders only the visible ones. */
export function VirtualList(props: VirtualListProps) {
  const { label, count, rowHeight, onRange } = props;
  const box = useRef<HTMLDivElement>(null);
  const sight = useSignal({ top: 0, height: 800 });
  const look = (): void => {
    const element = box.current;
    if (element !== null) sight.value = { top: element.scrollTop, height: element.clientHeight };
  };
  const { from, rows, turn } = useWindow(props, box, look);
  const first = Math.max(0, Math.floor(sight.value.top / rowHeight) - OVERSCAN);
  const end = Math.min(rows, Math.ceil((sight.value.top + sight.value.height) / rowHeight) + OVERSCAN);
  useEffect(() => onRange(from + first, from + Math.max(first, end)), [from, first, end, count]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys (WCAG 2.1.1)
    <section ref={box} class={`rows ${props.class ?? ""}`} aria-label={label} tabIndex={0} onScroll={look}>
      {from > 0 ? <Turn text={WORDS.search.earlier(from)} onTurn={() => turn(-1)} /> : null}
      <ol class="run" style={{ height: `${rows * rowHeight}px` }}>
        {Array.from({ length: Math.max(0, end - first) }, (_, offset) => {
          const index = from + first + offset;
          return (
            <li
              key={index}
              aria-setsize={count}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${(first + offset) * rowHeight}px)`, height: `${rowHeight}px` }}
            >
              {props.row(index)}
            </li>
          );
        })}
      </ol>
      {from + rows < count ? <Turn text={WORDS.search.later(count - from - rows)} onTurn={() => turn(1)} /> : null}
    </section>
  );
}

interface RowWindow {
  /** The first row in the document, and the number of rows after it. */
  readonly from: number;
  readonly rows: number;
  /** Scrolls to the next or previous rows. */
  readonly turn: (by: 1 | -1) => void;
}

/** The rendered rows: those visible when the user returns, and those with the keyboard focus. */
function useWindow(
  { name, count, rowHeight, cursor }: VirtualListProps,
  box: RefObject<HTMLDivElement | null>,
  look: () => void,
): RowWindow {
  const { navigation } = useApplication();
  const memory = `${name}.window`;
  const start = useSignal(Number(navigation.recall(memory) ?? 0));
  const from = start.value < count ? start.value : 0;
  const rows = Math.min(WINDOW_ROWS, count - from);
  const entry = navigation.entry.value;
  const restored = useRef(-1);
  const followed = useRef(cursor);
  /** Scroll target once the new rows are loaded, or null. */
  const landing = useRef<"top" | "end" | null>(null);
  const show = (row: number): void => {
    start.value = row;
    navigation.keep(memory, row);
  };
  useLayoutEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(look);
    observer.observe(element);
    const unwatch = navigation.watch(name, () => element);
    return () => {
      observer.disconnect();
      unwatch();
    };
  }, []);
  // Scroll positions count rows, so they wait until the rows are in the document.
  useLayoutEffect(() => {
    const element = box.current!;
    const known = Number(navigation.recall(memory) ?? 0);
    if (restored.current !== entry && known !== start.value) start.value = known;
    else if (restored.current !== entry) {
      restored.current = entry;
      element.scrollTop = Number(navigation.recall(name) ?? 0);
    } else if (landing.current !== null) {
      element.scrollTop = landing.current === "top" ? 0 : element.scrollHeight;
      landing.current = null;
    }
    look();
  }, [entry, from]);
  useLayoutEffect(() => {
    if (cursor < 0 || followed.current === cursor) return;
    if (cursor < from || cursor >= from + rows) {
      show(Math.floor(cursor / WINDOW_ROWS) * WINDOW_ROWS);
      return;
    }
    followed.current = cursor;
    const run = box.current!.querySelector(".run")!.getBoundingClientRect();
    const above = run.top - box.current!.getBoundingClientRect().top + box.current!.scrollTop;
    scrollTo(box.current!, above + (cursor - from) * rowHeight, rowHeight);
    look();
  }, [cursor, from]);
  return {
    from,
    rows,
    turn(by) {
      landing.current = by > 0 ? "top" : "end";
      show(from + by * WINDOW_ROWS);
      // The pressed button disappears.
      box.current!.focus({ preventScroll: true });
    },
  };
}

function Turn({ text, onTurn }: { readonly text: string; readonly onTurn: () => void }) {
  return (
    <button type="button" class="button turn" onClick={onTurn}>
      {text}
    </button>
  );
}

/** Scrolls just enough to bring a row into view. */
function scrollTo(box: HTMLElement, top: number, height: number): void {
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight;
}

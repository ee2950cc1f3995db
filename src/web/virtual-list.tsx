import { useSignal } from "@preact/signals";
import type { ComponentChild } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useApplication } from "./application.ts";
import { WORDS } from "./words/words.ts";

/**
 * Rows in the document at a time: Firefox ends at a height of 17.9 million pixels, and 20,000 rows of a hundred are
 * two million.
 */
const WINDOW_ROWS = 20_000;
/** Rows drawn above and below those that are seen. */
const OVERSCAN = 6;

export interface VirtualListProps {
  /** What its scroll position is remembered by. */
  readonly name: string;
  readonly label: string;
  readonly count: number;
  /** Pixels of every row. */
  readonly rowHeight: number;
  /** The row that keys are at; it is scrolled into sight when it changes. */
  readonly cursor: number;
  readonly row: (index: number) => ComponentChild;
  /** Told of the rows that are drawn, end exclusive. */
  readonly onRange: (first: number, end: number) => void;
  readonly class?: string;
}

/** A list of any number of rows of one height, of which those in sight are drawn. */
export function VirtualList(props: VirtualListProps) {
  const { name, label, count, rowHeight, cursor, onRange } = props;
  const { navigation } = useApplication();
  const box = useRef<HTMLDivElement>(null);
  const sight = useSignal({ top: 0, height: 800 });
  const windowStart = useSignal(Number(navigation.recall(`${name}.window`) ?? 0));
  const from = windowStart.value < count ? windowStart.value : 0;
  const rows = Math.min(WINDOW_ROWS, count - from);
  const look = (): void => {
    const element = box.current;
    if (element !== null) sight.value = { top: element.scrollTop, height: element.clientHeight };
  };
  const entry = navigation.entry.value;
  useLayoutEffect(() => {
    const element = box.current!;
    element.scrollTop = Number(navigation.recall(name) ?? 0);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    const unwatch = navigation.watch(name, element);
    return () => {
      observer.disconnect();
      unwatch();
    };
  }, [entry]);
  useLayoutEffect(() => {
    if (cursor < 0) return;
    if (cursor < from || cursor >= from + rows) windowStart.value = Math.floor(cursor / WINDOW_ROWS) * WINDOW_ROWS;
    scrollTo(box.current!, (cursor - windowStart.value) * rowHeight, rowHeight);
    look();
  }, [cursor]);
  const first = Math.max(0, Math.floor(sight.value.top / rowHeight) - OVERSCAN);
  const end = Math.min(rows, Math.ceil((sight.value.top + sight.value.height) / rowHeight) + OVERSCAN);
  useEffect(() => onRange(from + first, from + Math.max(first, end)), [from, first, end, count]);
  const turn = (start: number): void => {
    windowStart.value = start;
    navigation.keep(`${name}.window`, start);
    box.current!.scrollTop = 0;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys (WCAG 2.1.1)
    <section ref={box} class={`rows ${props.class ?? ""}`} aria-label={label} tabIndex={0} onScroll={look}>
      {from > 0 ? <Turn text={WORDS.search.earlier(from)} onTurn={() => turn(from - WINDOW_ROWS)} /> : null}
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
      {from + rows < count ? (
        <Turn text={WORDS.search.later(count - from - rows)} onTurn={() => turn(from + WINDOW_ROWS)} />
      ) : null}
    </section>
  );
}

function Turn({ text, onTurn }: { readonly text: string; readonly onTurn: () => void }) {
  return (
    <button type="button" class="button turn" onClick={onTurn}>
      {text}
    </button>
  );
}

/** Scrolls as little as brings a row into sight. */
function scrollTo(box: HTMLElement, top: number, height: number): void {
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight;
}

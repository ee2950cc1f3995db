import { useEffect, useLayoutEffect } from "preact/hooks";
import { useApplication } from "../application.ts";

/** Scrollable elements of views, except the result list, which restores its own position. */
const SCROLLED = ["#content", ".overview", ".read-list", ".rows.grouped", ".rows.conversations", ".reader"] as const;
/** Milliseconds to wait for content before restoring a position. */
const MAX_WAIT_MS = 5000;
/** Milliseconds during which a position is kept, because content above it may still grow. */
const HOLD_MS = 400;
/** User events that cancel the restoring. */
const MOVES = ["wheel", "pointerdown", "touchstart", "keydown"] as const;

/** Restores the scroll position of a view when the user returns; otherwise starts at the top. */
export function useScrollMemory(): void {
  const { navigation } = useApplication();
  const entry = navigation.entry.value;
  useEffect(() => {
    for (const selector of SCROLLED) navigation.watch(selector, () => document.querySelector<HTMLElement>(selector));
  }, []);
  // Runs before the view scrolls to its target.
  useLayoutEffect(() => {
    const content = document.getElementById("content");
    if (content !== null && navigation.recall("#content") === null) content.scrollTop = 0;
  }, [entry]);
  useEffect(() => {
    const wanted = SCROLLED.flatMap((selector) => {
      const top = Number(navigation.recall(selector) ?? 0);
      return top === 0 ? [] : [{ selector, top }];
    });
    if (wanted.length === 0) return undefined;
    const begun = performance.now();
    let reachedAt = Number.POSITIVE_INFINITY;
    let frame = 0;
    const hold = (now: number): void => {
      const isThere = wanted
        .map(({ selector, top }) => isScrolled(document.querySelector(selector), top))
        .every(Boolean);
      if (isThere) reachedAt = Math.min(reachedAt, now);
      if (now < Math.min(begun + MAX_WAIT_MS, reachedAt + HOLD_MS)) frame = requestAnimationFrame(hold);
    };
    const stop = (): void => cancelAnimationFrame(frame);
    frame = requestAnimationFrame(hold);
    for (const move of MOVES) addEventListener(move, stop, { once: true, capture: true, passive: true });
    return () => {
      stop();
      for (const move of MOVES) removeEventListener(move, stop, { capture: true });
    };
  }, [entry]);
}

/** Scrolls an element; returns false if it is missing or not tall enough yet. */
function isScrolled(element: Element | null, top: number): boolean {
  if (element === null) return false;
  if (Math.abs(element.scrollTop - top) > 1) element.scrollTop = top;
  return Math.abs(element.scrollTop - top) <= 1;
}

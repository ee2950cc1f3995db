import { useEffect } from "preact/hooks";

/** Elements that scroll in a view, the most specific first. The document itself never scrolls. */
const REGIONS = [".reader", ".rows", ".overview", "#content"] as const;
/** Keys for which browsers scroll the region that has the focus. */
const SCROLL_KEYS: ReadonlySet<string> = new Set([" ", "PageDown", "PageUp", "End", "Home", "ArrowDown", "ArrowUp"]);

/**
 * Moves the focus to the scrollable region before the browser handles a scroll key, if the focus is on nothing or on a
 * link outside the region. Not done on rendering: Tab must begin at the link that skips the menu.
 */
export function useScrollKeys(): void {
  useEffect(() => {
    let goingToTop = new AbortController();
    const focusRegion = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (!SCROLL_KEYS.has(event.key)) return;
      if (isOutside(event.target)) focusScrollingRegion();
      goingToTop.abort();
      goingToTop = new AbortController();
      if (event.key === "Home") goToTop(goingToTop.signal);
    };
    addEventListener("keydown", focusRegion);
    return () => removeEventListener("keydown", focusRegion);
  }, []);
}

/** True if an element neither handles these keys nor is in a region that they scroll. */
function isOutside(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || document.querySelector("dialog:modal") !== null) return false;
  const takesNoKeys = target === document.body || target.id === "content" || target.matches("a[href]:not([role])");
  return takesNoKeys && !REGIONS.some((region) => canScroll(target.closest(region)));
}

function focusScrollingRegion(): void {
  const region = REGIONS.map((selector) => document.querySelector<HTMLElement>(selector)).find(canScroll);
  if (region === undefined || region === null) return;
  if (!region.hasAttribute("tabindex")) region.tabIndex = -1;
  region.focus({ preventScroll: true });
}

/** Jumps to the top if a smooth scroll ends early: texts that load during the scroll can stop it. */
function goToTop(signal: AbortSignal): void {
  const region = document.activeElement;
  if (region === null || !region.matches(REGIONS.join()) || region.scrollTop === 0) return;
  region.addEventListener("scrollend", () => region.scrollTo({ top: 0, behavior: "instant" }), { once: true, signal });
}

function canScroll(element: Element | null): boolean {
  return element !== null && element.scrollHeight > element.clientHeight;
}

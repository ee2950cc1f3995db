import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type Place, placeOf } from "./addresses.ts";

/** Effect of a URL change on the history. */
export type Step = "push" | "replace";

/** State that a view restores when the user returns, such as a scroll position. */
type Memory = Map<string, number | string>;

/** The URL and history of the browser, as a value that views read. */
export class Navigation {
  /** Null for an unknown URL. */
  readonly place: ReadonlySignal<Place | null>;
  /** Number of the step; a new history entry has a higher one. */
  readonly entry: ReadonlySignal<number>;
  private readonly shown: Signal<Place | null>;
  private readonly at: Signal<number>;
  private readonly memories = new Map<number, Memory>();
  private readonly scrollers = new Map<string, () => HTMLElement | null>();

  constructor() {
    this.shown = signal(placeOf(new URL(location.href)));
    const state: unknown = history.state;
    if (!hasIndex(state)) history.replaceState({ index: 0 }, "");
    this.at = signal(hasIndex(state) ? state.index : 0);
    this.place = this.shown;
    this.entry = this.at;
    // Disables the browser's own restoring, which would interfere.
    history.scrollRestoration = "manual";
    addEventListener("popstate", ({ state }: { readonly state: unknown }) => {
      this.remember();
      // A link to a part of the page adds an entry without an index.
      const index = hasIndex(state) ? state.index : this.at.peek() + 1;
      if (!hasIndex(state)) history.replaceState({ index }, "");
      this.at.value = index;
      this.shown.value = placeOf(new URL(location.href));
    });
    addEventListener("click", (event) => this.follow(event));
  }

  /** Navigates to a URL of this site. */
  go(address: string, step: Step = "push"): void {
    const url = new URL(address, location.href);
    const place = placeOf(url);
    if (place === null) {
      location.assign(url);
      return;
    }
    this.remember();
    const index = this.at.peek() + (step === "push" ? 1 : 0);
    if (step === "push") for (const key of this.memories.keys()) if (key >= index) this.memories.delete(key);
    history[step === "push" ? "pushState" : "replaceState"]({ index }, "", url);
    this.at.value = index;
    this.shown.value = place;
  }

  /** Goes back one entry; does nothing on the first one, because the entry before it is another site. */
  back(): void {
    if (this.at.peek() > 0) history.back();
  }

  /** The value stored for the current history entry. */
  recall(name: string): number | string | null {
    return this.memories.get(this.at.peek())?.get(name) ?? null;
  }

  keep(name: string, value: number | string): void {
    this.memory().set(name, value);
  }

  /** Stores the scroll position of an element whenever its entry is left; null if the element is missing. */
  watch(name: string, find: () => HTMLElement | null): () => void {
    this.scrollers.set(name, find);
    return () => {
      if (this.scrollers.get(name) === find) this.scrollers.delete(name);
    };
  }

  /** Stores the current scroll position. */
  remember(): void {
    for (const [name, find] of this.scrollers) {
      const element = find();
      if (element !== null) this.memory().set(name, element.scrollTop);
    }
  }

  private memory(): Memory {
    const index = this.at.peek();
    const memory = this.memories.get(index) ?? new Map<string, number | string>();
    this.memories.set(index, memory);
    return memory;
  }

  /** Follows a link of the application without loading a page; modified clicks open a new tab as usual. */
  private follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || link.target !== "" || link.hasAttribute("download")) return;
    const url = new URL(link.href, location.href);
    if (url.origin !== location.origin || placeOf(url) === null) return;
    if (link.getAttribute("href")?.startsWith("#") === true) return;
    event.preventDefault();
    this.go(url.href);
  }
}

/** True if this application created or numbered the history entry with a state. */
function hasIndex(state: unknown): state is { readonly index: number } {
  return typeof state === "object" && state !== null && "index" in state && typeof state.index === "number";
}

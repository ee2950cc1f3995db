import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useApplication } from "../../application.ts";
import type { Step } from "../../shell/navigation.ts";

/** The facets on a narrow screen: an overlay that the user closes or leaves by going back. */
interface FacetSheet {
  readonly isOpen: Signal<boolean>;
  open(): void;
  close(): void;
  /** Effect of a selection on the history: the sheet is one entry, whatever is selected in it. */
  step(): Step;
}

interface Opened {
  /** History entry of the sheet. */
  readonly entry: number;
  readonly over: string;
  /** Last selection in it. */
  last: string;
}

export function useFacetSheet(): FacetSheet {
  const { navigation } = useApplication();
  const isOpen = useSignal(false);
  const opened = useRef<Opened | null>(null);
  const place = navigation.place.value;
  useEffect(() => {
    const sheet = opened.current;
    if (sheet === null) return;
    if (navigation.entry.peek() >= sheet.entry) {
      sheet.last = location.href;
      return;
    }
    // After Back, the sheet closes and keeps its selection, one step before the previous view.
    opened.current = null;
    isOpen.value = false;
    if (sheet.last !== sheet.over) navigation.go(sheet.last);
  }, [place]);
  return {
    isOpen,
    open() {
      const over = location.href;
      isOpen.value = true;
      navigation.go(over);
      opened.current = { entry: navigation.entry.peek(), over, last: over };
    },
    close() {
      const sheet = opened.current;
      opened.current = null;
      isOpen.value = false;
      // Nothing was selected, so its history entry is removed too.
      if (sheet !== null && location.href === sheet.over && navigation.entry.peek() === sheet.entry) navigation.back();
    },
    step: () => (opened.current !== null && navigation.entry.peek() === opened.current.entry ? "replace" : "push"),
  };
}

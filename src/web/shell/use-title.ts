import { useEffect } from "preact/hooks";
import { useArchiveName } from "./use-archive-name.ts";

/**
 * Bidirectional control characters (UAX 9): a title has no element to isolate them, and everything after them would be
 * reordered.
 */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Sets the title of the page to the current view and its archive. */
export function useTitle(text: string): void {
  const name = useArchiveName();
  useEffect(() => {
    document.title = [text, name]
      .filter((part) => part !== "")
      .join(" · ")
      .replace(TURNING, "");
  }, [text, name]);
}

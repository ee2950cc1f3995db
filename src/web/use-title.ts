import { useEffect } from "preact/hooks";
import { useArchiveName } from "./use-archive-name.ts";

/** Names what is shown, and its archive, in the title of the page. */
export function useTitle(text: string): void {
  const name = useArchiveName();
  useEffect(() => {
    document.title = [text, name].filter((part) => part !== "").join(" · ");
  }, [text, name]);
}

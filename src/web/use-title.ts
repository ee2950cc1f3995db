import { useEffect } from "preact/hooks";
import { useApplication, usePlace } from "./application.ts";

/** Names what is shown, and its archive, in the title of the page. */
export function useTitle(text: string): void {
  const { shell } = useApplication();
  const { archive } = usePlace();
  const name = shell.archive?.id === archive ? shell.archive.name : archive;
  useEffect(() => {
    document.title = [text, name].filter((part) => part !== "").join(" · ");
  }, [text, name]);
}

import type { ComponentChildren } from "preact";
import { useTitle } from "../shell/use-title.ts";
import { CopyLinkButton } from "./copy-link-button.tsx";

interface ViewHeadProps {
  readonly title: string;
  /** How much there is of it. */
  readonly said?: string;
  readonly children?: ComponentChildren;
}

/** What a view is called, on the page and in the title of its window, with the way to copy its address. */
export function ViewHead({ title, said = "", children }: ViewHeadProps) {
  useTitle([title, said].filter((part) => part !== "").join(" · "));
  return (
    <header class="view-head">
      <h1>{title}</h1>
      <span class="said" role="status">
        {said}
      </span>
      <div class="ways">{children}</div>
      <CopyLinkButton />
    </header>
  );
}

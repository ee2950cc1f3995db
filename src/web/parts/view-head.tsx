import type { ComponentChildren } from "preact";
import { useTitle } from "../shell/use-title.ts";
import { CopyLinkButton } from "./copy-link-button.tsx";

interface ViewHeadProps {
  readonly title: string;
  /** Number of entries. */
  readonly summary?: string;
  readonly children?: ComponentChildren;
}

/** Title of a view, also of the window, with a button to copy its link. */
export function ViewHead({ title, summary = "", children }: ViewHeadProps) {
  useTitle([title, summary].filter((part) => part !== "").join(" · "));
  return (
    <header class="view-head">
      <h1>{title}</h1>
      <span class="quiet" role="status">
        {summary}
      </span>
      <div class="ways">{children}</div>
      <CopyLinkButton />
    </header>
  );
}

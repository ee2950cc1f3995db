import { type ComponentChildren, Fragment, h, options, type VNode } from "preact";
import { markRunPieces } from "../../text/html/mark-runs.ts";

/** Elements whose content is plain text. */
const PLAIN: ReadonlySet<unknown> = new Set(["option", "script", "style", "textarea", "title"]);

/** Breaks up long runs of combining marks in every displayed text: a single run can block a browser for minutes. */
export function boundMarks(): void {
  const earlier = options.vnode;
  options.vnode = (node: VNode<{ children?: ComponentChildren }>) => {
    const { type, props } = node;
    const isShown = type === Fragment || (typeof type === "string" && !PLAIN.has(type));
    if (isShown) props.children = bounded(props.children);
    earlier?.(node);
  };
}

function bounded(children: ComponentChildren): ComponentChildren {
  if (typeof children === "string") return withBreaks(children);
  return Array.isArray(children) ? children.map(bounded) : children;
}

function withBreaks(text: string): ComponentChildren {
  const pieces = markRunPieces(text);
  return pieces.length === 1 ? text : pieces.flatMap((piece, at) => (at === 0 ? [piece] : [h("wbr", null), piece]));
}

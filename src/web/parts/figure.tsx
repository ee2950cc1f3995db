import type { ComponentChildren } from "preact";
import { counted } from "./formats.ts";

interface FigureProps {
  readonly count: number;
  readonly name: string;
  readonly href: string | undefined;
}

/** A count with its label and link. */
export function Figure({ count, name, href }: FigureProps) {
  const content = (
    <>
      <span class="figure">{counted(count)}</span>
      <span class="quiet">{name}</span>
    </>
  );
  return <li>{href === undefined ? <span>{content}</span> : <a href={href}>{content}</a>}</li>;
}

interface FactProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

/** A name and its value in a `dl`. */
export function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

import { counted } from "./formats.ts";

interface FigureProps {
  readonly count: number;
  readonly name: string;
  readonly href: string | undefined;
}

/** A count with its label and link. */
export function Figure({ count, name, href }: FigureProps) {
  const told = (
    <>
      <span class="figure">{counted(count)}</span>
      <span class="quiet">{name}</span>
    </>
  );
  return <li>{href === undefined ? <span>{told}</span> : <a href={href}>{told}</a>}</li>;
}

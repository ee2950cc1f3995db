import { printable } from "../../text/tokens/printable.ts";

/** What may stand out on a terminal that shows colours. */
export type Style = "heading" | "match" | "error";

/** SGR parameters (ECMA-48 section 8.3.117) that begin and end a style: bold; bold yellow; bold red. */
const STYLES: Readonly<Record<Style, readonly [begin: string, end: string]>> = {
  heading: ["1", "22"],
  match: ["1;33", "22;39"],
  error: ["1;31", "22;39"],
};

export interface StyledText {
  readonly style: Style;
  readonly text: string;
}

/** A line of output: text, or pieces of which some stand out. */
export type Line = string | readonly (string | StyledText)[];

/** A line that is a heading. */
export function heading(text: string): Line {
  return [{ style: "heading", text }];
}

/**
 * A line as it is written. Every piece passes the filter of what can be printed before the colours are put around it,
 * so nothing but these colours reaches a terminal as a control sequence, wherever the text came from.
 */
export function renderLine(line: Line, hasColours: boolean): string {
  if (typeof line === "string") return printable(line);
  return line.map((piece) => (typeof piece === "string" ? printable(piece) : renderPiece(piece, hasColours))).join("");
}

function renderPiece({ style, text }: StyledText, hasColours: boolean): string {
  const [begin, end] = STYLES[style];
  return hasColours ? `\u001b[${begin}m${printable(text)}\u001b[${end}m` : printable(text);
}

/** What the environment says of colours. */
interface ColourSettings {
  readonly isTerminal: boolean;
  readonly noColor: string | undefined;
  readonly forceColor: string | undefined;
  readonly term: string | undefined;
}

/**
 * Whether colours are shown. `NO_COLOR` (no-color.org) wins when it is not empty; `FORCE_COLOR` asks for them where
 * there is no terminal, or forbids them with `0` or `false`; a dumb terminal has none.
 */
export function showsColours({ isTerminal, noColor, forceColor, term }: ColourSettings): boolean {
  if (noColor !== undefined && noColor !== "") return false;
  if (forceColor !== undefined && forceColor !== "") return forceColor !== "0" && forceColor !== "false";
  return isTerminal && term !== "dumb";
}

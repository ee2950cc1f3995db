import { printable } from "../../text/tokens/printable.ts";

/** Styles on a terminal with colors. */
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

/** A line of output: text, or pieces with optional styles. */
export type Line = string | readonly (string | StyledText)[];

/** A line that is a heading. */
export function heading(text: string): Line {
  return [{ style: "heading", text }];
}

/**
 * Renders a line. Every piece is sanitized before its colors are added, so a terminal receives no other control
 * sequences, whatever the source of the text.
 */
export function renderLine(line: Line, hasColors: boolean): string {
  if (typeof line === "string") return printable(line);
  return line.map((piece) => (typeof piece === "string" ? printable(piece) : renderPiece(piece, hasColors))).join("");
}

function renderPiece({ style, text }: StyledText, hasColors: boolean): string {
  const [begin, end] = STYLES[style];
  return hasColors ? `\u001b[${begin}m${printable(text)}\u001b[${end}m` : printable(text);
}

/** Color settings of the environment. */
interface ColorSettings {
  readonly isTerminal: boolean;
  readonly noColor: string | undefined;
  readonly forceColor: string | undefined;
  readonly term: string | undefined;
}

/**
 * Whether colors are shown. A non-empty `NO_COLOR` (no-color.org) wins. `FORCE_COLOR` turns them on without a terminal,
 * and off with `0` or `false`. A dumb terminal shows none.
 */
export function showsColors({ isTerminal, noColor, forceColor, term }: ColorSettings): boolean {
  if (noColor !== undefined && noColor !== "") return false;
  if (forceColor !== undefined && forceColor !== "") return forceColor !== "0" && forceColor !== "false";
  return isTerminal && term !== "dumb";
}

import { COLOURED } from "./graph-model.ts";

/** Colours of the canvas, as the style sheet defines them for the mode in use. */
export interface Theme {
  /** By slot; the last is the grey of the other communities. */
  readonly nodes: readonly string[];
  readonly paper: string;
  readonly ink: string;
  readonly edge: string;
  readonly accent: string;
  readonly font: string;
}

/**
 * Reads the colours that hold for an element. Each is asked of a mark of that colour: a canvas knows neither variables
 * nor `light-dark()`.
 */
export function readTheme(element: HTMLElement): Theme {
  const mark = element.ownerDocument.createElement("span");
  mark.hidden = true;
  // A canvas is not recoloured where the system has its own colours: only what was read here would be, all of it to one.
  mark.style.setProperty("forced-color-adjust", "none");
  element.append(mark);
  const value = (name: string): string => {
    mark.style.color = `var(${name})`;
    return getComputedStyle(mark).color;
  };
  const theme = {
    nodes: Array.from({ length: COLOURED + 1 }, (_, slot) => value(`--community-${slot}`)),
    paper: value("--paper"),
    ink: value("--ink"),
    edge: value("--edge"),
    accent: value("--accent"),
    font: getComputedStyle(mark).fontFamily,
  };
  mark.remove();
  return theme;
}

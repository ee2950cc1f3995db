import { COLORED } from "./graph-model.ts";

/** Colors of the canvas, as the style sheet defines them for the current mode. */
export interface Theme {
  /** By slot; the last is the gray of the other communities. */
  readonly nodes: readonly string[];
  readonly paper: string;
  readonly ink: string;
  readonly edge: string;
  readonly accent: string;
  readonly font: string;
}

/**
 * Reads the colors of an element. Each is computed on a hidden element, since a canvas supports neither variables nor
 * `light-dark()`.
 */
export function readTheme(element: HTMLElement): Theme {
  const mark = element.ownerDocument.createElement("span");
  mark.hidden = true;
  // In forced-colors mode a canvas is not recolored, but all computed colors would be the same.
  mark.style.setProperty("forced-color-adjust", "none");
  element.append(mark);
  const value = (name: string): string => {
    mark.style.color = `var(${name})`;
    return getComputedStyle(mark).color;
  };
  const theme = {
    nodes: Array.from({ length: COLORED + 1 }, (_, slot) => value(`--community-${slot}`)),
    paper: value("--paper"),
    ink: value("--ink"),
    edge: value("--edge"),
    accent: value("--accent"),
    font: getComputedStyle(mark).fontFamily,
  };
  mark.remove();
  return theme;
}

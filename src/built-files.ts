/** True when the sources run, as in tests; false in a built package. */
export const isFromSource: boolean = import.meta.url.endsWith(".ts");

/** A file of `dist/`, by its path there. Built code lies two directories deep, this file one: so does `scripts/bundle-program.mjs` lay it out. */
export function builtFile(path: string): URL {
  return new URL(isFromSource ? `../dist/${path}` : `../${path}`, import.meta.url);
}

import { decodeHTMLAttribute } from "entities";

/** Maximum characters of a style that are searched for a font: some style attributes carry data. */
const MAX_STYLE = 10_000;
/** Font of a style: its family, or the end of the short form with size and family. */
const FONT = /(?:^|;)\s{0,9}font(?:-family)?\s{0,9}:([^;]{1,200})/gi;

/** The fonts that a style names, as it writes them; null if it names none. */
export function fontOfStyle(css: string): string | null {
  if (!/font/i.test(css)) return null;
  const style = decodeHTMLAttribute(css.slice(0, MAX_STYLE));
  return [...style.matchAll(FONT)].at(-1)?.[1] ?? null;
}

/** The name of the first family in a list, after size and weight in the short form. */
export function firstFamily(fonts: string): string {
  const [first = ""] = fonts.split(",");
  return /["']([^"']{0,100})["']/.exec(first)?.[1] ?? first.trim().split(/\s/).at(-1)!;
}

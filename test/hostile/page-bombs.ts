/** An HTML message designed to keep a browser busy. */
export interface PageBomb {
  readonly name: string;
  readonly html: string;
}

/** Characters of each bomb: fits into a message of a megabyte, and is far below the limit of a displayed message. */
const BOMB_LENGTH = 400_000;

/** The same, with slightly fewer elements than a page may have. */
const LAID_OUT_LENGTH = 390_000;

function filled(piece: string, length = BOMB_LENGTH): string {
  return piece.repeat(Math.ceil(length / piece.length));
}

/** `%` is the number of the piece. */
function numbered(piece: string, count: number): string {
  return Array.from({ length: count }, (_, index) => piece.replaceAll("%", String(index))).join("");
}

/** Selectors of many rules, over many elements. */
const SELECTORS: readonly string[] = [
  "a% b% c%",
  "* * *",
  "* > * > *",
  "* + * + *",
  "* ~ * ~ *",
  ".x ~ .y ~ .z%",
  ".x:has(.y ~ .z%)",
  "div:has(> p:has(b))",
  ":not(.a%):not(.b%)",
  ":is(.a, .b) :is(.c, .d) :is(.e%)",
  ":where(*) :where(*) :where(*)",
  "p:nth-child(% of .x)",
  "p:nth-last-child(%n+1)",
  "p:nth-child(%n+1)",
  "p:first-of-type ~ p:last-of-type",
  "[class*=q%]",
  "[class][id][title*=xxxxxxxxxx%]",
  "[style*=color] [style*=red] [style*=z%]",
  ".x .x .x%",
  "body div p b i u s .z%",
  "p::first-letter",
  "p:empty",
  ":root:has(*) *",
];

/** Declarations for many elements. */
const DECLARATIONS: readonly string[] = [
  "opacity:.9",
  "float:left;width:10%",
  "display:inline-block;width:1px",
  "display:grid",
  "display:table-cell",
  "display:inline-table;width:calc(1px + 1%)",
  "display:list-item;list-style:disc",
  "position:fixed;z-index:9",
  "background:linear-gradient(red,blue)",
  "font-size:9999px",
];

/** Pieces of pages, repeated as often as they fit. */
const PIECES: readonly (readonly [name: string, piece: string, before?: string])[] = [
  ["tables in tables", "<table><tr><td>"],
  ["tables with percentages", "<table width=99%><tr><td width=50%>x</td><td>"],
  ["cells that span", "<td colspan=1000 rowspan=60000>x</td>", "<table><tr>"],
  ["cells that span a little", "<td colspan=99 rowspan=99>x</td>", "<table><tr>"],
  ["rows that span a little", "<tr><td rowspan=99 colspan=99>x</td></tr>", "<table>"],
  ["rows that span", "<tr><td rowspan=65534 colspan=999>x</td></tr>", "<table>"],
  ["columns", "<col span=1000>", "<table>"],
  ["floats", "<div style='float:left;width:3px'>x</div>"],
  ["floats in floats", "<div style='float:left'>x"],
  ["flexible boxes", "<div style='display:flex'>x"],
  ["grids", "<div style='display:grid'>x"],
  ["inline blocks", "<span style='display:inline-block'>x"],
  ["formatting that stays open", "<b><i><p>x"],
  ["lists in lists", "<ul><li>x"],
  ["details", "<details open><summary>x</summary>y</details>"],
  ["ruby", "<ruby>x<rt>yyyyyy</ruby>"],
  ["directions", "<bdo dir=rtl>x<bdo dir=ltr>y"],
  ["font sizes", "<big>x"],
];

/** Texts without an end. */
const TEXTS: readonly (readonly [name: string, piece: string])[] = [
  ["marks", "\u0301"],
  ["marks as references", "&#769;"],
  ["marks in elements", "<b>\u0301</b>"],
  ["marks of Thai", "\u0e35\u0e49"],
  ["marks of Hebrew", "\u05b0"],
  ["joiners with marks", "\u200d\u0301"],
  ["one word", "x"],
  ["soft hyphens", "x\u00ad"],
  ["overrides of direction", "\u202ex"],
  ["isolates", "\u2067x"],
  ["emoji joined", "\u{1f468}\u200d"],
  ["viramas", "\u0915\u094d"],
];

export const PAGE_BOMBS: readonly PageBomb[] = [
  ...SELECTORS.map((selector) => ({
    name: `selector ${selector}`,
    html: `<style>${numbered(`${selector}{color:#00%}`, 4_000)}</style>${filled("<div class='x y' id=q title=xxxxxxxxx><p class=x><b>x</b></p>")}`,
  })),
  ...DECLARATIONS.map((declaration) => ({
    name: `declaration ${declaration}`,
    html: `<style>div,span{${declaration}}</style>${filled("<div>x<span>y</span></div>", LAID_OUT_LENGTH)}`,
  })),
  ...PIECES.map(([name, piece, before = ""]) => ({ name, html: before + filled(piece) })),
  ...TEXTS.map(([name, piece]) => ({ name, html: `<p>a${filled(piece, 200_000)}` })),
];

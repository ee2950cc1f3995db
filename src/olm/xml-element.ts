/** Depth limit; archives of Outlook have six levels. Deeper content belongs to the last level. */
const MAX_DEPTH = 64;
/** Maximum elements read per item; a meeting of a whole company has 5,000. */
const MAX_ELEMENTS = 100_000;

/** An XML element with all its contents. */
export interface XmlElement {
  /** Without the prefix of a namespace. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Its own text, without its children. */
  readonly text: string;
  /** The unparsed content between its tags. */
  readonly markup: string;
}

/** An element during parsing. */
interface OpenElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  readonly texts: string[];
  readonly start: number;
}

/**
 * Parses the first element of a text, or returns null. One pass with a stack of bounded height; only the five
 * predefined entities are expanded. Damaged text is read as far as possible.
 */
export function readXml(text: string): XmlElement | null {
  const reader = new XmlReader(text);
  while (reader.step());
  return reader.result();
}

class XmlReader {
  private at = 0;
  private count = 0;
  /** Open elements below the depth limit. */
  private ignored = 0;
  private readonly open: OpenElement[] = [{ name: "", attributes: new Map(), children: [], texts: [], start: 0 }];

  constructor(private readonly text: string) {}

  result(): XmlElement | null {
    while (this.open.length > 1) this.close(this.text.length);
    return this.open[0]!.children[0] ?? null;
  }

  /** Reads text and the following mark; false at the end. */
  step(): boolean {
    const { text } = this;
    const mark = text.indexOf("<", this.at);
    const end = mark < 0 ? text.length : mark;
    if (end > this.at) this.add(decodeXml(text.slice(this.at, end)));
    this.at = end;
    if (mark < 0 || this.count >= MAX_ELEMENTS) return false;
    const row = SECTIONS.find(({ opening }) => text.startsWith(opening, mark));
    if (row !== undefined) this.skip(mark, row);
    else if (text.startsWith("</", mark)) this.endTag(mark);
    else if (NAME_START.test(text.charAt(mark + 1))) this.startTag(mark);
    else {
      this.add("<");
      this.at = mark + 1;
    }
    return true;
  }

  private add(text: string): void {
    this.open.at(-1)!.texts.push(text);
  }

  private skip(mark: number, { opening, closing, isText }: Section): void {
    const start = mark + opening.length;
    const close = this.text.indexOf(closing, start);
    if (isText) this.add(this.text.slice(start, close < 0 ? this.text.length : close));
    this.at = close < 0 ? this.text.length : close + closing.length;
  }

  private startTag(mark: number): void {
    const { text } = this;
    const end = endOfTag(text, mark);
    this.at = Math.min(text.length, end + 1);
    this.count++;
    const isEmpty = text[end - 1] === "/";
    if (this.open.length > MAX_DEPTH) {
      if (!isEmpty) this.ignored++;
      return;
    }
    const [name, attributes] = readTag(text.slice(mark + 1, isEmpty ? end - 1 : end));
    this.open.push({ name, attributes, children: [], texts: [], start: this.at });
    if (isEmpty) this.close(this.at);
  }

  /** Elements without an end tag end with their parent; an unmatched end tag is ignored. */
  private endTag(mark: number): void {
    const end = this.text.indexOf(">", mark);
    this.at = end < 0 ? this.text.length : end + 1;
    if (this.ignored > 0) {
      this.ignored--;
      return;
    }
    const name = localName(this.text.slice(mark + 2, end < 0 ? this.text.length : end).trim());
    const depth = this.open.findLastIndex((element) => element.name === name);
    if (depth < 1) return;
    while (this.open.length > depth) this.close(mark);
  }

  private close(end: number): void {
    const { name, attributes, children, texts, start } = this.open.pop()!;
    const { text } = this;
    this.open.at(-1)!.children.push({
      name,
      attributes,
      children,
      text: texts.join(""),
      get markup() {
        return text.slice(start, end);
      },
    });
  }
}

interface Section {
  readonly opening: string;
  readonly closing: string;
  readonly isText: boolean;
}

/** Declarations that are not tags. Document type declarations are skipped with their entities. */
const SECTIONS: readonly Section[] = [
  { opening: "<!--", closing: "-->", isText: false },
  { opening: "<![CDATA[", closing: "]]>", isText: true },
  { opening: "<?", closing: "?>", isText: false },
  { opening: "<!", closing: ">", isText: false },
];
const NAME_START = /[A-Za-z_\u0080-\uffff]/;

/** Index of the `>` that ends a tag, outside quoted values. */
function endOfTag(text: string, mark: number): number {
  let quote = "";
  for (let at = mark + 1; at < text.length; at++) {
    const char = text[at]!;
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === ">") return at;
    else if (char === '"' || char === "'") quote = char;
  }
  // An unclosed quote does not count.
  const end = quote === "" ? -1 : text.indexOf(">", mark);
  return end < 0 ? text.length : end;
}

/** A name begins after a blank or a value, so that a long run of letters is tested once. */
const ATTRIBUTE = /(?<=[\s"'])([^\s=/"'<>]{1,200})\s{0,100}=\s{0,100}(?:"([^"]*)"|'([^']*)')/g;

function readTag(tag: string): readonly [string, ReadonlyMap<string, string>] {
  const [written = ""] = /^[^\s/]+/.exec(tag) ?? [];
  const attributes = new Map<string, string>();
  for (const [, name, double, single] of tag.slice(written.length).matchAll(ATTRIBUTE))
    attributes.set(localName(name!), decodeXml(double ?? single ?? ""));
  return [localName(written), attributes];
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1);
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const LAST_CODE_POINT = 0x10ffff;

/** Decodes the five entities of XML and character references; everything else stays unchanged. */
function decodeXml(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g,
    (written, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return NAMED[name]!;
      const code = Number.parseInt(decimal ?? hex!, decimal === undefined ? 16 : 10);
      return code === 0 || code > LAST_CODE_POINT ? written : String.fromCodePoint(code).toWellFormed();
    },
  );
}

/** The child element with this name, or null. */
export function childOf(element: XmlElement, name: string): XmlElement | null {
  return element.children.find((child) => child.name === name) ?? null;
}

/** Value of an attribute or child element, or "". */
export function fieldOf(element: XmlElement, name: string): string {
  return (element.attributes.get(name) ?? childOf(element, name)?.text ?? "").trim();
}

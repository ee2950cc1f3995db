/** HTML that is safe to send: made by `html` only. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | readonly Markup[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A template of HTML. Every value is escaped for text and for quoted attributes, unless it is markup already. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(
    strings.map((text, index) => (index === 0 ? text : textOf(parts[index - 1] ?? "") + text)).join(""),
  );
}

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return part.map((item: Markup) => item.text).join("");
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

import { escapeMarkup } from "../../text/html/escape-markup.ts";

/** Trusted markup. All other values are escaped as text. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = Markup | string | number | null | readonly Part[];

/** A template of HTML or XML: values are escaped unless they are markup; null writes nothing, lists are joined. */
export function markup(strings: TemplateStringsArray, ...values: readonly Part[]): Markup {
  return new Markup(strings.reduce((all, text, at) => all + written(values[at - 1] ?? null) + text));
}

function written(part: Part): string {
  if (part === null) return "";
  if (part instanceof Markup) return part.text;
  return typeof part === "object" ? part.map(written).join("") : escapeMarkup(String(part));
}

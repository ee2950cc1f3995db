/**
 * What is read of the XML that S3 answers: elements without attributes, whose names stand nowhere else in them. Each
 * text is looked through once.
 */

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
};

/** What stands in each element of a name, as it stands there. */
export function elementsOf(xml: string, name: string): readonly string[] {
  const found: string[] = [];
  const [begin, end] = [`<${name}>`, `</${name}>`];
  for (let at = xml.indexOf(begin); at !== -1; ) {
    const closing = xml.indexOf(end, at);
    if (closing === -1) break;
    found.push(xml.slice(at + begin.length, closing));
    at = xml.indexOf(begin, closing);
  }
  return found;
}

/** The text of the first element of a name; null when there is none. */
export function elementText(xml: string, name: string): string | null {
  const [first] = elementsOf(xml, name);
  return first === undefined ? null : first.replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => ENTITIES[entity]!);
}

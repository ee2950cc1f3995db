import { decodeHeaderText } from "./encoded-words.ts";

/** Reads X-Gmail-Labels as Google Takeout writes it: encoded words, labels between commas, those with commas in quotes. Empty and repeated ones go. */
export function readLabels(field: string): readonly string[] {
  if (field === "") return [];
  const labels = new Set<string>();
  let label = "";
  let isQuoted = false;
  for (const character of decodeHeaderText(field)) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === "," && !isQuoted) {
      labels.add(label.trim());
      label = "";
    } else label += character;
  }
  labels.add(label.trim());
  labels.delete("");
  return [...labels];
}

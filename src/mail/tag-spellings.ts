import type { Mark, NotebookEntry } from "./notebook.ts";
import { foldKey } from "./words/fold-key.ts";

/** The tags of an entry, as they are written there. */
export function parseTags({ kind, value }: Pick<NotebookEntry, "kind" | "value">): readonly string[] {
  return kind === "search" || kind === "tag" ? [] : (JSON.parse(value) as Mark).tags;
}

/** The displayed spelling of a tag, given any spelling. */
export type TagSpelling = (name: string) => string;

/**
 * Tags are case-insensitive: "Press" and "press" are one tag. Its spelling is that of the tag's own entry, otherwise of
 * the first record tagged.
 */
export function tagSpelling(entries: readonly NotebookEntry[]): TagSpelling {
  const spelled = new Map<string, string>();
  const meet = (name: string): void => {
    const key = foldKey(name);
    if (!spelled.has(key)) spelled.set(key, name);
  };
  for (const { kind, key } of entries) if (kind === "tag") meet(key);
  for (const entry of entries) for (const name of parseTags(entry)) meet(name);
  return (name) => spelled.get(foldKey(name)) ?? name;
}

/** Tags in their displayed spelling, without duplicates. */
export function uniqueTags(names: readonly string[], spelling: TagSpelling): readonly string[] {
  return Array.from(new Set(names.map(spelling)));
}

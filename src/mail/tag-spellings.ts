import type { Mark, NotebookEntry } from "./notebook.ts";
import { foldKey } from "./words/fold-key.ts";

/** The tags of an entry, as they are written there. */
export function parseTags({ kind, value }: Pick<NotebookEntry, "kind" | "value">): readonly string[] {
  return kind === "search" || kind === "tag" ? [] : (JSON.parse(value) as Mark).tags;
}

/** How a tag is told, however somebody wrote it. */
export type TagSpelling = (name: string) => string;

/**
 * A tag is one, however it is written: "Press" and "press" are told by one name, which is that of an entry of its own
 * before any that only stands on a thing.
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

/** Tags as they are told, each once. */
export function uniqueTags(names: readonly string[], spelling: TagSpelling): readonly string[] {
  return Array.from(new Set(names.map(spelling)));
}

import type { Mark, NotebookEntry, NotebookState } from "../../mail/notebook.ts";
import { tagSpelling, uniqueTags } from "../../mail/tag-spellings.ts";
import type { MarkedMessages } from "../../search/indexing/marked-messages.ts";
import type { NotebookContent } from "../contract/notebook-location.ts";

/** Sorts entries so that conversations come first and a mark on a single message overrides them. */
export function entriesOfMessages(entries: readonly NotebookEntry[]): readonly NotebookEntry[] {
  return entries
    .filter(({ kind }) => kind === "thread" || kind === "message")
    .toSorted((left, right) => (left.kind < right.kind ? 1 : -1));
}

/** Marks of messages. @param find returns the messages of an entry, or none if it is not in the archive */
export function markedMessages(
  { revision, entries }: NotebookContent,
  find: (entry: NotebookEntry) => readonly number[],
): MarkedMessages {
  const spelling = tagSpelling(entries);
  const names = new Map<string, number>();
  const tagNames: string[] = [];
  const tags = new Map<number, number[]>();
  const noted = new Set<number>();
  const reviews: Map<number, Mark["review"]> = new Map();
  for (const entry of entriesOfMessages(entries)) {
    const mark = JSON.parse(entry.value) as Mark;
    const numbers = uniqueTags(mark.tags, spelling).map((name) => {
      const number = names.get(name) ?? tagNames.push(name) - 1;
      names.set(name, number);
      return number;
    });
    for (const message of find(entry)) {
      if (mark.note !== "") noted.add(message);
      if (mark.review !== "open") reviews.set(message, mark.review);
      if (numbers.length > 0) tags.set(message, [...new Set([...(tags.get(message) ?? []), ...numbers])]);
    }
  }
  return { revision, tagNames, tags, noted, reviews };
}

/** State of the notebook of an open archive. */
export function notebookState({ revision, entries }: NotebookContent): NotebookState {
  const searches = entries
    .filter(({ kind }) => kind === "search")
    .map(({ key, value }) => ({ name: key, query: (JSON.parse(value) as { readonly q: string }).q }));
  const notes = entriesOfMessages(entries)
    .map(({ kind, key, value }) => ({ kind, key, note: (JSON.parse(value) as Mark).note }))
    .filter(({ note }) => note !== "");
  return { revision, searches, notes };
}

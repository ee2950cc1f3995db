import type { LatestEntry, Notebook, NotebookEntry, NotebookNews } from "../../mail/notebook.ts";
import type { NotebookContent } from "../contract/notebook-location.ts";
import { openNotebookInMemory } from "../sqlite/service/notebook-database.ts";

/** Entries that a dry run would write, and its result. */
interface Trial<T> {
  readonly answer: T;
  readonly news: NotebookNews;
}

/** Runs `use` on a temporary copy of a notebook and returns what it would write. Throws errors of `use`. */
export function tryNotebook<T>(before: NotebookContent, use: (notebook: Notebook) => T): Trial<T> {
  const trial = openNotebookInMemory();
  try {
    trial.receive(before);
    const answer = use(trial);
    return { answer, news: newsBehind(before, { revision: trial.revision(), entries: trial.entries() }) };
  } finally {
    trial.close();
  }
}

function newsBehind(before: NotebookContent, { revision, entries }: NotebookContent): NotebookNews {
  const left = new Set(entries.map(nameOf));
  const removed = before.entries.filter((entry) => !left.has(nameOf(entry)));
  return {
    revision,
    entries: [
      ...entries.filter((entry) => entry.revision > before.revision),
      ...removed.map((entry): LatestEntry => ({ ...entry, revision, value: null })),
    ],
  };
}

/** Identifier of an entry. */
export function nameOf({ kind, key }: Pick<NotebookEntry, "kind" | "key">): string {
  return `${kind} ${key}`;
}

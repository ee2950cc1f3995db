import type { LatestEntry, Notebook, NotebookEntry, NotebookNews } from "../../mail/notebook.ts";
import type { NotebookContent } from "../contract/notebook-location.ts";
import { openNotebookInMemory } from "../sqlite/service/notebook-database.ts";

/** What would be written into a notebook, and what is answered to who writes. */
interface Trial<T> {
  readonly answer: T;
  readonly news: NotebookNews;
}

/**
 * What something would write into a notebook that is kept elsewhere: it is let write into another one of the same
 * entries. Throws what `use` throws.
 */
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

/** What an entry is known by. */
export function nameOf({ kind, key }: Pick<NotebookEntry, "kind" | "key">): string {
  return `${kind} ${key}`;
}

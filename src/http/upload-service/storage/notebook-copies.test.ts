import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { LatestEntry, NotebookChange, NotebookNews } from "../../../mail/notebook.ts";
import { archiveIn } from "../../../store/contract/archive-location.ts";
import type { UploadNotebooks } from "../../../store/contract/upload-notebooks.ts";
import { notebookEntries } from "../../../store/notebook/open-notebook.ts";
import { NotebookCopies } from "./notebook-copies.ts";

const scratch = mkdtempSync(join(tmpdir(), "archivetool-notebook-copies-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Fakes the database of the services for one upload. */
function database(): UploadNotebooks {
  const rows = new Map<string, LatestEntry>();
  let last = 0;
  return {
    notebookSince: async (_, revision): Promise<NotebookNews> => ({
      revision: last,
      entries: [...rows.values()].filter((row) => row.revision > revision),
    }),
    async writeNotebook(_, known, { revision, entries }) {
      if (known !== last) return false;
      for (const entry of entries) rows.set(`${entry.kind} ${entry.key}`, entry);
      last = revision;
      return true;
    },
  };
}

const place = (name: string) => {
  mkdirSync(join(scratch, name), { recursive: true });
  return archiveIn(join(scratch, name));
};
const tag = (key: string, revision: number, value: string | null): NotebookChange => ({
  ...{ kind: "tag", key, revision, value, updatedAt: 1, author: null },
});

it("repeats a write after another service's write, and returns the right result to each", async () => {
  const notebooks = database();
  const copies = new NotebookCopies(notebooks);
  const [one, two] = [place("one"), place("two")];
  await copies.write("upload", one, (notebook) => notebook.write(tag("first", 0, "1")));
  let tries = 0;
  const slow: UploadNotebooks = {
    ...notebooks,
    async writeNotebook(...given) {
      tries++;
      if (tries === 1) await copies.write("upload", two, (other) => other.write(tag("second", 0, "2")));
      return notebooks.writeNotebook(...given);
    },
  };
  await new NotebookCopies(slow).write("upload", one, (notebook) => notebook.write(tag("third", 0, "3")));
  expect(tries).toBe(2);
  await copies.bring("upload", two);
  expect(notebookEntries(two)).toEqual(notebookEntries(one));
  expect(notebookEntries(one).map(({ key, revision }) => [key, revision])).toEqual([
    ["first", 1],
    ["second", 2],
    ["third", 3],
  ]);
  // A writer that has seen an earlier state is rejected, even if its replica has not seen the later one.
  await copies.write("upload", one, (notebook) => notebook.write(tag("first", 1, "one")));
  await expect(copies.write("upload", two, (notebook) => notebook.write(tag("first", 1, "two")))).rejects.toThrow(
    "was changed by someone else",
  );
  // A removed entry also disappears from the other replica.
  await copies.write("upload", two, (notebook) => notebook.write(tag("second", 2, null)));
  await copies.bring("upload", one);
  expect(notebookEntries(one).map(({ key, value }) => [key, value])).toEqual([
    ["first", "one"],
    ["third", "3"],
  ]);
});

it("writes nothing anywhere if a request is rejected", async () => {
  const notebooks = database();
  const copies = new NotebookCopies(notebooks);
  const one = place("refused");
  await expect(
    copies.write("upload", one, (notebook) => {
      notebook.write(tag("half", 0, "1"));
      throw new Error("refused");
    }),
  ).rejects.toThrow("refused");
  expect(await notebooks.notebookSince("upload", 0)).toEqual({ revision: 0, entries: [] });
  expect(notebookEntries(one)).toEqual([]);
});

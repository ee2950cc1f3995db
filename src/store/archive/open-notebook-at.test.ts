import { afterAll, describe, expect, it } from "vitest";
import { CorpusArchives } from "../../../test/corpus-archive.ts";
import type { CorpusMessage } from "../../../test/search-corpus.ts";
import { STORES } from "../../../test/stores.ts";
import { KEY_SEPARATOR, type Mark, type NotebookChange, type NotebookKind } from "../../mail/notebook.ts";
import type { ArchiveLocation } from "../contract/archive-location.ts";
import type { StoredNotebook } from "../contract/notebook-location.ts";
import { openArchive } from "./open-archive.ts";
import { openNotebookAt } from "./open-notebook-at.ts";

const MESSAGES: readonly CorpusMessage[] = Array.from({ length: 6 }, (_, index) => ({
  subject: `Letter ${index}`,
  body: `The crane and the tide, ${index}.`,
  sentAt: 1000 + index,
}));

/** The key of a message of the corpus. */
const keyOf = (ordinal: number): string => `${ordinal}@example.org${KEY_SEPARATOR}${"ab".repeat(32)}`;
const change = (kind: NotebookKind, key: string, revision: number, value: object | null): NotebookChange => ({
  ...{ kind, key, revision, updatedAt: 7, author: "ada" },
  value: value === null ? null : JSON.stringify(value),
});
const mark = (changes: Partial<Mark>): Mark => ({ tags: [], note: "", review: "open", ...changes });

describe.each(STORES)("the notebook of an archive of $name", (store) => {
  const archives = new CorpusArchives(store);
  afterAll(() => archives.remove());

  /** Opens the notebook of an archive like several servers. */
  async function opened<T>(place: ArchiveLocation, use: (...notebooks: StoredNotebook[]) => Promise<T>): Promise<T> {
    const notebooks = [await openNotebookAt(place), await openNotebookAt(place)];
    try {
      return await use(...notebooks.map((notebook) => notebook!));
    } finally {
      for (const notebook of notebooks) await notebook?.close();
    }
  }

  it("is shared by all servers: no concurrent write is lost, and a write based on an earlier state is rejected", async () => {
    await opened(await archives.write([MESSAGES], 10), async (one, two) => {
      const write = (notebook: StoredNotebook, given: NotebookChange) =>
        notebook.write((written) => written.write(given));
      expect(await one!.entries()).toEqual([]);
      const first = await write(one!, change("message", keyOf(1), 0, mark({ note: "first" })));
      expect(first).toMatchObject({ revision: 1, updatedAt: 7, author: "ada" });
      expect(await two!.entries()).toEqual([first]);
      await Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          write(at % 2 === 0 ? one! : two!, change("person", `p${at}@quay.example`, 0, mark({ note: String(at) }))),
        ),
      );
      expect((await two!.entries()).map(({ revision }) => revision).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 13 }, (_, at) => at + 1),
      );
      expect(await one!.entries()).toEqual(await two!.entries());
      // Of two writers that read the same state, one succeeds.
      const outcomes = await Promise.allSettled(
        [one!, two!].map((notebook, at) => write(notebook, change("message", keyOf(1), 1, mark({ note: `by ${at}` })))),
      );
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
        reason: { code: "NOTEBOOK_CHANGED" },
      });
      // A removed entry is removed for the other server, and can be written again.
      const [entry] = (await two!.entries()).filter(({ kind }) => kind === "message");
      expect(await write(two!, change("message", keyOf(1), entry!.revision, null))).toBeNull();
      expect((await one!.entries()).filter(({ kind }) => kind === "message")).toEqual([]);
      await write(one!, change("message", keyOf(1), 0, mark({ note: "again" })));
      expect((await two!.entries()).filter(({ kind }) => kind === "message")).toHaveLength(1);
      let edits = 0;
      const edited = (): string => {
        edits++;
        if (edits > 1) throw new Error("refused");
        return "{}";
      };
      const broken = two!.write((notebook) =>
        notebook.edit("tag", ["half", "other"], { updatedAt: 7, author: "ada", edited }),
      );
      await expect(broken).rejects.toThrow("refused");
      expect((await one!.entries()).filter(({ kind }) => kind === "tag")).toEqual([]);
    });
  });

  it("is searched with its current state, and kept when the archive is replaced", async () => {
    const place = await archives.write([MESSAGES], 10);
    await opened(place, async (notebook) => {
      const archive = await openArchive(place);
      const found = async (query: string): Promise<string[]> =>
        (await archive.search.search(query, 10)).hits.map(({ messageId }) => messageId).sort();
      expect(await found("tag:hot")).toEqual([]);
      expect(await archive.notebook()).toEqual({ revision: 0, searches: [], notes: [] });
      await notebook!.write((written) => {
        written.write(change("message", keyOf(2), 0, mark({ tags: ["hot"], review: "relevant" })));
        written.write(change("message", keyOf(5), 0, mark({ tags: ["Hot"], note: "the tide" })));
        // Has the same Message-ID and other bytes: not a message of this archive.
        const other = `3@example.org${KEY_SEPARATOR}${"cd".repeat(32)}`;
        written.write(change("message", other, 0, mark({ tags: ["hot"] })));
        written.write(change("search", "cranes", 0, { q: "crane" }));
      });
      expect(await found("tag:hot")).toEqual(["msg-000002", "msg-000005"]);
      expect(await found("has:note")).toEqual(["msg-000005"]);
      expect(await found("review:relevant")).toEqual(["msg-000002"]);
      expect(await archive.notebook()).toEqual({
        revision: 4,
        searches: [{ name: "cranes", query: "crane" }],
        notes: [{ kind: "message", key: keyOf(5), note: "the tide" }],
      });
      // All messages of the corpus are one conversation.
      await notebook!.write((written) => written.write(change("thread", keyOf(1), 0, mark({ tags: ["all"] }))));
      expect(await found("tag:all")).toHaveLength(MESSAGES.length);
      const facets = await archive.explore.facets({ query: "", match: "all", of: ["tag"], limit: 5 });
      expect(JSON.stringify(facets)).toContain('"hot"');
      await archive.close();
      const hidden = await openArchive({ ...place, isNotebookHidden: true });
      expect(await hidden.notebook()).toEqual({ revision: 0, searches: [], notes: [] });
      expect((await hidden.search.search("tag:hot", 10)).hits).toEqual([]);
      await hidden.close();
      await store.publish(await archives.write([MESSAGES.slice(0, 4)], 10), place);
      const replaced = await openArchive(place);
      expect((await replaced.search.search("tag:hot", 10)).hits.map(({ messageId }) => messageId)).toEqual([
        "msg-000002",
      ]);
      await replaced.close();
    });
  });
});

import { MessageChannel } from "node:worker_threads";
import { expect, it } from "vitest";
import { currentTurn } from "../../search/indexing/search-turns.ts";
import type { SearchedArchive } from "../contract/searched-archive.ts";
import type { SearchReply } from "../threads/search-thread.ts";
import { answerSearches } from "./answer-searches.ts";

const ARCHIVE = { file: "archive.db", notebook: null } as never;

/** An archive in which the query `endless` runs until it is stopped; all other queries end at once. */
function endlessArchive(stopped: (error: Error) => void): SearchedArchive {
  const matching = async (query: string): Promise<readonly never[]> => {
    if (query !== "endless") return [];
    const turn = currentTurn()!;
    try {
      for (;;) {
        const since = turn.now() - 10;
        turn.count(since);
        await turn.giveWay();
      }
    } catch (error) {
      stopped(error as Error);
      throw error;
    }
  };
  return { search: { matching }, async close() {} } as unknown as SearchedArchive;
}

it("answers other queries during one, and ends it when its client disconnects", async () => {
  const { port1, port2 } = new MessageChannel();
  const replies: SearchReply[] = [];
  const stopped = new Promise<Error>((resolve) => answerSearches(port2, async () => endlessArchive(resolve)));
  const other = new Promise<void>((resolve) =>
    port1.on("message", (reply: SearchReply) => {
      replies.push(reply);
      resolve();
    }),
  );
  const ask = (call: number, query: string): void =>
    port1.postMessage({ call, archive: ARCHIVE, question: { part: "search", name: "matching", given: [query] } });
  ask(1, "endless");
  ask(2, "short");
  await other;
  expect(replies).toEqual([{ call: 2, found: [] }]);
  port1.postMessage({ cancel: 1 });
  expect((await stopped).name).toBe("AbortError");
  port1.close();
  expect(replies).toHaveLength(1);
});

import { expect, it, vi } from "vitest";
import { currentTurn, QUERY_BUDGET_MS } from "../../search/indexing/search-turns.ts";
import { forCaller } from "../contract/caller-signal.ts";
import type { SearchedArchive } from "../contract/searched-archive.ts";
import { withBoundedSearch } from "./bounded-search.ts";

/** An archive that works on a query until it is stopped. */
const endless = withBoundedSearch({
  search: { matching: work, search: work },
  explore: { hits: work },
} as unknown as SearchedArchive);

/** @returns the time used, in steps of one second; ends by itself after one and a half budgets */
async function work(): Promise<number> {
  const turn = currentTurn()!;
  for (let step = 0; step < (1.5 * QUERY_BUDGET_MS) / 1000; step++) {
    turn.count(turn.now() - 1000);
    await turn.giveWay();
  }
  return turn.spent;
}

it("ends a query that exceeds its budget; each query of a report has one", async () => {
  let seconds = 0;
  const used = vi.spyOn(process, "cpuUsage").mockImplementation(() => ({ user: 1e6 * seconds++, system: 0 }));
  await expect(endless.search.matching("endless")).rejects.toMatchObject({ code: "QUERY_TOO_EXPENSIVE" });
  await expect(endless.search.search("endless", 10)).rejects.toMatchObject({ code: "QUERY_TOO_EXPENSIVE" });
  const query = { query: "endless", match: "all" } as const;
  await expect(endless.explore.hits([query])).rejects.toMatchObject({ code: "QUERY_TOO_EXPENSIVE" });
  expect(await endless.explore.hits([query, query])).toBeGreaterThan(QUERY_BUDGET_MS);
  used.mockRestore();
});

it("ends a query whose client disconnected", async () => {
  const caller = new AbortController();
  const running = forCaller(caller.signal, () => endless.search.matching("endless"));
  caller.abort();
  await expect(running).rejects.toMatchObject({ name: "AbortError" });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openSearch } from "../../src/store/archive/open-search.ts";
import { archiveIn, archiveOnServer } from "../../src/store/contract/archive-location.ts";
import { forCaller } from "../../src/store/contract/caller-signal.ts";
import type { SearchedArchive } from "../../src/store/contract/searched-archive.ts";
import { openPostgresSearch } from "../../src/store/postgres/reading/open-archive.ts";
import { stopThreads } from "../../src/store/threads/range-threads.ts";
import { madeNumbers, madeWords, nextWord } from "../made-words.ts";
import { propertyRuns } from "../property-runs.ts";
import { HAS_POSTGRES, testServer } from "../stores.ts";
import { archivetool, archivetoolWith, scratchDirectory } from "./cli.ts";
import { day, rawMessage } from "./fixture-mail.ts";

/** Messages in the archive, and in a range of its index. */
const MESSAGES = 700;
const RANGE = 100;
const QUERIES = propertyRuns(500);

const scratch = scratchDirectory("search-ranges");
const WORDS = madeWords(200);

function writeMail(path: string, seed: number, count: number): void {
  const next = madeNumbers(seed);
  const text = (words: number): string => Array.from({ length: words }, () => nextWord(WORDS, next)).join(" ");
  const messages = Array.from({ length: count }, (_, at) => {
    const subject = next(3) === 0 ? `Re: ${WORDS[next(20)]!} plan` : text(1 + next(4));
    // Some messages repeat others.
    const body =
      next(9) === 0 ? `${"the same notice for everybody at the quay ".repeat(6)}${next(5)}` : text(5 + next(60));
    const message = rawMessage({
      id: `${at}.${seed}@harbour.example`,
      from: `Person ${next(9)} <p${next(9)}@harbour.example>`,
      to: `Person ${next(13)} <q${next(13)}@quay.example>`,
      subject,
      date: day(1 + next(300)),
      body: `${body}\n`,
    });
    return `From p@harbour.example Wed Jan  1 12:00:00 2003\n${message}\n`;
  });
  writeFileSync(path, messages.join(""));
}

/** Queries of every kind. */
function madeQueries(): readonly string[] {
  const next = madeNumbers(11);
  return Array.from({ length: QUERIES }, (_, at) => {
    const [x, y, z] = Array.from({ length: 3 }, () => nextWord(WORDS, next)) as [string, string, string];
    const kinds = [
      ...[x, `${x} ${y} ${z}`, `${x.slice(0, 2)}*`, `${x.slice(0, 1)}* ${y}`, `"${x} ${y}"`, `"${WORDS[0]} ${x}" ${z}`],
      ...[`+${x} -${y} ${z}`, `+${x.slice(0, 2)}* ${y}`, `(${x} OR ${y}) ${z}`, `subject:${x} ${y}`, `from:p3 ${x}`],
      ...[`-"${x} ${y}" ${z}`, `to:q2@quay.example`, `similar:msg-000${100 + (at % 400)}`, `notice -${x.slice(0, 2)}*`],
      ...["", "after:2003-05 notice", `is:reply ${x}`, `domain:harbour.example ${y}`, "?!", `"same notice" ${x}`],
    ];
    return kinds[at % kinds.length]!;
  });
}

/** Results of the explore reader for a query. */
async function explored({ explore }: SearchedArchive, query: string): Promise<unknown> {
  const asked = { query, match: "all" } as const;
  return [
    await explore.page({ ...asked, sort: "relevance", offset: 0, limit: 9, repeats: "folded" }),
    await explore.page({ ...asked, sort: "sender", offset: 3, limit: 9, repeats: "listed" }),
    await explore.facets({ ...asked, of: ["from", "year"], limit: 5 }),
    await explore.timeline({ ...asked, by: "month" }),
    await explore.conversations({ ...asked, sort: "largest", offset: 0, limit: 5 }),
    await explore.hits([asked]),
  ];
}

describe("an index searched in ranges", () => {
  const whole = join(scratch, "whole");
  const cut = join(scratch, "cut");
  beforeAll(() => {
    writeMail(join(scratch, "quay.mbox"), 7, MESSAGES);
    for (const [output, environment] of [
      [whole, {}],
      [cut, { ARCHIVETOOL_RANGE_MESSAGES: String(RANGE) }],
    ] as const) {
      const words = ["-q", "extract", join(scratch, "quay.mbox"), "-o", output, "--no-wiki"];
      const made = archivetoolWith(environment, ...words);
      expect(made.exitCode, made.stderr).toBe(0);
    }
  });

  it(`returns for ${QUERIES} queries the ids and score bits of one range, in threads`, async () => {
    const [expected, ranged] = [await openSearch(archiveIn(whole)), await openSearch(archiveIn(cut))];
    await compare(expected, [ranged]);
    for (const query of ["", "notice", WORDS[0]!, `${WORDS[1]!} OR ${WORDS[2]!}`, `"same notice"`])
      expect([query, await explored(ranged, query)]).toEqual([query, await explored(expected, query)]);
    for (const archive of [expected, ranged]) await archive.close();
  });

  it.skipIf(!HAS_POSTGRES)("returns the same for a collection, in seven ranges and in four", async () => {
    const copied = archivetool("-q", "copy", cut, testServer().url, "--collection", "quay");
    expect(copied.exitCode, copied.stderr).toBe(0);
    const place = archiveOnServer(testServer().url, "quay");
    const expected = await openSearch(archiveIn(whole));
    const ranged = [await openPostgresSearch(place), await openPostgresSearch(place, RANGE * 2)];
    await compare(expected, ranged);
    for (const archive of [expected, ...ranged]) await archive.close();
  });

  it("ends a cancelled search, fails once when a thread dies, and starts another", async () => {
    const archive = await openSearch(archiveIn(cut));
    const hits = () => archive.search.search(WORDS[0]!, 5, {});
    const before = await hits();
    const cancelled = new AbortController();
    const late = forCaller(cancelled.signal, hits);
    cancelled.abort(new Error("the caller is gone"));
    await expect(late).rejects.toThrow("the caller is gone");
    const failed = expect(hits()).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
    // Until then, its calls are pending.
    await new Promise(setImmediate);
    await stopThreads();
    await failed;
    expect(await hits()).toEqual(before);
    await archive.close();
  });
});

async function compare(whole: SearchedArchive, ranged: readonly SearchedArchive[]): Promise<void> {
  const filter = { after: Date.UTC(2003, 2), from: "p3@harbour.example" };
  let hits = 0;
  for (const [at, query] of madeQueries().entries()) {
    const asked = [query, 1 + (at % 30), at % 9 === 0 ? filter : {}] as const;
    const expected = await whole.search.search(...asked);
    hits += expected.hits.length;
    const { search } = ranged[at % ranged.length]!;
    expect([query, await search.search(...asked)]).toEqual([query, expected]);
    if (at % 25 !== 0) continue;
    expect(await search.matching(query, filter)).toEqual(await whole.search.matching(query, filter));
  }
  expect(hits).toBeGreaterThan(QUERIES * 3);
}

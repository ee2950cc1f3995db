import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { archiveOnServer } from "../../src/store/archive-location.ts";
import { openPostgresSearch } from "../../src/store/postgres/open-archive.ts";
import { cutIndex } from "../cut-index.ts";
import { madeNumbers, madeWords, nextWord } from "../made-words.ts";
import { HAS_POSTGRES, testServer } from "../stores.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { day, rawMessage } from "./fixture-mail.ts";

/** Messages of the archive, and of a segment of its index, which no range cuts. */
const MESSAGES = 700;
const SEGMENT = 100;
/** Messages of a range where there are four ranges, and seven. */
const RANGES: readonly number[] = [200, SEGMENT];
const QUERIES = 500;

const scratch = scratchDirectory("search-ranges");
const WORDS = madeWords(200);

function writeMail(path: string, seed: number, count: number): void {
  const next = madeNumbers(seed);
  const text = (words: number): string => Array.from({ length: words }, () => nextWord(WORDS, next)).join(" ");
  const messages = Array.from({ length: count }, (_, at) => {
    const subject = next(3) === 0 ? `Re: ${WORDS[next(20)]!} plan` : text(1 + next(4));
    // Some say what others say, too.
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

describe.skipIf(!HAS_POSTGRES)("an index searched in ranges", () => {
  beforeAll(async () => {
    writeMail(join(scratch, "quay.mbox"), 7, MESSAGES);
    const output = join(scratch, "quay");
    const made = archivetool("-q", "extract", join(scratch, "quay.mbox"), "-o", output, "--no-wiki");
    expect(made.exitCode, made.stderr).toBe(0);
    const copied = archivetool("-q", "copy", output, testServer().url, "--collection", "quay");
    expect(copied.exitCode, copied.stderr).toBe(0);
    expect(await cutIndex(testServer().url, "quay", SEGMENT)).toBe(MESSAGES / SEGMENT);
  });

  it(`gives for ${QUERIES} queries the ids and score bits of one range, in 4 ranges and in 7`, async () => {
    const place = archiveOnServer(testServer().url, "quay");
    const whole = await openPostgresSearch(place);
    const ranged = await Promise.all(RANGES.map((messages) => openPostgresSearch(place, messages)));
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
    for (const archive of [whole, ...ranged]) await archive.close();
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { archivetool, scratchDirectory } from "./cli.ts";
import { QuerySurfaces } from "./query-surfaces.ts";

/** Invariants of the query language, over generated queries, on every surface that takes one. */

/** Pairs of queries: each takes four searches on seven surfaces. */
const PAIRS = 8;

const scratch = scratchDirectory("query-laws");
const archive = join(scratch, "archive");
const surfaces = new QuerySurfaces(archive, scratch);

const WORDS = ["rope", "pier", "tide", "10:30", "1:23-cv", "AT&T", "http://x.example/a", "C++", "3月", "t?de", "*ier"];
const PEOPLE = ["Ann Lee <ann@t.example>", "Ben Tide <ben@x.example>", "王小明 <ming@t.example>"];

/** Messages with every second word, every third, and so on; some repeat each other. */
const MESSAGES = Array.from({ length: 30 }, (_, at) => {
  const words = WORDS.slice(0, 9).filter((_word, place) => at % (place + 2) === 0);
  return { from: PEOPLE[at % 3]!, subject: `Note ${words[0] ?? ""}`, text: `${words.join(" near the ")} again` };
});

const leaf = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom(...WORDS).map((word) => `"${word} near"`),
  fc.constantFrom(
    "from:ann",
    "from:王",
    "subject:rope",
    "fro:x",
    "stem:ropes",
    "rope w/3 tide",
    "(tide OR rope)",
    "re*",
  ),
);
const signed = fc.tuple(fc.constantFrom("", "", "-", "NOT ", "+"), leaf).map(([sign, text]) => `${sign}${text}`);
const query = fc
  .array(fc.tuple(fc.constantFrom(" ", " OR ", " AND "), signed), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.map(([joint, text], at) => (at === 0 ? text : joint + text)).join(""));

beforeAll(async () => {
  const mbox = MESSAGES.map(({ from, subject, text }, at) => {
    const [, name, address] = /^(.*) (<.*>)$/.exec(from)!;
    return [
      `From ann@t.example Mon May 14 16:${10 + at}:00 2001`,
      `From: =?utf-8?B?${Buffer.from(name!).toString("base64")}?= ${address}`,
      "To: Bo Tide <bo@t.example>",
      `Subject: =?utf-8?B?${Buffer.from(subject).toString("base64")}?=`,
      `Date: Mon, 14 May 2001 16:${10 + at}:00 +0000`,
      `Message-ID: <law${at}@t.example>`,
      ...["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit", "", text, ""],
    ].join("\n");
  });
  writeFileSync(join(scratch, "laws.mbox"), `${mbox.join("\n")}\n`);
  const made = archivetool("-q", "extract", join(scratch, "laws.mbox"), "-o", archive, "--no-wiki");
  expect(made.exitCode, made.stderr).toBe(0);
  await surfaces.open();
});
afterAll(() => surfaces.close());

/** Messages that a query finds, and their number if it is the same on every surface. */
async function found(text: string): Promise<readonly string[]> {
  const labels = (await surfaces.exported(text)).filter((label) => label.startsWith("law"));
  const [hits] = await surfaces.hits([text]);
  const counted = { hits, ...(await surfaces.counts(text)) };
  expect(counted, text).toEqual(Object.fromEntries(Object.keys(counted).map((name) => [name, labels.length])));
  return labels.sort();
}

it("on every surface: the negation is the complement, words narrow, alternatives widen", async () => {
  const all = MESSAGES.map((_, at) => `law${at}`).sort();
  await fc.assert(
    fc.asyncProperty(query, query, async (one, other) => {
      const matching = await found(one);
      expect([...matching, ...(await found(`-(${one})`))].sort(), one).toEqual(all);
      expect(matching, one).toEqual(expect.arrayContaining([...(await found(`(${one}) (${other})`))]));
      expect(await found(`(${one}) OR (${other})`), one).toEqual(expect.arrayContaining([...matching]));
    }),
    { numRuns: PAIRS },
  );
});

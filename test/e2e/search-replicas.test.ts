import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { holdersOf, Replicas } from "../../src/http/replica/replicas.ts";
import { messageId } from "../../src/mail/ids.ts";
import type { MessageOrdinal } from "../../src/mail/ordinal.ts";
import { archiveOnServer, type CollectionLocation } from "../../src/store/archive-location.ts";
import { openPostgresSearch } from "../../src/store/postgres/open-archive.ts";
import { connect } from "../../src/store/postgres/postgres-client.ts";
import type { RangeHolders } from "../../src/store/range-place.ts";
import { cutIndex } from "../cut-index.ts";
import { madeNumbers, madeWords, nextWord } from "../made-words.ts";
import { HAS_POSTGRES, testServer } from "../stores.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { day, rawMessage } from "./fixture-mail.ts";
import { type RunningService, startServer } from "./running-service.ts";

/** Messages of the archive, and of a segment of its index, which no range cuts. */
const MESSAGES = 700;
const SEGMENT = 100;
/** Messages of a range of the replicas that search in one, in four and in seven ranges. */
const RANGES: readonly number[] = [4_000_000, 200, SEGMENT];
const QUERIES = 500;

const scratch = scratchDirectory("search-replicas");
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

/** What a server is asked: a path, and what is posted there. */
interface Asked {
  readonly path: string;
  readonly body?: object;
}

const search = (query: string, more: object = {}): Asked => ({
  path: "/api/query/search",
  body: { query, limit: 20, ...more },
});

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

/** Questions to every route that searches, in every order and with pages of any offset. */
function madeQuestions(): readonly Asked[] {
  const sorts = ["relevance", "newest", "oldest", "sender", "size"];
  const listed: readonly ((q: string, at: number) => string)[] = [
    (q, at) => `/api/explore/messages?q=${q}&sort=${sorts[at % 5]}&offset=${(at % 4) * 15}&match=any`,
    (q, at) => `/api/explore/messages?q=${q}&sort=${sorts[at % 5]}&offset=${at % 60}&repeats=listed&limit=30`,
    (q) => `/api/explore/facets?q=${q}&match=any`,
    (q, at) => `/api/explore/timeline?q=${q}&match=any${at % 2 === 0 ? "&stack=from" : ""}`,
    (q, at) => `/api/explore/threads?q=${q}&sort=${["newest", "oldest", "largest", "relevance"][at % 4]}&match=any`,
  ];
  const some = madeQueries().filter((_, at) => at % 6 === 0);
  return some.map((query, at) => {
    const route = at % (listed.length + 1);
    return route < listed.length ? { path: listed[route]!(encodeURIComponent(query), at) } : search(query || "notice");
  });
}

/** What a server answers, but for times. */
async function answerOf({ url }: RunningService, { path, body }: Asked): Promise<unknown> {
  const posted = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(url + path, body === undefined ? {} : posted);
  const told = (await answer.text()).replace(/"(?:timestamp|query_time_ms)":(?:"[^"]*"|\d+)/g, "");
  return { path, asked: body, status: answer.status, told };
}

describe.skipIf(!HAS_POSTGRES)("replicas that search the ranges of an index for each other", () => {
  const running: RunningService[] = [];
  const replicas: RunningService[] = [];
  /** Where others ask them. */
  const addresses: string[] = [];
  let alone: RunningService;
  const start = async (...flags: readonly string[]): Promise<RunningService> => {
    const started = await startServer("serve", `${testServer().url}#quay`, ...flags);
    running.push(started);
    return started;
  };
  const startReplica = (...flags: readonly string[]): Promise<RunningService> =>
    start("--replica", "127.0.0.1:0", ...flags);
  const setRange = (messages: number): Promise<unknown> =>
    rows("UPDATE replica_state SET range_messages = $1", messages);

  async function rows(sql: string, ...values: (string | number | readonly string[])[]) {
    const client = await connect(testServer().url, "test");
    const found = await client.rows(sql, values);
    await client.close();
    return found;
  }

  function put(name: string, ...sources: readonly string[]): void {
    const output = join(scratch, name);
    const made = archivetool("-q", "extract", ...sources, "-o", output, "--no-wiki");
    expect(made.exitCode, made.stderr).toBe(0);
    const copied = archivetool("-q", "copy", output, testServer().url, "--collection", name);
    expect(copied.exitCode, copied.stderr).toBe(0);
  }

  beforeAll(async () => {
    writeMail(join(scratch, "quay.mbox"), 7, MESSAGES);
    put("quay", join(scratch, "quay.mbox"));
    expect(await cutIndex(testServer().url, "quay", SEGMENT)).toBe(MESSAGES / SEGMENT);
    // Each searches in ranges of its own, and holds those of the others.
    for (const messages of RANGES) {
      if (replicas.length > 0) await setRange(messages);
      replicas.push(await startReplica());
      const [[address]] = (await rows("SELECT address FROM replicas WHERE address <> ALL($1::text[])", addresses)) as [
        [string],
      ];
      addresses.push(address);
    }
    alone = await start();
  });
  afterAll(async () => {
    for (const one of running) await one.end("SIGKILL");
  });

  const place = (): CollectionLocation => archiveOnServer(testServer().url, "quay");

  /** The seven, as replicas know them. */
  async function smallestRanges(): Promise<readonly string[]> {
    const [[epoch]] = (await rows("SELECT epoch FROM collections WHERE name = 'quay'")) as [[number]];
    return Array.from({ length: MESSAGES / SEGMENT }, (_, at) => `${epoch} ${1 + at * SEGMENT}`);
  }

  /** Holds nothing itself unless nobody else does: what is found others have found. */
  async function otherHolders(): Promise<RangeHolders> {
    const live = (await rows("SELECT address, beat_at::text FROM replicas")) as [string, string][];
    const [[secret]] = (await rows("SELECT secret FROM replica_state")) as [[string]];
    const nobody = (): Promise<never> => Promise.reject(new Error("nobody answers"));
    return {
      rangeAt(place) {
        const replicas = new Replicas({
          address: lastHolder(`${place.epoch} ${place.first}`),
          secret,
          rangeAt: nobody,
        });
        replicas.see(live.map(([address, beat]) => ({ address, beat })));
        return replicas.rangeAt(place);
      },
    };
  }

  /**
   * Somebody whose turn to hold a range comes after all others. For one range: somebody who is the last for all seven is
   * one of hundreds of thousands, or of billions, as the ports happen to be.
   */
  function lastHolder(range: string): string {
    for (let number = 0; ; number++)
      if (holdersOf(range, [...addresses, `asker ${number}`]).at(-1) === `asker ${number}`) return `asker ${number}`;
  }

  it(`give for ${QUERIES} queries the ids and score bits of one process, in 4 ranges and in 7 by turns`, async () => {
    const holders = await otherHolders();
    const whole = await openPostgresSearch(place());
    const spread = await Promise.all(
      RANGES.slice(1).map((shardDocuments) => openPostgresSearch(place(), { shardDocuments, holders })),
    );
    const filter = { after: Date.UTC(2003, 2), from: "p3@harbour.example" };
    let hits = 0;
    for (const [at, query] of madeQueries().entries()) {
      const asked = [query, 1 + (at % 30), at % 9 === 0 ? filter : {}] as const;
      const expected = await whole.search.search(...asked);
      hits += expected.hits.length;
      const { search } = spread[at % spread.length]!;
      expect([query, await search.search(...asked)]).toEqual([query, expected]);
      if (at % 25 !== 0) continue;
      expect(await search.matching(query, filter)).toEqual(await whole.search.matching(query, filter));
    }
    expect(hits).toBeGreaterThan(QUERIES * 3);
    for (const archive of [whole, ...spread]) await archive.close();
  });

  it("answer on every route as one process does, whatever their ranges are, also when one is killed amid it", async () => {
    const questions = madeQuestions();
    const killAt = Math.floor(questions.length / 2);
    let [found, killed] = [0, -1];
    for (const [at, question] of questions.entries()) {
      if (at === killAt) {
        // Each range lies where its turn is, and the one that is killed holds one.
        const holders = (await smallestRanges()).map((range) => holdersOf(range, addresses)[0]!);
        const held = await rows("SELECT address FROM replicas WHERE held <> '[]'");
        expect(held.map(([address]) => address)).toEqual(expect.arrayContaining(holders));
        killed = Math.max(
          0,
          addresses.slice(0, 2).findIndex((address) => holders.includes(address)),
        );
        const early = questions.slice(0, 12);
        const asked = Promise.all(early.map((one) => answerOf(replicas[2]!, one)));
        await replicas[killed]!.end("SIGKILL");
        expect(await asked).toEqual(await Promise.all(early.map((one) => answerOf(alone, one))));
      }
      const expected = await answerOf(alone, question);
      expect(expected).toMatchObject({ status: 200 });
      found += JSON.stringify(expected).split("msg-").length - 1;
      for (const [number, replica] of replicas.entries())
        if (number !== killed) expect(await answerOf(replica, question)).toEqual(expected);
    }
    expect(found).toBeGreaterThan(questions.length * 3);
  });

  it("find by tags for those who show the notebook, and nothing for those who hide it, whoever holds the ranges", async () => {
    const write = async (id: string): Promise<void> => {
      const value = { tags: ["pressing"], note: "", review: "open" };
      const written = await fetch(`${alone.url}/api/explore/notebook/entries`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: alone.url },
        body: JSON.stringify({ kind: "message", id, revision: 0, value }),
      });
      expect(written.status).toBe(200);
    };
    const tagged = search("tag:pressing");
    const untagged = search("-tag:pressing notice");
    const hiding = await startReplica("--read-only");
    const hidingAlone = await start("--read-only");
    // By turns, and after each has answered: what was read for the one must not answer the other, nor what was read before.
    const inEachRange = Array.from({ length: MESSAGES / SEGMENT }, (_, at) =>
      messageId((at * SEGMENT + 55) as MessageOrdinal),
    );
    for (const ids of [["msg-000111"], inEachRange]) {
      for (const id of ids) await write(id);
      const shown = await answerOf(alone, tagged);
      const hidden = await answerOf(hidingAlone, tagged);
      for (const id of ids) expect(JSON.stringify(shown)).toContain(id);
      expect(JSON.stringify(hidden)).not.toContain("msg-");
      expect(await answerOf(hiding, tagged)).toEqual(hidden);
      expect(await answerOf(replicas[2]!, tagged)).toEqual(shown);
      expect(await answerOf(hiding, untagged)).toEqual(await answerOf(hidingAlone, untagged));
      expect(await answerOf(replicas[2]!, untagged)).toEqual(await answerOf(alone, untagged));
    }
    await hiding.end("SIGTERM");
  });

  it("search on in the state they opened, whatever is published meanwhile", async () => {
    const replica = replicas.at(-1)!;
    const path = search("notice", { limit: 30 });
    const before = await answerOf(replica, path);
    writeMail(join(scratch, "more.mbox"), 8, 30);
    put("more", join(scratch, "more.mbox"));
    const copied = archivetool("-q", "copy", join(scratch, "more"), `${testServer().url}#quay`, "--replace");
    expect(copied.exitCode, copied.stderr).toBe(0);
    const another = await startReplica();
    expect(await answerOf(replica, path)).toEqual(before);
    expect(await answerOf(another, path)).not.toEqual(before);
    expect(await answerOf(alone, path)).toEqual(before);
  });

  it("answer nobody who does not know their secret, and nothing but calls", async () => {
    const [[secret]] = (await rows("SELECT secret FROM replica_state")) as [[string]];
    const replica = await startReplica();
    const [[address]] = (await rows("SELECT address FROM replicas ORDER BY beat_at DESC LIMIT 1")) as [[string]];
    const ask = async (token: string | null, body: unknown, path = "/range"): Promise<number> => {
      const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
      return (await fetch(`http://${address}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).status;
    };
    const archive = { firstDocument: 1, end: 31, documentCount: 30, averageLength: 9 };
    const [[epoch]] = (await rows("SELECT epoch FROM collections WHERE name = 'quay'")) as [[number]];
    const call = {
      place: { epoch, isNotebookHidden: false, first: 1, end: 31, archive },
      call: "unions",
      given: [[["notice"]]],
    };
    expect(await ask(secret, call)).toBe(200);
    expect(await ask(null, call)).toBe(401);
    expect(
      await ask(
        secret.replace(/./, (digit) => (digit === "0" ? "1" : "0")),
        call,
      ),
    ).toBe(401);
    expect(await ask(secret, { ...call, given: [["notice"]] })).toBe(400);
    expect(await ask(secret, { ...call, call: "constructor" })).toBe(400);
    expect(await ask(secret, { ...call, place: { ...call.place, epoch: 10_000 } })).toBe(503);
    expect(await ask(secret, call, "/api/status")).toBe(404);
    // Nor is it a route of what users ask.
    expect((await fetch(`${replica.url}/range`, { method: "POST", body: JSON.stringify(call) })).status).toBe(404);
  });

  it("give a collection the scores it has in a database of its own", async () => {
    const replica = await startReplica();
    const ofFile = await startServer("serve", join(scratch, "more"), "--read-only");
    running.push(ofFile);
    for (const query of ["notice", "quay plan", "a*", '"the same notice"']) {
      const expected = await answerOf(ofFile, search(query));
      expect(JSON.stringify(expected)).toContain("score");
      expect(await answerOf(replica, search(query))).toEqual(expected);
    }
  });
});

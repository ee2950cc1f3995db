import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import type { Archive, MessageFilter } from "../../src/mail/archive.ts";
import { MESSAGE_SORTS } from "../../src/mail/archive.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { archiveAtUrl, archiveIn } from "../../src/store/contract/archive-location.ts";
import { propertyRuns } from "../property-runs.ts";
import { realData } from "../real-data.ts";
import { HAS_POSTGRES, testServer } from "../stores.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { command } from "./command.ts";
import { day, LETTERS, rawMessage, writeMbox } from "./fixture-mail.ts";
import { askedOf, killAll, start, until } from "./running-programs.ts";
import { startServer } from "./running-service.ts";

/** Archives in PostgreSQL as a user creates and reads them. */

const HELD_PHASE = pathToFileURL(resolve(import.meta.dirname, "held-phase.mjs")).href;

const scratch = scratchDirectory("postgres");
const mail = join(scratch, "mail.mbox");

function writeMail(count: number): void {
  const letters = LETTERS.slice(0, count).map((letter) => `From x Thu Jan  1 00:00:00 2004\n${rawMessage(letter)}\n`);
  writeFileSync(mail, letters.join(""));
}

afterEach(killAll);

type AnyRecord = Readonly<Record<string, unknown>>;

/**
 * Contents of an archive except times of the run, topics (a later run reuses them as they were learned), and numbers of
 * conversations: one that joins another later leaves a gap.
 */
function knowledgeIn(output: string): AnyRecord {
  const document = JSON.parse(readFileSync(join(output, "extraction.json"), "utf8")) as Record<string, AnyRecord[]>;
  const { extracted_at: _, topics: __, statistics, messages, threads, ...rest } = document;
  return {
    ...rest,
    statistics: { ...statistics, total_topics: 0 },
    messages: messages!.map(({ thread_id: _thread, topic_id: _topic, ...message }) => message),
    threads: threads!.map(({ id: _id, topic_id: _topic, ...thread }) => JSON.stringify(thread)).sort(),
  };
}

describe.skipIf(!HAS_POSTGRES)("a collection", () => {
  const at = (name: string): readonly string[] => ["--store", testServer().url, "--collection", name];

  it("is created by extract --store, can be extended, and returns the results of the file", async () => {
    const output = join(scratch, "grown");
    writeMail(LETTERS.length - 1);
    const made = archivetool("extract", mail, "-o", output, "--no-wiki", ...at("grown"));
    expect(made.exitCode, made.stderr).toBe(0);
    expect(made.stdout).toMatch(/^Collection: postgres:\/\/tester@localhost\/postgres#grown$/m);
    writeMail(LETTERS.length);
    const before = await command("stats", "--json", ...at("grown"));
    expect(archivetool("extract", mail, "-o", output, "--no-wiki", "--incremental", ...at("grown")).exitCode).toBe(0);
    expect(await command("stats", "--json", ...at("grown"))).not.toEqual(before);
    for (const words of [["stats"], ["search", "crane"], ["search", "from:mara -offer"], ["show", "msg-000001"]]) {
      const [name, ...rest] = words as [string, ...string[]];
      const ofFile = await command(name, output, ...rest, "--json");
      expect(ofFile.exitCode).toBe(0);
      expect(await command(name, ...rest, ...at("grown"), "--json")).toEqual(ofFile);
    }
    expect(await command("validate", ...at("grown"))).toMatchObject({ exitCode: 0, stdout: "Archive: sound\n" });
    const graph = join(scratch, "graph.html");
    expect((await command("viz", ...at("grown"), "-o", graph)).exitCode).toBe(0);
    expect(readFileSync(graph, "utf8")).toContain("mara@harbour.example");
  });

  it("of five runs that each add a source equals one run over all", async () => {
    const sources = Array.from({ length: 5 }, (_, box) => join(scratch, `added-${box}.mbox`));
    // A third of the letters is in every source, and replies are in other sources than the messages they reply to.
    for (const [box, path] of sources.entries())
      writeMbox(
        path,
        Array.from({ length: 24 }, (_, at) => {
          const number = at % 3 === 0 ? at : box * 100 + at;
          const letter = LETTERS[number % LETTERS.length]!;
          const before = { references: `${(number + 200) % 500}@harbour.example` };
          const id = `${number}@harbour.example`;
          const body = `${letter.body} Offer ${number}.`;
          return rawMessage({ ...letter, id, body, ...(at % 5 === 1 ? before : {}), date: day(1 + (number % 90)) });
        }),
      );
    const [whole, grown] = [join(scratch, "whole"), join(scratch, "five")];
    const flags = ["--no-wiki", "--csv", "--json"];
    expect(archivetool("extract", ...sources, "-o", whole, ...flags).exitCode).toBe(0);
    for (const [box, source] of sources.entries()) {
      const more = box === 0 ? [] : ["--incremental"];
      const { exitCode, stderr } = archivetool("extract", source, "-o", grown, ...flags, ...more, ...at("five"));
      expect(exitCode, stderr).toBe(0);
    }
    expect(knowledgeIn(grown)).toEqual(knowledgeIn(whole));
    const back = join(scratch, "five-back");
    expect(archivetool("copy", `${testServer().url}#five`, back, "--verify").exitCode).toBe(0);
    expect(await command("search", back, "offer", "--json")).toEqual(await command("search", whole, "offer", "--json"));
  });

  it("is not replaced by accident, and can be copied to a file", async () => {
    const output = join(scratch, "first");
    writeMail(LETTERS.length);
    expect(archivetool("extract", mail, "-o", output, "--no-wiki", ...at("kept")).exitCode).toBe(0);
    for (const words of [
      ["extract", mail, "-o", join(scratch, "second"), "--no-wiki"],
      ["copy", output, testServer().url],
    ]) {
      const collection = words[0] === "extract" ? at("kept") : ["--collection", "kept"];
      const refused = archivetool(...words, ...collection);
      expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("postgres:")]);
    }
    const back = join(scratch, "back");
    const copied = archivetool("copy", `${testServer().url}#kept`, back, "--verify");
    expect(copied.stdout).toMatch(
      /^Copied \d+ messages to .*archive\.db in [\d.]+ s\nCompared \d+ tables: no differences\n$/,
    );
    expect(await command("search", back, "crane")).toEqual(await command("search", output, "crane"));
  });

  it("is checked before mail is read, also with --replace", () => {
    writeMail(2);
    for (const flag of ["--replace", "--incremental"]) {
      const unreachable = archivetool(
        ...["extract", mail, "-o", join(scratch, "alone"), "--no-wiki", flag],
        ...["--store", "postgres://ann:secret@127.0.0.1:1/mail", "--collection", "harbour"],
      );
      expect([unreachable.exitCode, unreachable.stderr]).toEqual([
        1,
        expect.stringMatching(
          /^archivetool: cannot reach postgres:\/\/ann@127\.0\.0\.1:1\/mail#harbour [^\n]*\nhint: [^\n]*\n$/,
        ),
      ]);
      expect(unreachable.stderr + unreachable.stdout).not.toContain("secret");
      expect(existsSync(join(scratch, "alone"))).toBe(false);
    }
  });

  it("is unchanged, and the output complete, if the server rejects it at the end", async () => {
    writeMail(2);
    await askedOf(testServer().url, "CREATE DATABASE closed");
    const closed = testServer().url.replace("/postgres?", "/closed?");
    await askedOf(closed, "CREATE ROLE guest LOGIN");
    const refused = archivetool(
      ...["extract", mail, "-o", join(scratch, "alone"), "--no-wiki"],
      ...["--store", closed.replace("tester@", "guest@"), "--collection", "harbour"],
    );
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("is complete, but postgres:")]);
    expect(archivetool("stats", join(scratch, "alone")).exitCode).toBe(0);
  });

  it("is the only one that remove deletes", () => {
    writeMail(2);
    const output = join(scratch, "to-remove");
    expect(archivetool("extract", mail, "-o", output, "--no-wiki", ...at("to-remove")).exitCode).toBe(0);
    expect(archivetool("remove", output)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("collection") });
    const removed = archivetool("remove", ...at("to-remove"));
    expect([removed.exitCode, removed.stdout], removed.stderr).toEqual([
      0,
      "Deleted postgres://tester@localhost/postgres#to-remove with 2 messages\n",
    ]);
    expect(archivetool("stats", ...at("to-remove"))).toMatchObject({
      stderr: expect.stringContaining("does not exist"),
    });
  });

  it("is served again after the server recovers; until then, readers get an error", async () => {
    writeMail(2);
    const server = testServer();
    expect(archivetool("extract", mail, "-o", join(scratch, "served"), "--no-wiki", ...at("served")).exitCode).toBe(0);
    const api = await startServer("api", ...at("served"));
    const status = async (): Promise<unknown> => {
      const answer = await fetch(`${api.url}/stats`);
      return [answer.status, ((await answer.json()) as { readonly error?: unknown }).error];
    };
    expect(await status()).toEqual([200, undefined]);
    server.crash();
    expect(await status()).toMatchObject([503, { code: "STORE_UNREACHABLE" }]);
    server.start();
    await until("an answer", async () => ((await status()) as readonly unknown[])[0] === 200);
    await api.end("SIGTERM");
  });

  it("is written after the server is back, if it failed while mail was read", async () => {
    writeMail(2);
    const server = testServer();
    const held = { HELD_PHASE: "outputs", HELD_UNTIL: join(scratch, "crashed") };
    const run = start(["extract", mail, "-o", join(scratch, "away"), ...at("away")], held, ["--import", HELD_PHASE]);
    await until("the last phase", () => run.printed().includes("held\n"));
    server.crash();
    writeFileSync(held.HELD_UNTIL, "");
    await until("a try", () => run.printed().includes("retried for five minutes"));
    server.start();
    expect(await run.closed, run.printed()).toBe(0);
    const [ofServer, ofFile] = [at("away"), [join(scratch, "away")]].map((of) => archivetool("stats", "--json", ...of));
    expect(ofServer).toEqual(ofFile);
  });
});

const CUSTODIAN = realData("enron-14-custodians/lay-k");

/** Queries of every kind over words of an archive. */
function queriesOver(words: readonly string[], count: number): readonly string[] {
  const word = (index: number): string => words[(index * 7919) % words.length]!;
  return Array.from({ length: count }, (_, index) => {
    const [x, y, z] = [word(index), word(index * 3 + 1), word(index * 5 + 2)];
    const kinds = [
      ...[x, `${x} ${y}`, `"of the" ${x}`, `${x.slice(0, 3)}*`, `+${x} -${y}`, `from:ken ${x}`, `(${x} OR ${y}) ${z}`],
      ...[`subject:${x}`, `has:attachment ${x}`, `after:2000-06-01 ${x} ${y}`, `to:ken.lay@enron.com ${x}`],
      ...[`topic:${x}`, `in:inbox ${x}`],
    ];
    return kinds[index % kinds.length]!;
  });
}

async function wordsOf(archive: Archive): Promise<readonly string[]> {
  const words = new Set<string>();
  for await (const batch of archive.messages.scan())
    for (const { subject, body } of batch)
      for (const word of `${subject} ${Buffer.from(body).toString().slice(0, 400)}`.toLowerCase().match(/[a-z]{3,}/g) ??
        [])
        words.add(word);
  return [...words].sort();
}

/** Queries, and pages. */
const ASKED = propertyRuns(500);
const FILTERS: readonly MessageFilter[] = [
  {},
  { topicId: "topic-001" },
  { from: "kenneth.lay@enron.com" },
  { threadId: "thread-000003" },
];

it.skipIf(!HAS_POSTGRES || CUSTODIAN === null)(
  `${ASKED} queries and ${ASKED} pages over the mail of an Enron custodian equal those of the file`,
  async () => {
    const output = join(scratch, "custodian");
    expect(archivetool("extract", CUSTODIAN!, "-o", output, "--no-wiki").exitCode).toBe(0);
    const url = `${testServer().url}#custodian`;
    expect(archivetool("copy", output, url, "--verify").exitCode).toBe(0);
    const [file, collection] = [await openArchive(archiveIn(output)), await openArchive(archiveAtUrl(url))];
    const asked: ((archive: Archive) => Promise<unknown>)[] = [
      ...queriesOver(await wordsOf(file), ASKED).map((query) => (archive: Archive) => archive.search.search(query, 20)),
      ...Array.from({ length: ASKED }, (_, index) => async (archive: Archive) => {
        const page = { limit: 20, offset: (index * 37) % (index % 4 === 0 ? 3600 : 40) };
        const { items, total } = await archive.messages.list(MESSAGE_SORTS[index % 3]!, page, FILTERS[index % 4]!);
        return { total, items: items.map((item) => ({ ...item, body: Buffer.from(item.body).toString("latin1") })) };
      }),
    ];
    for (const ask of asked) expect(JSON.stringify(await ask(collection))).toBe(JSON.stringify(await ask(file)));
    await file.close();
    await collection.close();
  },
);

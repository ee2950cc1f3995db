import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Archive } from "../../src/mail/archive.ts";
import { archiveDigests } from "../../src/store/archive/copy-archive.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { archiveIn, archiveOnServer } from "../../src/store/contract/archive-location.ts";
import { connect, type PostgresClient } from "../../src/store/postgres/client/postgres-client.ts";
import { postgresSink } from "../../src/store/postgres/reading/stored-rows.ts";
import { sqliteRows } from "../../src/store/sqlite/reading/stored-rows.ts";
import { STORED_TABLES } from "../../src/store/tables/stored-tables.ts";
import { madeNumbers, madeWords, nextWord } from "../made-words.ts";
import { HAS_POSTGRES, testServer } from "../stores.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { day, rawMessage } from "./fixture-mail.ts";

/** Messages of the first run; each later run adds one message. */
const MESSAGES = 400;
/** Number of runs; the last has no concurrent reader. */
const RUNS = 3;
/**
 * Maximum write-ahead log of a later run, as a share of that of the first: mostly whole pages, of which each table has
 * a few, so the share falls as the archive grows.
 */
const MOST_SHARE = 0.4;
const WORDS = madeWords(4000);

const scratch = scratchDirectory("growing-collection");
const mail = join(scratch, "mail.mbox");
const output = join(scratch, "out");

function writeMail(count: number): void {
  const next = madeNumbers(5);
  const messages = Array.from({ length: count }, (_, at) => {
    const message = rawMessage({
      id: `${at}@harbour.example`,
      from: `Person ${next(40)} <p${next(40)}@harbour.example>`,
      to: `Person ${next(60)} <q${next(60)}@quay.example>`,
      subject: `${nextWord(WORDS, next)} ${nextWord(WORDS, next)}`,
      date: day(1 + next(300)),
      body: `${Array.from({ length: 200 }, () => nextWord(WORDS, next)).join(" ")}\n`,
    });
    return `From p@harbour.example Wed Jan  1 12:00:00 2003\n${message}\n`;
  });
  writeFileSync(mail, messages.join(""));
}

/** Data that a reader shows; a later run changes all of it except the texts. */
async function answers(archive: Archive): Promise<unknown> {
  const page = { limit: MESSAGES, offset: 0 };
  const { messages, contacts, search } = archive;
  return [await messages.list("sent_at", page), await contacts.list("name", page), await search.search(WORDS[0]!, 20)];
}

describe.skipIf(!HAS_POSTGRES)("a collection that grows", () => {
  const server = HAS_POSTGRES ? testServer().url.replace("/postgres?", "/growing?") : "";
  const place = archiveOnServer(server, "grown");
  let client: PostgresClient;

  const logged = async (): Promise<number> => {
    const [[bytes]] = (await client.rows("SELECT (pg_current_wal_lsn() - '0/0')::int8")) as [[number]];
    return bytes;
  };
  const extract = async (...flags: string[]): Promise<number> => {
    await client.run("CHECKPOINT");
    const before = await logged();
    const run = archivetool(
      ...["-q", "extract", mail, "-o", output, "--no-wiki", "--store", server, "--collection", "grown", ...flags],
    );
    expect(run.exitCode, run.stderr).toBe(0);
    return (await logged()) - before;
  };
  /** Rows of tables that belong to no epoch, and rows that are not vacuumed yet. */
  const ended = () => client.rows("SELECT count(*) FROM archivetool.messages WHERE last < 4294967295");
  const dead = async (): Promise<readonly unknown[]> =>
    client.rows(
      `SELECT relname, (public.pgstattuple(oid)).dead_tuple_count FROM pg_class
       WHERE relnamespace = 'archivetool'::regnamespace AND relkind = 'r' AND (public.pgstattuple(oid)).dead_tuple_count > 0`,
    );

  beforeAll(async () => {
    const own = await connect(testServer().url, "test");
    await own.run("CREATE DATABASE growing");
    await own.close();
    client = await connect(server, "test");
    await client.run("CREATE EXTENSION pgstattuple SCHEMA public");
  });
  afterAll(() => client.close());

  it("writes only changed rows, and readers keep their version", async () => {
    writeMail(MESSAGES);
    const whole = await extract();
    const reader = await openArchive(place);
    const first = await answers(reader);
    for (let run = 1; run < RUNS; run++) {
      writeMail(MESSAGES + run);
      expect(await extract("--incremental")).toBeLessThan(whole * MOST_SHARE);
      expect(await archiveDigests(place)).toEqual(await archiveDigests(archiveIn(output)));
      expect(await answers(reader)).toEqual(first);
    }
    await reader.close();
    await expect
      .poll(async () => client.rows("SELECT FROM pg_stat_activity WHERE application_name LIKE 'archivetool epoch%'"))
      .toEqual([]);
    writeMail(MESSAGES + RUNS);
    await extract("--incremental");
    expect(await ended()).toEqual([[0]]);
    expect(await dead()).toEqual([]);
    expect(await client.rows("SELECT count(*) FROM archivetool.epochs")).toEqual([[1]]);
  });

  it("is unchanged if a run ends in the middle", async () => {
    const before = await archiveDigests(place);
    writeMail(MESSAGES + 40);
    expect(archivetool("-q", "extract", mail, "-o", output, "--no-wiki", "--incremental").exitCode).toBe(0);
    const rows = sqliteRows(archiveIn(output).file);
    const sink = await postgresSink(place, true);
    for (const table of STORED_TABLES.slice(0, -2)) await sink.write(table, rows.rows(table));
    await client.rows(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    await expect(sink.finish()).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
    await sink.abort();
    await rows.close();
    expect(await archiveDigests(place)).toEqual(before);
    await extract("--incremental");
    expect(await archiveDigests(place)).toEqual(await archiveDigests(archiveIn(output)));
    expect(await dead()).toEqual([]);
  });

  it("is removed with all its rows", async () => {
    expect(archivetool("remove", "--store", server, "--collection", "grown").exitCode).toBe(0);
    for (const { name } of STORED_TABLES)
      expect([name, await client.rows(`SELECT count(*) FROM archivetool.${name}`)]).toEqual([name, [[0]]]);
  });
});

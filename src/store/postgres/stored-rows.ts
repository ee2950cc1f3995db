import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CollectionLocation } from "../archive-location.ts";
import { nameOfArchive } from "../archive-location.ts";
import type { SqlValue } from "../sqlite/sqlite-database.ts";
import type { RowBatches, RowsSink, StoredRows } from "../stored-rows.ts";
import { STORED_TABLES, type StoredTable } from "../tables/stored-tables.ts";
import { RowDecoder, RowEncoder } from "./binary-rows.ts";
import { beginEpoch, openEpoch, removeReplaced } from "./epochs.ts";
import { prepareLayout } from "./layout.ts";
import { keepOrders } from "./list-orders.ts";
import { connect, telling } from "./postgres-client.ts";

/** All rows of a collection. Throws as `openArchive`. */
export async function postgresRows(location: CollectionLocation): Promise<StoredRows> {
  const opened = await openEpoch(location);
  const name = nameOfArchive(location);

  async function* rows({ name: table, columns, key }: StoredTable): RowBatches {
    const { client, epoch } = await opened.connected();
    const listed = columns.map((column) => column.name).join(", ");
    const stream = await client.copyOut(
      `COPY (SELECT ${listed} FROM ${table} WHERE epoch = ${epoch} ORDER BY ${key.join(", ")}) TO STDOUT (FORMAT binary)`,
    );
    const decoder = new RowDecoder(columns);
    for await (const piece of stream as AsyncIterable<Buffer>) {
      const batch = decoder.rows(piece);
      if (batch.length > 0) yield batch;
    }
  }

  return {
    hasIndex: opened.hasIndex,
    rows: (table) => tellingWalk(name, rows(table)),
    close: () => opened.close(),
  };
}

async function* tellingWalk<T>(name: string, walk: AsyncIterable<T>): AsyncGenerator<T> {
  const steps = walk[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await telling(name, () => steps.next());
      if (step.done === true) return;
      yield step.value;
    }
  } finally {
    await steps.return?.();
  }
}

/** Bytes handed to the connection at a time. */
const PIECE_BYTES = 1 << 16;
/**
 * Rows of an archive from which on its tables are looked through once it is there: without that the planner does not know
 * them. Smaller ones are left to the server.
 */
const ROWS_LOOKED_THROUGH = 10_000;

/**
 * Tables of which indexes alone are walked, and which have to be asked for each row until it is known that all see it.
 * The others, with the texts, are left to the server: reading them all took half a second.
 */
const WALKED_TABLES = ["messages", "occurrences", "attachments"] as const;

/** A tenth of what is usual, and enough: our queries name one epoch and go by keys, and bodies are read to be counted. */
const STATISTICS_TARGET = 10;

/**
 * Values that PostgreSQL compresses, most of them bodies, take a third of its time with LZ4, where it has that (from 14
 * on, as it was built).
 */
const COMPRESS_FAST = `SELECT set_config(name, 'lz4', false) FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY(enumvals)`;

/** A new state of a collection that rows are put into: what readers see changes with `finish`, all at once. */
export async function postgresSink(location: CollectionLocation, hasIndex: boolean): Promise<RowsSink> {
  const name = nameOfArchive(location);
  const client = await connect(location.server, name);
  let written = 0;
  try {
    await prepareLayout(client, name);
    await client.run(COMPRESS_FAST);
    const { epoch, publish } = await beginEpoch(client, location, hasIndex);
    return {
      async write(table, batches) {
        const sink = await client.copyIn(`COPY ${table.name} FROM STDIN (FORMAT binary)`);
        const counted = counting(batches, (rows) => {
          written += rows;
        });
        await telling(name, () => pipeline(Readable.from(encoded(table, counted, epoch)), sink));
      },
      async finish() {
        await keepOrders(client, epoch);
        await publish();
        await removeReplaced(client);
        if (written >= ROWS_LOOKED_THROUGH) {
          await client.run(`SET default_statistics_target = ${STATISTICS_TARGET}`);
          await client.run(`VACUUM (ANALYZE, SKIP_LOCKED) ${WALKED_TABLES.join(", ")}`);
          await client.run(`ANALYZE (SKIP_LOCKED) ${STORED_TABLES.map((table) => table.name).join(", ")}`);
        }
        await client.close();
      },
      async abort() {
        // The transaction goes with its connection.
        await client.close();
      },
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

async function* counting(
  batches: RowBatches,
  count: (rows: number) => void,
): AsyncGenerator<readonly (readonly SqlValue[])[]> {
  for await (const batch of batches) {
    count(batch.length);
    yield batch;
  }
}

async function* encoded({ columns }: StoredTable, batches: RowBatches, epoch: number): AsyncGenerator<Buffer> {
  const encoder = new RowEncoder();
  encoder.begin();
  for await (const batch of batches) {
    for (const row of batch) {
      encoder.row(epoch, columns, row);
      if (encoder.size >= PIECE_BYTES) yield encoder.take();
    }
  }
  encoder.end();
  yield encoder.take();
}

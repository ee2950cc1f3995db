import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CollectionLocation } from "../../contract/archive-location.ts";
import { nameOfArchive } from "../../contract/archive-location.ts";
import type { RowBatches, RowsSink, StoredRows } from "../../reading/stored-rows.ts";
import type { SqlValue } from "../../tables/sql-value.ts";
import { STORED_TABLES } from "../../tables/stored-tables.ts";
import { RowDecoder, RowEncoder } from "../client/binary-rows.ts";
import { connect, type PostgresClient, withErrorMapping } from "../client/postgres-client.ts";
import { ordinalList } from "../client/selection.ts";
import { STILL_VALID, stateOf, validInState } from "../client/valid-rows.ts";
import { beginEpoch, openEpoch, removeReplacedEpochs } from "../collections/epochs.ts";
import { prepareLayout } from "../collections/layout.ts";
import { storeOrders } from "../collections/list-orders.ts";
import { cutPieces, joinPieces, type PartitionedTable, partitionedTable } from "../collections/partitioned-tables.ts";
import { tableChanges } from "../collections/row-digests.ts";

/** All rows of a collection. Throws like `openArchive`. */
export async function postgresRows(location: CollectionLocation): Promise<StoredRows> {
  const opened = await openEpoch(location);
  const name = nameOfArchive(location);

  async function* rows({ name: table, columns, key }: PartitionedTable): RowBatches {
    const { client, state } = await opened.connected();
    const listed = columns.map((column) => column.name).join(", ");
    const stream = await client.copyOut(
      `COPY (SELECT ${listed} FROM ${table} WHERE ${validInState(table, state)} ORDER BY ${key.join(", ")}) TO STDOUT (FORMAT binary)`,
    );
    const decoder = new RowDecoder(columns);
    for await (const piece of stream as AsyncIterable<Buffer>) {
      const batch = decoder.rows(piece);
      if (batch.length > 0) yield batch;
    }
  }

  return {
    hasIndex: opened.hasIndex,
    rows(stored) {
      const table = partitionedTable(stored);
      const walk = tellingWalk(name, rows(table));
      return table.pieced === null ? walk : joinPieces(table, walk);
    },
    close: () => opened.close(),
  };
}

async function* tellingWalk<T>(name: string, walk: AsyncIterable<T>): AsyncGenerator<T> {
  const steps = walk[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await withErrorMapping(name, () => steps.next());
      if (step.done === true) return;
      yield step.value;
    }
  } finally {
    await steps.return?.();
  }
}

/** Bytes passed to the connection at a time. */
const PIECE_BYTES = 1 << 16;
/**
 * Number of rows from which tables are analyzed after a copy, so that the planner has statistics. Smaller ones are
 * left to autovacuum.
 */
const ROWS_LOOKED_THROUGH = 10_000;

/**
 * Tables with index-only scans, which must check each row until the visibility map covers it. VACUUM of the others,
 * with the texts, is left to the server: reading them all took half a second.
 */
const WALKED_TABLES = ["messages", "occurrences", "attachments"] as const;

/**
 * A tenth of the default, and sufficient: our queries name one epoch and use keys, and bodies would be read to be
 * counted.
 */
const STATISTICS_TARGET = 10;

/**
 * LZ4 compresses values (mostly bodies) in a third of the time; available from PostgreSQL 14, depending on the build.
 */
const COMPRESS_FAST = `SELECT set_config(name, 'lz4', false) FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY(enumvals)`;

/** Writes a new epoch of a collection; readers see it after `finish`. */
export async function postgresSink(location: CollectionLocation, hasIndex: boolean): Promise<RowsSink> {
  const name = nameOfArchive(location);
  const client = await connect(location.server, name);
  let written = 0;
  try {
    await prepareLayout(client, name);
    await client.run(COMPRESS_FAST);
    const next = await beginEpoch(client, location, hasIndex);
    const { epoch, home, publish } = next;
    const former = next.isFirst ? null : await openEpoch(location);
    const copyIn = async (table: PartitionedTable, batches: RowBatches): Promise<void> => {
      const listed = table.columns.map((column) => column.name).join(", ");
      const sink = await client.copyIn(`COPY ${table.name}(home, born, ${listed}) FROM STDIN (FORMAT binary)`);
      const counted = counting(batches, (rows) => {
        written += rows;
      });
      await withErrorMapping(name, () => pipeline(Readable.from(encoded(table, counted, [home, epoch])), sink));
    };
    return {
      async write(stored, given) {
        const table = partitionedTable(stored);
        const batches = table.pieced === null ? given : cutPieces(table, given);
        if (former === null) await copyIn(table, batches);
        else {
          const { client: reading, state } = await former.connected();
          const { rows, ended } = tableChanges(reading, table, { state, batches });
          await copyIn(table, rows);
          await endRows(client, table, { home, epoch, keys: ended });
        }
      },
      async finish() {
        await storeOrders(client, stateOf(home, epoch));
        await publish();
        await former?.close();
        await removeReplacedEpochs(client);
        if (written >= ROWS_LOOKED_THROUGH) {
          await client.run(`SET default_statistics_target = ${STATISTICS_TARGET}`);
          await client.run(`VACUUM (ANALYZE, SKIP_LOCKED) ${WALKED_TABLES.join(", ")}`);
          await client.run(`ANALYZE (SKIP_LOCKED) ${STORED_TABLES.map((table) => table.name).join(", ")}`);
        }
        await client.close();
      },
      async abort() {
        // This rolls the transaction back.
        await client.close();
        await former?.close();
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

/** Keys in a statement that ends the validity of rows. */
const ENDED_AT_ONCE = 4096;

/** Ends the validity of rows with these keys at the epoch before a new one. */
async function endRows(
  client: PostgresClient,
  { name, columns, key }: PartitionedTable,
  {
    home,
    epoch,
    keys,
  }: { readonly home: number; readonly epoch: number; readonly keys: readonly (readonly SqlValue[])[] },
): Promise<void> {
  const types = key.map((title) => columns.find((column) => column.name === title)!.type);
  const lists = types.map((type, at) => `$${at + 1}::${type === "TEXT" ? "text" : "int8"}[]`);
  const same = key.map((title) => `${name}.${title} = ended.${title}`).join(" AND ");
  for (let from = 0; from < keys.length; from += ENDED_AT_ONCE) {
    const part = keys.slice(from, from + ENDED_AT_ONCE);
    const values = types.map((type, at) => {
      const column = part.map((one) => one[at]);
      return type === "TEXT" ? (column as string[]) : ordinalList(column as number[]);
    });
    await client.rows(
      `UPDATE ${name} SET last = ${epoch - 1} FROM unnest(${lists.join(", ")}) AS ended(${key.join(", ")})
       WHERE home = ${home} AND last = ${STILL_VALID} AND born < ${epoch} AND ${same}`,
      values,
    );
  }
}

async function* encoded(
  { columns }: PartitionedTable,
  batches: RowBatches,
  leads: readonly number[],
): AsyncGenerator<Buffer> {
  const encoder = new RowEncoder();
  encoder.begin();
  for await (const batch of batches) {
    for (const row of batch) {
      encoder.row(leads, columns, row);
      if (encoder.size >= PIECE_BYTES) yield encoder.take();
    }
  }
  encoder.end();
  yield encoder.take();
}

import { visitPostings, writePostings } from "../src/search/posting-codec.ts";
import { BlockWriter, visitBlock } from "../src/search/term-block.ts";
import { VarintWriter } from "../src/search/varint.ts";
import { connect } from "../src/store/postgres/postgres-client.ts";

interface StoredTerm {
  readonly term: Uint8Array;
  /** Documents and frequencies in turn. */
  readonly postings: Uint32Array;
}

/**
 * Cuts the index of a collection, which is one segment, into segments of so many messages: a large archive has them by
 * itself. Gives how many there are.
 */
export async function cutIndex(server: string, collection: string, messages: number): Promise<number> {
  const client = await connect(server, "test");
  const [[home]] = (await client.rows(
    "SELECT coalesce(home, epoch) FROM collections JOIN epochs USING (epoch) WHERE name = $1",
    [collection],
  )) as [[number]];
  const segments = await client.rows("SELECT seg, first, lengths FROM ix_doc WHERE home = $1", [home]);
  if (segments.length !== 1) throw new Error(`the index of ${collection} has ${segments.length} segments`);
  const [[, first, lengths]] = segments as [[number, number, Uint8Array]];
  const lists = new Map(
    (await client.rows("SELECT id, data FROM ix_post WHERE home = $1", [home])) as [number, Uint8Array][],
  );
  const blocks = (await client.rows("SELECT data FROM ix_block WHERE home = $1 ORDER BY first", [home])) as [
    Uint8Array,
  ][];
  const terms: StoredTerm[] = [];
  for (const [block] of blocks)
    visitBlock(block, ({ term, postings }) => {
      const pairs: number[] = [];
      visitPostings(typeof postings === "number" ? lists.get(postings)! : postings, (document, frequency) =>
        pairs.push(document, frequency),
      );
      return terms.push({ term: term.slice(), postings: Uint32Array.from(pairs) }) > 0;
    });
  await client.run("BEGIN");
  for (const table of ["ix_doc", "ix_post", "ix_block"])
    await client.rows(`DELETE FROM ${table} WHERE home = $1`, [home]);
  const count = lengths.length / Uint32Array.BYTES_PER_ELEMENT;
  let id = 0;
  let seg = 0;
  for (let from = 0; from < count; from += messages, seg++) {
    const end = Math.min(count, from + messages);
    const rows: [sql: string, values: (string | number | Uint8Array)[]][] = [];
    const writer = new BlockWriter({
      addPostings(data) {
        id++;
        rows.push(["INSERT INTO ix_post(home, id, data) VALUES ($1, $2, $3)", [home, id, data.slice()]]);
        return id;
      },
      addBlock: (term, data) =>
        rows.push([
          "INSERT INTO ix_block(home, seg, first, data) VALUES ($1, $2, $3, $4)",
          [home, seg, term, data.slice()],
        ]),
    });
    for (const { term, postings } of terms) {
      const own = inRange(postings, first + from, first + end);
      const list = new VarintWriter();
      writePostings(list, own, [0, own.length]);
      if (own.length > 0) writer.add(term, own.length / 2, list.bytes.subarray(0, list.length));
    }
    writer.finish();
    for (const [sql, values] of rows) await client.rows(sql, values);
    await client.rows("INSERT INTO ix_doc(home, seg, first, postings, lengths) VALUES ($1, $2, $3, $4, $5)", [
      home,
      seg,
      first + from,
      rows.length,
      lengths.slice(from * Uint32Array.BYTES_PER_ELEMENT, end * Uint32Array.BYTES_PER_ELEMENT),
    ]);
  }
  await client.run("COMMIT");
  await client.close();
  return seg;
}

function inRange(postings: Uint32Array, first: number, end: number): Uint32Array {
  return postings.filter((_, at) => {
    const document = postings[at - (at % 2)]!;
    return document >= first && document < end;
  });
}

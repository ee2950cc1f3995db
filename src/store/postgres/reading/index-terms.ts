import type { FrequencyRequest, LookedUp, Lookups, RangeFrequencies } from "../../../search/indexing/search-source.ts";
import { literalStart } from "../../../search/indexing/term-pattern.ts";
import { copyPostings } from "../../reading/copy-postings.ts";
import { LAST_CHARACTER, type StoredIndex, termReader } from "../../reading/index-terms.ts";
import { ordinalList } from "../client/selection.ts";
import { validIn } from "../client/valid-rows.ts";
import type { OpenEpoch } from "../collections/open-epoch.ts";

/** Cached parts of the index of an open collection. */
export interface CachedIndex {
  readonly segments: readonly number[];
  /** False if no duplicate has its own terms, as in nearly all archives. */
  readonly hasCopyTerms: boolean;
  /** Range of the requested messages: first, and last plus one. */
  readonly first: number;
  readonly end: number;
}

/** Looks up all terms of a query: one round trip for the blocks of the dictionary, one for the lists they name. */
export async function lookUpTerms(
  epoch: OpenEpoch,
  index: CachedIndex,
  { terms, patterns }: Lookups,
): Promise<Pick<LookedUp, "postings" | "withPattern">> {
  const starts = patterns.map(literalStart);
  const blocks = await blocksFor(epoch, index, terms, starts);
  const wanted = new Set<number>();
  const known: Omit<StoredIndex, "list" | "ofCopies"> = { segments: index.segments, ...blocks };
  const looking = termReader({
    ...known,
    list(id) {
      wanted.add(id);
      return NOTHING;
    },
    ofCopies: () => null,
  });
  // Looked up again: the terms of a pattern are known only after its blocks are loaded.
  for (const term of terms) looking.postings(term);
  for (const pattern of patterns) await looking.withPattern(pattern);
  const lists = await listsOf(epoch, wanted);
  const copies = await copyTerms(epoch, index, terms, starts);
  return termReader({
    ...known,
    list: (id) => lists.get(id) ?? NOTHING,
    ofCopies: (term) => copyPostings(copies.get(term) ?? []),
  });
}

/** Frequencies of terms in an index, in one round trip that fetches no posting list. */
export async function countTerms(
  epoch: OpenEpoch,
  index: CachedIndex,
  { terms, patterns }: FrequencyRequest,
): Promise<RangeFrequencies> {
  const blocks = await blocksFor(epoch, index, terms, patterns.map(literalStart));
  const copies = await copyTerms(epoch, index, terms, []);
  const { postings, frequenciesWith } = termReader({
    segments: index.segments,
    ...blocks,
    list: () => NOTHING,
    ofCopies: (term) => copyPostings(copies.get(term) ?? []),
  });
  return {
    terms: terms.map((term) => postings(term)?.documentFrequency ?? 0),
    patterns: await Promise.all(patterns.map(async (pattern) => [...(await frequenciesWith(pattern))])),
  };
}

const NOTHING = new Uint8Array(0);

/** A block of the dictionary and the first of its terms. */
interface Block {
  readonly first: Buffer;
  readonly data: Uint8Array;
}

/** The blocks that can contain terms, and all blocks with terms of a prefix. */
async function blocksFor(
  epoch: OpenEpoch,
  { segments }: CachedIndex,
  terms: readonly string[],
  prefixes: readonly string[],
): Promise<Pick<StoredIndex, "blockOf" | "blocksBehind">> {
  const blocks = new Map<number, Block[]>();
  if (terms.length + prefixes.length > 0) {
    const rows = await epoch.rows(
      `SELECT DISTINCT ix_block.seg, ix_block.first, ix_block.data FROM (
         SELECT searched.seg, block.first FROM unnest($2::text[]) AS asked
           CROSS JOIN unnest($5::int8[]) AS searched(seg)
           CROSS JOIN LATERAL (SELECT first FROM ix_block WHERE ${validIn("ix_block")} AND seg = searched.seg AND first <= asked COLLATE "C"
             ORDER BY first DESC LIMIT 1) AS block
         UNION ALL
         SELECT block.seg, block.first FROM unnest($3::text[]) AS asked
           JOIN ix_block AS block ON ${validIn("block")} AND block.seg = ANY($5::int8[]) AND block.first > asked COLLATE "C"
             AND block.first < (asked || $4) COLLATE "C"
       ) AS found JOIN ix_block ON ${validIn("ix_block")} AND ix_block.seg = found.seg AND ix_block.first = found.first
       ORDER BY ix_block.seg, ix_block.first`,
      [...terms, ...prefixes],
      prefixes,
      LAST_CHARACTER,
      ordinalList(segments),
    );
    for (const [segment, first, data] of rows as [number, string, Uint8Array][]) {
      const block = { first: Buffer.from(first), data };
      const known = blocks.get(segment);
      if (known === undefined) blocks.set(segment, [block]);
      else known.push(block);
    }
  }
  return {
    // Includes terms with a prefix: their blocks are loaded.
    blockOf(segment, term) {
      const spelling = Buffer.from(term);
      return blocks.get(segment)?.findLast(({ first }) => first.compare(spelling) <= 0)?.data;
    },
    blocksBehind(segment, prefix) {
      const [start, end] = [Buffer.from(prefix), Buffer.from(prefix + LAST_CHARACTER)];
      return (blocks.get(segment) ?? [])
        .filter(({ first }) => first.compare(start) > 0 && first.compare(end) < 0)
        .map(({ data }) => data);
    },
  };
}

async function listsOf(epoch: OpenEpoch, ids: ReadonlySet<number>): Promise<ReadonlyMap<number, Uint8Array>> {
  if (ids.size === 0) return new Map();
  const rows = await epoch.rows(
    `SELECT id, data FROM ix_post WHERE ${validIn("ix_post")} AND id = ANY($2::int8[])`,
    ordinalList(ids),
  );
  return new Map(rows as [number, Uint8Array][]);
}

/** Messages with terms only in their duplicates: exact terms and prefixes. */
async function copyTerms(
  epoch: OpenEpoch,
  { hasCopyTerms, first, end }: CachedIndex,
  terms: readonly string[],
  prefixes: readonly string[],
): Promise<ReadonlyMap<string, number[]>> {
  const found = new Map<string, number[]>();
  if (!hasCopyTerms || terms.length + prefixes.length === 0) return found;
  const rows = await epoch.rows(
    `SELECT term, doc FROM ix_copy WHERE ${validIn("ix_copy")} AND doc >= $5::int8 AND doc < $6::int8 AND (term = ANY($2::text[])
       OR EXISTS (SELECT 1 FROM unnest($3::text[]) AS asked WHERE term >= asked COLLATE "C" AND term < (asked || $4) COLLATE "C"))
     ORDER BY term, doc`,
    terms,
    prefixes,
    LAST_CHARACTER,
    first,
    end,
  );
  for (const [term, document] of rows as [string, number][]) {
    const documents = found.get(term);
    if (documents === undefined) found.set(term, [document]);
    else documents.push(document);
  }
  return found;
}

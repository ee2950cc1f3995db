import type { LookedUp, Lookups } from "../../search/search-source.ts";
import { copyPostings } from "../reading/copy-postings.ts";
import { LAST_CHARACTER, type StoredIndex, termReader } from "../reading/index-terms.ts";
import type { OpenEpoch } from "./epochs.ts";
import { ordinalList } from "./selection.ts";

/** What is known of the index of a collection once it is open. */
export interface KnownIndex {
  readonly segments: readonly number[];
  /** False where no copy has a term of its own, as nearly everywhere. */
  readonly hasCopyTerms: boolean;
}

/** Looks up all terms of a query: one round trip for the blocks of the dictionary, one for the lists they name. */
export async function lookUpTerms(
  epoch: OpenEpoch,
  index: KnownIndex,
  { terms, prefixes }: Lookups,
): Promise<Pick<LookedUp, "postings" | "withPrefix">> {
  const starts = prefixes.map(({ prefix }) => prefix);
  const [blockOf, blocksBehind] = await blocksFor(epoch, [...terms, ...starts], starts);
  const wanted = new Set<number>();
  const known: Omit<StoredIndex, "list" | "ofCopies"> = { segments: index.segments, blockOf, blocksBehind };
  const looking = termReader({
    ...known,
    list(id) {
      wanted.add(id);
      return NOTHING;
    },
    ofCopies: () => null,
  });
  // Looked up twice: what lists the terms of a prefix have is known only when its blocks are there.
  for (const term of terms) looking.postings(term);
  for (const prefix of prefixes) looking.withPrefix(prefix);
  const lists = await listsOf(epoch, wanted);
  const copies = await copyTerms(epoch, index.hasCopyTerms ? terms : [], index.hasCopyTerms ? starts : []);
  return termReader({
    ...known,
    list: (id) => lists.get(id) ?? NOTHING,
    ofCopies: (term) => copyPostings(copies.get(term) ?? []),
  });
}

const NOTHING = new Uint8Array(0);

async function blocksFor(
  epoch: OpenEpoch,
  terms: readonly string[],
  prefixes: readonly string[],
): Promise<readonly [StoredIndex["blockOf"], StoredIndex["blocksBehind"]]> {
  const blocks = new Map<string, Uint8Array>();
  const behind = new Map<string, Uint8Array[]>();
  const key = (segment: number, term: string): string => `${segment} ${term}`;
  if (terms.length > 0) {
    const rows = await epoch.rows(
      `SELECT 0 AS part, ix_doc.seg, asked, block.first, block.data FROM unnest($2::text[]) AS asked
         JOIN ix_doc ON ix_doc.epoch = $1
         CROSS JOIN LATERAL (SELECT first, data FROM ix_block WHERE epoch = $1 AND seg = ix_doc.seg AND first <= asked COLLATE "C"
           ORDER BY first DESC LIMIT 1) AS block
       UNION ALL
       SELECT 1, ix_doc.seg, asked, block.first, block.data FROM unnest($3::text[]) AS asked
         JOIN ix_doc ON ix_doc.epoch = $1
         JOIN ix_block AS block ON block.epoch = $1 AND block.seg = ix_doc.seg AND block.first > asked COLLATE "C"
           AND block.first < (asked || $4) COLLATE "C"
       ORDER BY 1, 2, 3, 4`,
      terms,
      prefixes,
      LAST_CHARACTER,
    );
    for (const [part, segment, asked, , data] of rows as [number, number, string, string, Uint8Array][]) {
      if (part === 0) blocks.set(key(segment, asked), data);
      else behind.set(key(segment, asked), [...(behind.get(key(segment, asked)) ?? []), data]);
    }
  }
  return [
    (segment, term) => blocks.get(key(segment, term)),
    (segment, prefix) => behind.get(key(segment, prefix)) ?? [],
  ];
}

async function listsOf(epoch: OpenEpoch, ids: ReadonlySet<number>): Promise<ReadonlyMap<number, Uint8Array>> {
  if (ids.size === 0) return new Map();
  const rows = await epoch.rows(
    "SELECT id, data FROM ix_post WHERE epoch = $1 AND id = ANY($2::int8[])",
    ordinalList(ids),
  );
  return new Map(rows as [number, Uint8Array][]);
}

/** Messages of terms that only their copies have: of the terms themselves and of those that begin with a prefix. */
async function copyTerms(
  epoch: OpenEpoch,
  terms: readonly string[],
  prefixes: readonly string[],
): Promise<ReadonlyMap<string, number[]>> {
  const found = new Map<string, number[]>();
  if (terms.length + prefixes.length === 0) return found;
  const rows = await epoch.rows(
    `SELECT term, doc FROM ix_copy WHERE epoch = $1 AND (term = ANY($2::text[])
       OR EXISTS (SELECT 1 FROM unnest($3::text[]) AS asked WHERE term >= asked COLLATE "C" AND term < (asked || $4) COLLATE "C"))
     ORDER BY term, doc`,
    terms,
    prefixes,
    LAST_CHARACTER,
  );
  for (const [term, document] of rows as [string, number][]) {
    const documents = found.get(term);
    if (documents === undefined) found.set(term, [document]);
    else documents.push(document);
  }
  return found;
}

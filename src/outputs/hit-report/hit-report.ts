import type { Archive } from "../../mail/archive.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import type { WordMatch } from "../../mail/exploration.ts";
import { type MessageId, ordinalOf } from "../../mail/records/ids.ts";

/** Counts of messages and their families. */
export interface HitFigures {
  readonly messages: number;
  /** Attachments of these messages: both together are the documents of their families. */
  readonly attachments: number;
  readonly conversations: number;
  /** All messages of these conversations, whether they match or not. */
  readonly conversationMessages: number;
  /** Earliest and latest date; null if none is dated. */
  readonly first: Instant | null;
  readonly last: Instant | null;
  /** Custodians who have any of them. Messages of several custodians count for each. */
  readonly custodians: readonly CustodianHits[];
}

interface CustodianHits {
  readonly name: string;
  readonly messages: number;
}

export interface ReportedQuery extends HitFigures {
  readonly query: string;
  /** One sentence per part that could not be interpreted. */
  readonly problems: readonly string[];
  /** Messages that match no other query of the list. */
  readonly unique: number;
}

/** Result of each query of a list, and of all combined, each message once. */
export interface HitReport {
  readonly queries: readonly ReportedQuery[];
  readonly union: HitFigures;
}

interface ReportRequest {
  readonly queries: readonly string[];
  readonly match: WordMatch;
  /** Custodian of each source by number. */
  readonly custodians: readonly string[];
}

/** Counts the results of each query of a list, with families, custodians and unique messages. */
export async function hitReport(archive: Archive, { queries, match, custodians }: ReportRequest): Promise<HitReport> {
  const hits = await archive.explore.hits(queries.map((query) => ({ query, match })));
  const columns = await reportColumns(archive, custodians);
  const tally = new UnionTally();
  const counted: Omit<ReportedQuery, "unique">[] = [];
  for (const [at, query] of queries.entries()) {
    const found = ordinalsOf(await archive.search.matching(query, {}, match));
    tally.add(at, found);
    const { problems, messages, first, last } = hits[at]!;
    counted.push({ query, problems, messages, first, last, ...familiesOf(found, columns) });
  }
  const unique = tally.unique(queries.length);
  const union = tally.union();
  return {
    queries: counted.map((query, at) => ({ ...query, unique: unique[at]! })),
    union: {
      messages: union.length,
      ...familiesOf(union, columns),
      first: extreme(hits, "first", Math.min),
      last: extreme(hits, "last", Math.max),
    },
  };
}

function extreme<End extends "first" | "last">(
  hits: readonly { readonly [Key in End]: Instant | null }[],
  end: End,
  choose: (left: number, right: number) => number,
): Instant | null {
  const dates = hits.map((hit) => hit[end]).filter((date) => date !== null);
  return dates.length === 0 ? null : dates.reduce((left, right) => choose(left, right));
}

function ordinalsOf(ids: readonly MessageId[]): Uint32Array {
  return Uint32Array.from(ids, (id) => ordinalOf("msg", id)!);
}

/** The queries that match each message. */
class UnionTally {
  /** By message: 0 for no query, the number of the only one and 1, or MANY. */
  private finders = new Uint32Array(0);

  add(query: number, found: Uint32Array): void {
    const end = (found.reduce((most, document) => Math.max(most, document), 0) + 1) as number;
    if (end > this.finders.length) {
      const grown = new Uint32Array(end);
      grown.set(this.finders);
      this.finders = grown;
    }
    for (const document of found) this.finders[document] = this.finders[document] === 0 ? query + 1 : MANY;
  }

  unique(queries: number): Uint32Array {
    const counts = new Uint32Array(queries);
    for (const finder of this.finders) if (finder !== 0 && finder !== MANY) counts[finder - 1]!++;
    return counts;
  }

  union(): Uint32Array {
    return Uint32Array.from(this.finders.keys()).filter((document) => this.finders[document] !== 0);
  }
}

/** Larger than any number of queries. */
const MANY = 0xffff_ffff;

/** Per-message columns for counting families and custodians. */
interface ReportColumns {
  readonly attachments: Uint32Array;
  readonly threads: Uint32Array;
  /** Messages of each thread. */
  readonly threadSizes: readonly number[];
  readonly custodiansOf: ReadonlyMap<number, readonly number[]>;
  readonly custodians: readonly string[];
}

async function reportColumns(archive: Archive, sourceNames: readonly string[]): Promise<ReportColumns> {
  const attachments = await archive.explore.attachmentCounts();
  const pairs: (readonly [message: number, thread: number])[] = [];
  const threadSizes: number[] = [];
  for await (const batch of archive.threads.scan()) {
    for (const { messageIds } of batch) {
      for (const id of messageIds) pairs.push([ordinalOf("msg", id)!, threadSizes.length]);
      threadSizes.push(messageIds.length);
    }
  }
  const threads = new Uint32Array(pairs.reduce((end, [message]) => Math.max(end, message + 1), 0));
  for (const [message, thread] of pairs) threads[message] = thread;
  const custodians = [...new Set(sourceNames)];
  return { attachments, threads, threadSizes, custodians, custodiansOf: await custodiansBy(archive, sourceNames) };
}

/** Custodians of each message, by all of its occurrences. */
async function custodiansBy(
  archive: Archive,
  sourceNames: readonly string[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const numbers = new Map([...new Set(sourceNames)].map((name, number) => [name, number]));
  const found = new Map<number, number[]>();
  for (const [source, name] of sourceNames.entries()) {
    const custodian = numbers.get(name)!;
    for (const document of ordinalsOf(await archive.search.matching(`source:${source}`))) {
      const known = found.get(document);
      if (known === undefined) found.set(document, [custodian]);
      else if (!known.includes(custodian)) known.push(custodian);
    }
  }
  return found;
}

function familiesOf(
  found: Uint32Array,
  { attachments, threads, threadSizes, custodians, custodiansOf }: ReportColumns,
): Pick<HitFigures, "attachments" | "conversations" | "conversationMessages" | "custodians"> {
  const met = new Set<number>();
  const counts = new Uint32Array(custodians.length);
  let attached = 0;
  for (const document of found) {
    attached += attachments[document] ?? 0;
    met.add(threads[document]!);
    for (const custodian of custodiansOf.get(document) ?? []) counts[custodian]!++;
  }
  let conversationMessages = 0;
  for (const thread of met) conversationMessages += threadSizes[thread] ?? 0;
  return {
    attachments: attached,
    conversations: met.size,
    conversationMessages,
    custodians: custodians
      .map((name, number) => ({ name, messages: counts[number]! }))
      .filter(({ messages }) => messages > 0),
  };
}

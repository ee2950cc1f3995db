import { isLongText } from "../text/text-key.ts";

/** What tells which messages say the same, by document number. */
export interface TextColumns {
  /** Key of each text (`text-key.ts`); NaN where nothing is said, or nobody made one. */
  readonly keys: Float64Array;
  /** Of these keys those that stand twice (`repeatedKeys`). */
  readonly repeated: ReadonlySet<number>;
  readonly threads: Uint32Array;
  /** Contact of the author, -1 when there is none. */
  readonly authors: Int32Array;
  /** Number of the base subject; 0 for none. Asked only of messages whose text stands twice. */
  readonly subjects: Uint32Array;
}

/** Keys that more than one text has. They are sorted: a map of all would be 60 bytes a message. */
export function repeatedKeys(keys: Float64Array): ReadonlySet<number> {
  const repeated = new Set<number>();
  const sorted = keys.slice().sort();
  for (let at = 1; at < sorted.length; at++) if (sorted[at] === sorted[at - 1]) repeated.add(sorted[at]!);
  return repeated;
}

/**
 * For each message the first of those that repeat its text: a long one whoever wrote it, else the same text by the same
 * author, in the same thread, or under the same subject (what one office sends from several mailboxes), be it over
 * others. 0 where the text stands once.
 */
export function repeatsColumn({ keys, repeated, threads, authors, subjects }: TextColumns): Uint32Array {
  const parents = Uint32Array.from(keys, (_, document) => document);
  const rootOf = (document: number): number => {
    let root = document;
    while (parents[root] !== root) {
      // Halves the way for whoever comes next.
      parents[root] = parents[parents[root]!]!;
      root = parents[root]!;
    }
    return root;
  };
  const join = (one: number, other: number): void => {
    const roots = [rootOf(one), rootOf(other)];
    parents[Math.max(...roots)] = Math.min(...roots);
  };
  const bondsOf = (document: number): readonly string[] => {
    const bonds = [`thread ${threads[document]!}`];
    if (authors[document]! >= 0) bonds.push(`author ${authors[document]!}`);
    if (subjects[document]! > 0) bonds.push(`subject ${subjects[document]!}`);
    return bonds;
  };
  /** The first message of each text that stands twice, and the first with each bond. */
  const firsts = new Map<number, number>();
  const seen = new Map<number, Map<string, number>>();
  for (let document = 0; document < keys.length; document++) {
    const key = keys[document]!;
    if (!repeated.has(key)) continue;
    const first = firsts.get(key);
    if (first === undefined) {
      firsts.set(key, document);
      continue;
    }
    if (isLongText(key)) {
      join(first, document);
      continue;
    }
    const bonds = seen.get(first) ?? new Map(bondsOf(first).map((bond) => [bond, first]));
    seen.set(first, bonds);
    for (const bond of bondsOf(document)) {
      const other = bonds.get(bond);
      // The first of a thread, author or subject is as good as any: all of them are joined.
      if (other === undefined) bonds.set(bond, document);
      else join(other, document);
    }
  }
  return withoutLoners(parents, rootOf);
}

function withoutLoners(parents: Uint32Array, rootOf: (document: number) => number): Uint32Array {
  const column = new Uint32Array(parents.length);
  for (let document = 0; document < parents.length; document++) {
    const root = rootOf(document);
    if (root === document) continue;
    column[document] = root;
    column[root] = root;
  }
  return column;
}

/** The other messages with the text of one, ascending: for who asks once. */
export function othersWithText(column: Uint32Array, document: number): readonly number[] {
  const text = column[document] ?? 0;
  const others: number[] = [];
  for (let other = text; text !== 0 && other < column.length; other++)
    if (column[other] === text && other !== document) others.push(other);
  return others;
}

/** Messages with the same text as one that was found. */
export class RepeatedTexts {
  private readonly column: Uint32Array;
  private further: Uint32Array | null = null;

  /** @param column as `repeatsColumn` makes it; empty for an archive of an earlier version, whose texts have no keys */
  constructor(column: Uint32Array) {
    this.column = column;
  }

  /** A test that the first message of each text passes, of those that are put to it one after the other. */
  firstOfText(): (document: number) => boolean {
    const { column } = this;
    const told = new Uint8Array(column.length);
    return (document) => {
      const text = column[document] ?? 0;
      if (text === 0) return true;
      if (told[text] === 1) return false;
      told[text] = 1;
      return true;
    };
  }

  /** The other messages with the text of this one, ascending. */
  othersOf(document: number): readonly number[] {
    const first = this.column[document] ?? 0;
    if (first === 0) return [];
    this.further ??= furtherColumn(this.column);
    const others: number[] = [];
    for (let other = first; other !== 0; other = this.further[other]!) if (other !== document) others.push(other);
    return others;
  }
}

/** For each message the next one with its text, 0 for the last: a list a text would be 60,000 objects of 300,000 messages. */
function furtherColumn(column: Uint32Array): Uint32Array {
  const further = new Uint32Array(column.length);
  const latest = new Uint32Array(column.length);
  for (let document = 0; document < column.length; document++) {
    const text = column[document]!;
    if (text === 0) continue;
    if (text !== document) further[latest[text]!] = document;
    latest[text] = document;
  }
  return further;
}

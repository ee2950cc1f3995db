/**
 * For each message the first of those that have its text, by any author and under any subject; 0 where the text stands
 * once.
 * @param keys of each text (`text-key.ts`) by document number; NaN where nothing is said, or nobody made one
 */
export function repeatsColumn(keys: Float64Array): Uint32Array {
  const repeated = repeatedKeys(keys);
  const firsts = new Map<number, number>();
  return Uint32Array.from(keys, (key, document) => {
    if (!repeated.has(key)) return 0;
    const first = firsts.get(key) ?? document;
    if (first === document) firsts.set(key, document);
    return first;
  });
}

/** Keys that more than one text has. They are sorted: a map of all would be 60 bytes a message. */
function repeatedKeys(keys: Float64Array): ReadonlySet<number> {
  const repeated = new Set<number>();
  const sorted = keys.slice().sort();
  for (let at = 1; at < sorted.length; at++) if (sorted[at] === sorted[at - 1]) repeated.add(sorted[at]!);
  return repeated;
}

/** The messages with a text, ascending: for who asks once. @param text the first of them, 0 for none */
export function messagesWithText(column: Uint32Array, text: number): readonly number[] {
  const messages: number[] = [];
  for (let document = text; text !== 0 && document < column.length; document++)
    if (column[document] === text) messages.push(document);
  return messages;
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

  /** The first message with the text of this one; 0 where it stands once. */
  textOf(document: number): number {
    return this.column[document] ?? 0;
  }

  /** The other messages with the text of this one, ascending. */
  othersOf(document: number): readonly number[] {
    return this.messagesOf(this.textOf(document)).filter((other) => other !== document);
  }

  /** The messages with a text, ascending. @param text the first of them, which a range of an archive may not hold */
  messagesOf(text: number): readonly number[] {
    if (text === 0) return [];
    this.further ??= furtherColumn(this.column);
    const messages = this.column[text] === text ? [text] : [];
    for (let next = this.further[text] ?? 0; next !== 0; next = this.further[next]!) messages.push(next);
    return messages;
  }
}

/** For each message the next one with its text, 0 for the last: a list a text would be 60,000 objects of 300,000 messages. */
function furtherColumn(column: Uint32Array): Uint32Array {
  const further = new Uint32Array(column.length);
  const latest = new Uint32Array(column.length);
  for (let document = 0; document < column.length; document++) {
    const text = column[document]!;
    if (text === 0) continue;
    if (text !== document) further[latest[text] || text] = document;
    latest[text] = document;
  }
  return further;
}

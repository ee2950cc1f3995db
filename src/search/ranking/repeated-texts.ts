/** Number of parts in which texts are compared: the map of each takes 60 bytes per text. */
const PARTS = 32;

/**
 * For each message the first message with the same text, by any author and with any subject; 0 if the text is unique.
 * @param keys text keys (`text-key.ts`) by document number; NaN if there is no text or no key
 */
export function repeatsColumn(keys: Float64Array): Uint32Array {
  const column = new Uint32Array(keys.length);
  const firsts = new Map<number, number>();
  for (let part = 0; part < PARTS; part++) {
    firsts.clear();
    for (let document = 0; document < keys.length; document++) {
      const key = keys[document]!;
      if (((key >>> 1) & (PARTS - 1)) !== part || Number.isNaN(key)) continue;
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, document);
      else column[document] = column[first] = first;
    }
  }
  return column;
}

/** Messages with a text, ascending, for a single call. @param text 0 for none */
export function messagesWithText(column: Uint32Array, text: number): readonly number[] {
  const messages: number[] = [];
  for (let document = 0; text !== 0 && document < column.length; document++)
    if (column[document] === text) messages.push(document);
  return messages;
}

/** Messages with the same text as a result. */
export class RepeatedTexts {
  private further: Uint32Array | null = null;

  /** @param column from `repeatsColumn`; empty for an archive of an earlier version, which has no text keys */
  constructor(private readonly column: Uint32Array) {}

  /** The first message with the same text; 0 if it is unique. */
  textOf(document: number): number {
    return this.column[document] ?? 0;
  }

  /** The messages with a text, ascending. @param text the first of them */
  messagesOf(text: number): readonly number[] {
    if (text === 0) return [];
    this.further ??= furtherColumn(this.column);
    const messages: number[] = [];
    for (let next = text; next !== 0; next = this.further[next]!) messages.push(next);
    return messages;
  }
}

/**
 * By message: the next one with its text, 0 for the last: separate lists would be 60,000 objects for 300,000 messages.
 */
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

import { HashIndex, NO_ENTRY } from "../columns/hash-index.ts";
import { keyHash } from "../columns/key-nodes.ts";
import { PagedUint32Column } from "../columns/paged-column.ts";
import type { PagedMemory } from "../columns/paged-memory.ts";
import type { UnionFind } from "./union-find.ts";

/** What a message says of a key: it is its own Message-ID, the last id that it refers to, or anything else. */
export const KEY_ROLE = { other: 0, own: 1, answered: 2 } as const;
export type KeyRole = (typeof KEY_ROLE)[keyof typeof KEY_ROLE];

/** Parts of the keys, of which one at a time is joined: they need the memory that a part does. */
const PART_BITS = 6;
/** The hash in two words; message and role in one. */
const WORDS_A_KEY = 3;
const ROLE_BITS = 2;
const ROLE_MASK = 3;

/**
 * Ids that messages carry and refer to, until all mail is read: 12 bytes each, most of them in a file, by hashes of 64
 * bits (`KeyNodes`). All that say one key lie in one part, in the order in which they came.
 */
export class ThreadKeys {
  private readonly parts: readonly PagedUint32Column[];

  constructor(memory: PagedMemory) {
    this.parts = Array.from({ length: 1 << PART_BITS }, () => new PagedUint32Column(memory));
  }

  add(space: number, key: string, { message, role }: { readonly message: number; readonly role: KeyRole }): void {
    const [high, low] = keyHash(space, key);
    const part = this.parts[high >>> (32 - PART_BITS)]!;
    part.push(high);
    part.push(low);
    part.push((message << ROLE_BITS) | role);
  }

  /**
   * Joins the messages of each key, and lets the keys go.
   * @param onAnswer told each message whose last reference is the Message-ID of another
   */
  join(sets: UnionFind, onAnswer: (message: number) => void): void {
    const entries = new HashIndex();
    for (const part of this.parts) {
      joinPart(part.slice(), { entries, sets, onAnswer });
      part.clear();
      entries.empty();
    }
  }
}

interface Joining {
  readonly entries: HashIndex;
  readonly sets: UnionFind;
  readonly onAnswer: (message: number) => void;
}

const NOBODY = 0;

function joinPart(words: Uint32Array, { entries, sets, onAnswer }: Joining): void {
  const count = words.length / WORDS_A_KEY;
  // By entry: the rest of its hash, the first message that says it, and the first whose own it is, plus one.
  const highs = new Uint32Array(count);
  const first = new Uint32Array(count);
  const holder = new Uint32Array(count);
  const entryOf = new Uint32Array(count);
  for (let at = 0; at < count; at++) {
    const high = words[at * WORDS_A_KEY]!;
    const said = words[at * WORDS_A_KEY + 2]!;
    const message = said >>> ROLE_BITS;
    let entry = entries.first(words[at * WORDS_A_KEY + 1]!);
    while (entry !== NO_ENTRY && highs[entry] !== high) entry = entries.next();
    if (entry === NO_ENTRY) {
      entry = entries.add();
      highs[entry] = high;
      first[entry] = message;
    } else sets.union(first[entry]!, message);
    entryOf[at] = entry;
    if ((said & ROLE_MASK) === KEY_ROLE.own && holder[entry] === NOBODY) holder[entry] = message + 1;
  }
  for (let at = 0; at < count; at++) {
    const said = words[at * WORDS_A_KEY + 2]!;
    if ((said & ROLE_MASK) !== KEY_ROLE.answered) continue;
    const held = holder[entryOf[at]!]!;
    if (held !== NOBODY && held !== (said >>> ROLE_BITS) + 1) onAnswer(said >>> ROLE_BITS);
  }
}

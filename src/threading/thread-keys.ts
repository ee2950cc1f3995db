import { HashIndex, NO_ENTRY } from "../columns/hash-index.ts";
import { PagedUint32Column } from "../columns/paged-column.ts";
import type { PagedMemory } from "../columns/paged-memory.ts";
import { WIDE_HASH_WORDS, type WideHash, wideHash } from "../columns/wide-hash.ts";
import type { UnionFind } from "./union-find.ts";

/** Role of a key in a message: its own Message-ID, its last reference, or another. */
export const KEY_ROLE = { other: 0, own: 1, answered: 2 } as const;
export type KeyRole = (typeof KEY_ROLE)[keyof typeof KEY_ROLE];

/** Number of parts of the keys, of which one at a time is joined to limit memory. */
const PART_BITS = 6;
/** The words of its hash; then message and role in one. */
const WORDS_A_KEY = WIDE_HASH_WORDS + 1;
const ROLE_BITS = 2;
const ROLE_MASK = 3;

/**
 * Ids that messages carry and refer to, until all mail is read: 20 bytes each, mostly in a file, by 128-bit hashes. All
 * references to one key are in the same part, in order of arrival.
 */
export class ThreadKeys {
  /** By the first bits of the hash. */
  readonly parts: readonly PagedUint32Column[];
  private readonly words = new Uint32Array(WIDE_HASH_WORDS);

  constructor(
    memory: PagedMemory,
    private readonly hash: WideHash = wideHash,
  ) {
    this.parts = Array.from({ length: 1 << PART_BITS }, () => new PagedUint32Column(memory));
  }

  add(space: number, key: string, { message, role }: { readonly message: number; readonly role: KeyRole }): void {
    const { words } = this;
    this.hash(space, key, words);
    const part = this.parts[words[0]! >>> (32 - PART_BITS)]!;
    for (let word = 0; word < WIDE_HASH_WORDS; word++) part.push(words[word]!);
    part.push((message << ROLE_BITS) | role);
  }

  /**
   * Joins the messages of each key, and releases the keys.
   * @param onAnswer called for each message whose last reference is the Message-ID of another
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
  // By entry: first message with its key, and the first message that owns it, plus one.
  const firstAt = new Uint32Array(count);
  const holder = new Uint32Array(count);
  const entryOf = new Uint32Array(count);
  for (let at = 0; at < count; at++) {
    const key = at * WORDS_A_KEY;
    const packed = words[key + WIDE_HASH_WORDS]!;
    const message = packed >>> ROLE_BITS;
    let entry = entries.first(words[key + 1]!);
    while (entry !== NO_ENTRY && !isOneKey(words, firstAt[entry]!, key)) entry = entries.next();
    if (entry === NO_ENTRY) {
      entry = entries.add();
      firstAt[entry] = key;
    } else sets.union(words[firstAt[entry]! + WIDE_HASH_WORDS]! >>> ROLE_BITS, message);
    entryOf[at] = entry;
    if ((packed & ROLE_MASK) === KEY_ROLE.own && holder[entry] === NOBODY) holder[entry] = message + 1;
  }
  for (let at = 0; at < count; at++) {
    const packed = words[at * WORDS_A_KEY + WIDE_HASH_WORDS]!;
    if ((packed & ROLE_MASK) !== KEY_ROLE.answered) continue;
    const held = holder[entryOf[at]!]!;
    if (held !== NOBODY && held !== (packed >>> ROLE_BITS) + 1) onAnswer(packed >>> ROLE_BITS);
  }
}

/** True if the hashes at two offsets are equal. */
function isOneKey(words: Uint32Array, one: number, other: number): boolean {
  return (
    words[one] === words[other] &&
    words[one + 1] === words[other + 1] &&
    words[one + 2] === words[other + 2] &&
    words[one + 3] === words[other + 3]
  );
}

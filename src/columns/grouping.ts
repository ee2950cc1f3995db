/** Members grouped by key: those of key `k` are `members[starts[k]] … members[starts[k + 1] - 1]`. */
export interface Groups {
  readonly starts: Uint32Array;
  readonly members: Uint32Array<ArrayBuffer>;
}

/** Returns where the entries of each key start when sorted by key, followed by the end of the last key. */
export function groupStarts(keys: Int32Array | Uint32Array, keyCount: number): Uint32Array {
  const starts = new Uint32Array(keyCount + 1);
  for (const key of keys) starts[key + 1]!++;
  for (let key = 0; key < keyCount; key++) starts[key + 1]! += starts[key]!;
  return starts;
}

/**
 * Groups members by their keys (a counting sort). @param keys key of each member, below `keyCount` @param order every
 * member once, in the order within a key; ascending by default
 */
export function groupByKey(keys: Int32Array | Uint32Array, keyCount: number, order: Uint32Array | null = null): Groups {
  const starts = groupStarts(keys, keyCount);
  const next = starts.slice();
  const members = new Uint32Array(keys.length);
  for (let at = 0; at < keys.length; at++) {
    const member = order === null ? at : order[at]!;
    const key = keys[member]!;
    members[next[key]!] = member;
    next[key]!++;
  }
  return { starts, members };
}

import { type HeaderBlock, isNamed, nameKey, SPAN } from "./header-block.ts";

/** Names of fields, in lower case, by their keys. */
type FieldSet = ReadonlyMap<number, readonly string[]>;

export function fieldSet(names: readonly string[]): FieldSet {
  const set = new Map<number, string[]>();
  for (const name of names) {
    const key = nameKey(name.length, name.charCodeAt(0));
    set.set(key, [...(set.get(key) ?? []), name]);
  }
  return set;
}

/** True if the header has one of these fields: one pass over its fields instead of one for each name. */
export function hasAnyField(block: HeaderBlock, names: FieldSet): boolean {
  for (let index = 0; index * SPAN < block.spans.length; index++) {
    const alike = names.get(block.spans[index * SPAN]!);
    if (alike?.some((name) => isNamed(block, index, name)) === true) return true;
  }
  return false;
}

/** Maximum messages of a shard: 72 MB of columns, and a common word is a pass over 4 MB. */
export const SHARD_DOCUMENTS = 4_000_000;

/** Small adjacent segments form one shard; a large one is its own shard. */
export function inShards<T>(
  parts: readonly T[],
  documentsOf: (part: T) => number,
  shardDocuments = SHARD_DOCUMENTS,
): readonly (readonly T[])[] {
  const shards: T[][] = [];
  let documents = 0;
  for (const part of parts) {
    const count = documentsOf(part);
    const last = shards.at(-1);
    if (last === undefined || documents + count > shardDocuments) {
      shards.push([part]);
      documents = count;
    } else {
      last.push(part);
      documents += count;
    }
  }
  return shards;
}

import type { ItemRequest, LocatedRecord, RecordPage, RecordRequest } from "../../mail/located-records.ts";
import type { IndexedRecord } from "../../search/indexing/indexed-record.ts";
import { RecordFinder } from "../../search/record-finder.ts";
import { openRecordIndex, RecordIndexWriter, type RecordTexts } from "./record-index.ts";

/** Stores events or items. */
export interface RecordStore<T> extends Pick<RecordTexts, "sourcePaths"> {
  /** The index of the last run; null in archives of earlier versions, and in stores without one. */
  index(): Promise<Uint8Array | null>;
  /** In id order. */
  scan(): AsyncIterable<readonly T[]>;
  /** In ordinal order; all ordinals exist. */
  at(ordinals: readonly number[]): Promise<readonly T[]>;
}

/** Builds the index of the records in a store. */
export async function makeRecordIndex<T>(
  records: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
  indexed: (record: T) => IndexedRecord,
): Promise<Uint8Array> {
  const writer = new RecordIndexWriter();
  for await (const batch of records) for (const record of batch) writer.add(indexed(record));
  return writer.finish();
}

/** Pages of events or items. The index is opened on first use, and built if the archive has none. */
export function recordPages<T>(
  store: RecordStore<T>,
  indexed: (record: T) => IndexedRecord,
): (request: RecordRequest & Partial<Pick<ItemRequest, "kind">>) => Promise<RecordPage<T>> {
  const open = async () => {
    const index = openRecordIndex((await store.index()) ?? (await makeRecordIndex(store.scan(), indexed)), {
      records: async (ordinals) => (await store.at(ordinals)).map(indexed),
      sourcePaths: store.sourcePaths,
    });
    return { ordinals: index.ordinals, finder: new RecordFinder(index.source, index.kinds) };
  };
  let opened: ReturnType<typeof open> | null = null;
  return async (request) => {
    opened ??= open();
    const { ordinals, finder } = await opened;
    const { total, kinds, documents, snippets } = await finder.page({ kind: null, ...request });
    const records = await store.at(Array.from(documents, (document) => ordinals[document]!));
    const found = records.map((record, at): LocatedRecord<T> => ({ record, snippet: snippets[at]! }));
    return { total, kinds, found };
  };
}

import { type MarkedMessages, NOTHING_MARKED } from "../indexing/marked-messages.ts";
import { joinPostings } from "../indexing/posting-codec.ts";
import type { LookedUp, SearchSource, TermPostings } from "../indexing/search-source.ts";
import { VarintWriter } from "../indexing/varint.ts";

/**
 * Renumbers a shard's messages from 1, so that columns and sets have the length of the shard: the local number is the
 * archive number minus the base. @param source takes numbers of the archive, and returns only postings of the shard
 */
export function toLocalIds(
  source: Pick<SearchSource, "lookUp" | "texts" | "values" | "marked">,
  base: number,
): Pick<SearchSource, "lookUp" | "texts" | "values" | "marked"> {
  const numbersOf = (documents: ArrayLike<number>): number[] => Array.from(documents, (document) => document + base);
  let known = { archive: NOTHING_MARKED, range: NOTHING_MARKED };
  return {
    async marked() {
      const archive = await source.marked();
      if (archive !== known.archive) known = { archive, range: ownMarks(archive, base) };
      return known.range;
    },
    lookUp: async (asked) => shifted(await source.lookUp(asked), base),
    texts: (documents, { isSubjectRead, areFilesRead }) =>
      source.texts(numbersOf(documents), {
        isSubjectRead: (document) => isSubjectRead(document - base),
        areFilesRead: (document) => areFilesRead(document - base),
      }),
    values: (documents, field) => source.values(numbersOf(documents), field),
  };
}

/** Marks of other ranges are out of bounds here. */
function ownMarks(marked: MarkedMessages, base: number): MarkedMessages {
  return {
    ...marked,
    tags: new Map(Array.from(marked.tags, ([document, tags]) => [document - base, tags])),
    noted: new Set(Array.from(marked.noted, (document) => document - base)),
    reviews: new Map(Array.from(marked.reviews, ([document, review]) => [document - base, review])),
  };
}

function shifted(found: LookedUp, base: number): LookedUp {
  const own = (documents: Iterable<number>): number[] => Array.from(documents, (document) => document - base);
  return {
    ...found,
    postings(term) {
      const postings = found.postings(term);
      return postings === null ? null : { ...postings, lists: ownLists(postings, base) };
    },
    withPattern: async (pattern) =>
      (await found.withPattern(pattern)).map((postings) => ({ ...postings, lists: ownLists(postings, base) })),
    addressedTo: (addressee) => own(found.addressedTo(addressee)),
    inThread: (thread) => own(found.inThread(thread)),
    withMessageId: (id) => own(found.withMessageId(id)),
    withFile: (sha256) => own(found.withFile(sha256)),
  };
}

/** Only the first number of a list is absolute; each further one is the difference from the previous one. */
function ownLists({ lists }: TermPostings, base: number): readonly Uint8Array[] {
  return lists.map((list) => {
    const writer = new VarintWriter();
    joinPostings(writer, list, base);
    return writer.bytes.subarray(0, writer.length);
  });
}

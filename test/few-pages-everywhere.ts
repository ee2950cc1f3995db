import { PagedMemory } from "../src/columns/paged-memory.ts";

/** Traffic between memory and files. */
export interface PageTraffic {
  /** Memories that evicted a page, and the number of pages read again. */
  readonly crowded: ReadonlySet<PagedMemory>;
  readonly returned: number;
}

/**
 * Limits every `PagedMemory` of this thread to so few pages and objects while the work runs that even small mail is
 * written to files, like an archive much larger than memory. The program needs no parameter for this.
 */
export async function withFewPages(pages: number, work: () => Promise<void>): Promise<PageTraffic> {
  const crowded = new Set<PagedMemory>();
  const watched = new WeakSet<PagedMemory>();
  const traffic = { crowded, returned: 0 };
  const { take } = PagedMemory.prototype;
  const heldObjects = Object.getOwnPropertyDescriptor(PagedMemory.prototype, "heldObjects")!;
  Object.defineProperty(PagedMemory.prototype, "heldObjects", { ...heldObjects, get: () => pages });
  PagedMemory.prototype.take = function (this: PagedMemory, owner, page) {
    if (!watched.has(this)) {
      watched.add(this);
      Object.assign(this, { mostFrames: pages });
      const { file } = this;
      const { read, write } = file;
      file.write = (place, bytes) => {
        crowded.add(this);
        write.call(file, place, bytes);
      };
      file.read = (place, bytes) => {
        traffic.returned++;
        read.call(file, place, bytes);
      };
    }
    return take.call(this, owner, page);
  };
  try {
    await work();
  } finally {
    PagedMemory.prototype.take = take;
    Object.defineProperty(PagedMemory.prototype, "heldObjects", heldObjects);
  }
  return traffic;
}

import { PagedMemory } from "../src/columns/paged-memory.ts";

/** What moved between memory and files. */
export interface PageTraffic {
  /** Memories that had to let a page go, and pages that came back. */
  readonly crowded: ReadonlySet<PagedMemory>;
  readonly returned: number;
}

/**
 * Lets every `PagedMemory` of this thread hold so few pages, and as few objects beside them, as long as something is
 * done, that even small mail goes to files: an archive that outgrows memory by many times. Nothing need be passed through
 * the program for it.
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

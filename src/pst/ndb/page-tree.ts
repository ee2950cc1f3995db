import type { ByteSource } from "./byte-source.ts";
import type { DamageLog } from "./damage.ts";
import { type FileLayout, readId } from "./file-layout.ts";
import { allocatePage, type PageBuffer, readTreePage, type TreePage, type TreePageType } from "./tree-page.ts";

/**
 * Memory for the pages of one tree: 4,096 of 512 bytes, the path to about 80,000 blocks; a quarter as many of 4 KB,
 * which hold more.
 */
const CACHED_PAGES = 4096;
const MAX_CACHE_BYTES = 4 << 20;

/** Memory for a page and its content; null if there is no page. */
interface PageSlot {
  readonly offset: number;
  readonly page: TreePage | null;
  readonly room: PageBuffer;
}

/** A leaf page, and its range of keys: from `from`, below `end`. */
interface LeafReach {
  readonly page: TreePage;
  readonly from: number;
  readonly end: number;
}

/** A leaf entry: the page, and the offset of the entry in its data. Valid until the next search. */
interface LeafEntry {
  readonly page: TreePage;
  readonly offset: number;
}

/**
 * A B-tree of the file ([MS-PST] 2.2.2.7.7), searched in place. It is not loaded: a store of 100 GB has about 20
 * million blocks, at least 480 MB in each worker. Opening reads one page; memory use is that of the page cache.
 */
export class PageTree {
  /** True after a page was unreadable or its CRC did not match. */
  isDamaged = false;
  private readonly source: ByteSource;
  private readonly layout: FileLayout;

  private readonly log: DamageLog;
  /** The offset of a page determines its slot; a page replaces another one in the same slot. */
  private readonly slots: (PageSlot | null)[];
  /** Result of the last search: the blocks of an item have consecutive ids, and the descent is most of a search. */
  private lastLeaf: LeafReach | null = null;

  constructor(
    file: { readonly source: ByteSource; readonly layout: FileLayout; readonly log: DamageLog },
    readonly root: number,
    private readonly type: TreePageType,
  ) {
    this.source = file.source;
    this.layout = file.layout;
    this.log = file.log;
    this.slots = new Array<PageSlot | null>(Math.min(CACHED_PAGES, MAX_CACHE_BYTES / file.layout.page.size)).fill(null);
  }

  /** The entry with that key; null if there is none, or its page is lost (`isDamaged` is then set). */
  find(key: number): LeafEntry | null {
    let leaf = this.lastLeaf;
    if (leaf === null || key < leaf.from || key >= leaf.end) {
      leaf = this.leafFor(key);
      this.lastLeaf = leaf;
      if (leaf === null) return null;
    }
    const { page } = leaf;
    const index = this.lastAtMost(page, key);
    const offset = page.start + index * page.entrySize;
    return index >= 0 && this.keyAt(page, offset) === key ? { page, offset } : null;
  }

  private leafFor(key: number): LeafReach | null {
    let page = this.page(this.root);
    let from = 0;
    let end = Number.POSITIVE_INFINITY;
    while (page !== null && page.level > 0) {
      const index = this.lastAtMost(page, key);
      if (index < 0) return null;
      const offset = page.start + index * page.entrySize;
      from = Math.max(from, this.keyAt(page, offset));
      if (index + 1 < page.count) end = Math.min(end, this.keyAt(page, offset + page.entrySize));
      page = this.child(page, offset);
    }
    return page === null ? null : { page, from, end };
  }

  /**
   * Every readable leaf page from left to right, each valid until the next. @param copyTo buffer for a page, for
   * callers that read the store while they use it; otherwise null
   */
  leafPages(copyTo: PageBuffer | null): LeafWalk {
    return new LeafWalk(this, copyTo);
  }

  /** Memory for a page. */
  room(): PageBuffer {
    return allocatePage(this.layout);
  }

  childOffset(page: TreePage, offset: number): number {
    return readId(page.data, offset + 2 * this.layout.idSize, this.layout.idSize);
  }

  damaged(message: string): void {
    this.isDamaged = true;
    this.log.note("page-damaged", message);
  }

  private keyAt(page: TreePage, offset: number): number {
    return readId(page.data, offset, this.layout.idSize);
  }

  private child(parent: TreePage, offset: number): TreePage | null {
    const place = this.childOffset(parent, offset);
    return this.checkLevel(parent, place, this.page(place));
  }

  /** A child must be one level lower, which bounds every descent. */
  checkLevel(parent: TreePage, place: number, page: TreePage | null): TreePage | null {
    if (page === null || page.level === parent.level - 1) return page;
    this.damaged(`page at ${place} has level ${page.level} below level ${parent.level}`);
    return null;
  }

  private page(offset: number): TreePage | null {
    const { size } = this.layout.page;
    const slot = Math.floor(offset / size) % this.slots.length;
    const known = this.slots[slot] ?? null;
    if (known !== null && known.offset === offset) return known.page;
    const room = known?.room ?? this.room();
    const page = this.readPage(offset, room);
    this.slots[slot] = { offset, page, room };
    return page;
  }

  /** @param copyTo buffer for the page; null to view it in place */
  readPage(offset: number, copyTo: PageBuffer | null): TreePage | null {
    const page = readTreePage(this.source, this.layout, { offset, type: this.type, copyTo });
    if (page === null) this.damaged(`no tree page at ${offset}`);
    else if (!page.isIntact) this.damaged(`page at ${offset} does not match its CRC`);
    return page;
  }

  /** Index of the last entry with a key not above this one; -1 if all are above. */
  private lastAtMost(page: TreePage, key: number): number {
    let low = 0;
    let high = page.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.keyAt(page, page.start + middle * page.entrySize) <= key) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/**
 * The leaf pages of a tree, in order. Iterative, and visits each page once, so a store cannot cause a loop. Not a
 * generator: this is the first loop of a run, and V8 would compile it twice with everything it calls.
 */
class LeafWalk {
  private readonly visited: Set<number>;
  /** Inner pages of the descent, each with its next entry. */
  private readonly stack: { readonly page: TreePage; entry: number }[] = [];

  constructor(
    private readonly tree: PageTree,
    private readonly leafRoom: PageBuffer | null,
  ) {
    this.visited = new Set([tree.root]);
    const root = tree.readPage(tree.root, tree.room());
    if (root !== null) this.stack.push({ page: root, entry: 0 });
  }

  /** The next leaf, valid until the one after it; null after the last. */
  next(): TreePage | null {
    while (this.stack.length > 0) {
      const top = this.stack[this.stack.length - 1]!;
      // A root that is a leaf, and pages whose entries are all processed.
      if (top.page.level === 0 || top.entry === top.page.count) {
        this.stack.pop();
        if (top.page.level === 0) return top.page;
        continue;
      }
      const page = this.below(top.page, top.page.start + top.entry * top.page.entrySize);
      top.entry++;
      if (page === null) continue;
      if (page.level === 0) return page;
      this.stack.push({ page, entry: 0 });
    }
    return null;
  }

  private below(parent: TreePage, offset: number): TreePage | null {
    const place = this.tree.childOffset(parent, offset);
    if (this.visited.has(place)) {
      this.tree.damaged(`page at ${place} occurs twice in the tree`);
      return null;
    }
    // Leaf pages are not recorded: there are as many as blocks of the file, and a leaf has no children to loop through.
    const isAboveLeaves = parent.level === 1;
    if (!isAboveLeaves) this.visited.add(place);
    return this.tree.checkLevel(
      parent,
      place,
      this.tree.readPage(place, isAboveLeaves ? this.leafRoom : this.tree.room()),
    );
  }
}

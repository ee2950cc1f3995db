/** Maximum bytes of a page; a longer entry has its own page. Editors take seconds to open more. */
export const MAX_PAGE_BYTES = 1_000_000;

/** How the entries of a list are divided into pages; planned first, because every page states the number of pages. */
export interface PagePlan {
  /** Entries of each page, in order; a list without entries has one page. */
  readonly pages: readonly number[];
  readonly total: number;
}

/** Pages of a fixed number of entries, for rows that are all short. */
export function pagesOf(total: number, pageSize: number): PagePlan {
  const count = Math.max(1, Math.ceil(total / pageSize));
  return { pages: Array.from({ length: count }, (_, page) => Math.min(pageSize, total - page * pageSize)), total };
}

/** Distributes entries to pages by number and bytes, before the first is written. */
export class PagePlanner {
  private readonly full: number[] = [];
  private entries = 0;
  private bytes = 0;
  private total = 0;

  /** @param pageSize maximum entries per page */
  constructor(private readonly pageSize: number) {}

  /** @param bytes of the next entry */
  add(bytes: number): void {
    if (this.entries === this.pageSize || (this.entries > 0 && this.bytes + bytes > MAX_PAGE_BYTES)) {
      this.full.push(this.entries);
      this.entries = 0;
      this.bytes = 0;
    }
    this.entries++;
    this.total++;
    this.bytes += bytes;
  }

  plan(): PagePlan {
    return { pages: [...this.full, this.entries], total: this.total };
  }
}

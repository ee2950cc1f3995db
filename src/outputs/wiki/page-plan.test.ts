import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_PAGE_BYTES, PagePlanner, pagesOf } from "./page-plan.ts";

describe("pagesOf", () => {
  it("fills every page except the last, and has one page without entries", () => {
    expect(pagesOf(0, 3)).toEqual({ pages: [0], total: 0 });
    expect(pagesOf(3, 3)).toEqual({ pages: [3], total: 3 });
    expect(pagesOf(7, 3)).toEqual({ pages: [3, 3, 1], total: 7 });
  });
});

describe("PagePlanner", () => {
  it("assigns all entries to pages, each full and within both limits", () => {
    const sizes = fc.array(fc.integer({ min: 0, max: MAX_PAGE_BYTES * 1.2 }), { maxLength: 60 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 9 }), (bytes, pageSize) => {
        const planner = new PagePlanner(pageSize);
        for (const one of bytes) planner.add(one);
        const { pages, total } = planner.plan();
        expect([total, pages.reduce((sum, entries) => sum + entries)]).toEqual([bytes.length, bytes.length]);
        let first = 0;
        for (const entries of pages) {
          const page = bytes.slice(first, first + entries);
          const size = page.reduce((sum, one) => sum + one, 0);
          expect(entries <= pageSize && (entries <= 1 || size <= MAX_PAGE_BYTES)).toBe(true);
          first += entries;
          if (first < bytes.length) expect(entries === pageSize || size + bytes[first]! > MAX_PAGE_BYTES).toBe(true);
        }
      }),
    );
  });
});

import { PAGE_BYTES, PagedMemory, type PageFile } from "../src/columns/paged-memory.ts";

/** A page file in memory, which counts its calls. */
export class PagesInMemory implements PageFile {
  private readonly pages = new Map<number, Uint8Array>();
  written = 0;

  write(place: number, page: Uint8Array): void {
    this.pages.set(place, page.slice());
    this.written++;
  }

  read(place: number, page: Uint8Array): void {
    page.set(this.pages.get(place)!);
  }

  /** Positions that were ever used. */
  get places(): number {
    return this.pages.size;
  }
}

/** Memory with so few pages and objects that most accesses go to the file. */
export function fewPages(pages = 3, objects = 2): PagedMemory {
  return new PagedMemory(new PagesInMemory(), pages * PAGE_BYTES, objects);
}

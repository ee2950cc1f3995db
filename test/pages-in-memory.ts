import { PAGE_BYTES, PagedMemory, type PageFile } from "../src/columns/paged-memory.ts";

/** A file of pages that lies in memory, and counts what is asked of it. */
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

  /** Places that were ever used. */
  get places(): number {
    return this.pages.size;
  }
}

/** Memory that holds so few pages, and objects beside them, that most of what is asked of it lies in the file. */
export function fewPages(pages = 3, objects = 2): PagedMemory {
  return new PagedMemory(new PagesInMemory(), pages * PAGE_BYTES, objects);
}

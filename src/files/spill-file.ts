import { closeSync, openSync, rmSync } from "node:fs";
import { PAGE_BYTES, type PageFile } from "../columns/paged-memory.ts";
import { PRIVATE_FILE } from "./durable-files.ts";
import { readFully, writeFully } from "./read-fully.ts";

/** Pages in a private file, created with the first page. */
export class PagesOnDisk implements PageFile {
  private descriptor: number | null = null;

  constructor(private readonly path: string) {}

  write(place: number, page: Uint8Array): void {
    this.descriptor ??= openSync(this.path, "w+", PRIVATE_FILE);
    writeFully(this.descriptor, page, place * PAGE_BYTES);
  }

  read(place: number, page: Uint8Array): void {
    readFully(this.descriptor!, page, place * PAGE_BYTES);
  }

  /** Closes the file. No page may be read after this. */
  close(): void {
    if (this.descriptor !== null) closeSync(this.descriptor);
    this.descriptor = null;
  }

  /** Closes and deletes the file. */
  remove(): void {
    if (this.descriptor === null) return;
    this.close();
    rmSync(this.path, { force: true });
  }
}

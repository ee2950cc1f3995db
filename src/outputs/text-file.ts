import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { Utf8Buffer } from "../columns/utf8-buffer.ts";
import { systemErrorCode } from "../errors.ts";
import { PRIVATE_DIRECTORY, PRIVATE_FILE } from "../files/durable-files.ts";
import { writeFully } from "../files/read-fully.ts";

/** Bytes collected before they are written: system calls cost nothing at this size. */
const FLUSH_BYTES = 1 << 18;
/** The same for a file that may be there already: more than a page has (`MAX_PAGE_BYTES`), so that it is not written. */
const COMPARED_BYTES = 1 << 21;

/**
 * A new UTF-8 file, written sequentially; creates its directory if needed. It is in the private directory of the run
 * until published.
 */
export class TextFile extends Utf8Buffer {
  private descriptor: number | null;
  private flushedBytes = 0;

  /**
   * @param isThere returns true if a published file has this content: then no file is created. Null to create one at
   * once.
   * @param spare buffers of closed files, for others: new ones of the size of a page make V8 collect all garbage
   */
  constructor(
    private readonly path: string,
    private readonly isThere: ((content: Uint8Array) => boolean) | null = null,
    private readonly spare: Buffer[] = [],
  ) {
    super(spare.pop());
    this.descriptor = isThere === null ? openNew(path) : null;
  }

  /** Bytes written so far. */
  get position(): number {
    return this.flushedBytes + this.length;
  }

  override reserve(count: number): void {
    if (this.length >= (this.isThere === null ? FLUSH_BYTES : COMPARED_BYTES)) this.flush();
    super.reserve(count);
  }

  close(): void {
    if (this.descriptor !== null || !this.isThere?.(this.view())) {
      this.flush();
      closeSync(this.descriptor!);
    }
    this.spare.push(this.bytes);
  }

  private flush(): void {
    const bytes = this.view();
    writeFully((this.descriptor ??= openNew(this.path)), bytes);
    this.flushedBytes += bytes.length;
    this.clear();
  }
}

/** Creates the directory only if opening fails, because directories of the vault hold thousands of pages. */
function openNew(path: string): number {
  try {
    return openSync(path, "wx", PRIVATE_FILE);
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT") throw error;
    mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_DIRECTORY });
    return openSync(path, "wx", PRIVATE_FILE);
  }
}

import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";

/** Text collected before it is written, in UTF-16 units: system calls cost nothing at this size, and no long string is ever built. */
const FLUSH_LENGTH = 1 << 20;

/** A new UTF-8 file that is written from front to back. It lies in the private directory of the run until it is published. */
export class TextFile {
  private readonly descriptor: number;
  private parts: string[] = [];
  private length = 0;

  constructor(path: string) {
    this.descriptor = openSync(path, "wx", 0o644);
  }

  write(text: string): void {
    this.parts.push(text);
    this.length += text.length;
    if (this.length >= FLUSH_LENGTH) this.flush();
  }

  close(): void {
    this.flush();
    closeSync(this.descriptor);
  }

  /** Closes a file that must survive a power cut. Pages of the wiki need not: thousands of them would wait for the disk one by one. */
  closeDurably(): void {
    this.flush();
    fsyncSync(this.descriptor);
    closeSync(this.descriptor);
  }

  private flush(): void {
    const bytes = Buffer.from(this.parts.join(""), "utf8");
    this.parts = [];
    this.length = 0;
    for (let written = 0; written < bytes.length; ) written += writeSync(this.descriptor, bytes, written);
  }
}

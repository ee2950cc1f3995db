import { closeSync, openSync } from "node:fs";
import type { PagedMemory } from "../../columns/paged-memory.ts";
import { PagedTextColumn } from "../../columns/paged-text-column.ts";
import { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import type { ResolvedContact } from "../../contacts/resolved-contact.ts";
import { readFully, writeFully } from "../../files/read-fully.ts";

/** Bytes buffered for writing and reading. */
const WINDOW_BYTES = 256 * 1024;
const LINE_END = 0x0a;

/**
 * All resolved contacts, in a private file of the run, one per line. They are read twice, in order, and their texts
 * would fill the heap from the resolution to the last row. Their names are read individually, from pages.
 */
export class StagedContacts {
  private readonly names: PagedTextColumn;
  private readonly emails: PagedTextColumn;

  /** @param path of a file that does not exist yet. */
  constructor(
    private readonly path: string,
    contacts: Iterable<ResolvedContact>,
    memory: PagedMemory,
  ) {
    this.names = new PagedTextColumn(memory);
    this.emails = new PagedTextColumn(memory);
    const descriptor = openSync(path, "wx", 0o600);
    try {
      const lines = new Utf8Buffer();
      for (const contact of contacts) {
        this.names.push(contact.name);
        this.emails.push(contact.email);
        lines.text(`${JSON.stringify(contact)}\n`);
        if (lines.length >= WINDOW_BYTES) write(descriptor, lines);
      }
      write(descriptor, lines);
    } finally {
      closeSync(descriptor);
    }
  }

  get length(): number {
    return this.names.length;
  }

  nameOf(index: number): string {
    return this.names.at(index);
  }

  /** "" for a contact known only by name. */
  emailOf(index: number): string {
    return this.emails.at(index);
  }

  *[Symbol.iterator](): Generator<ResolvedContact> {
    const descriptor = openSync(this.path, "r");
    try {
      for (const line of linesOf(descriptor)) yield JSON.parse(line) as ResolvedContact;
    } finally {
      closeSync(descriptor);
    }
  }
}

function write(descriptor: number, lines: Utf8Buffer): void {
  writeFully(descriptor, lines.view());
  lines.clear();
}

/** Reads lines of a file; a longer line enlarges the window. */
function* linesOf(descriptor: number): Generator<string> {
  let window = Buffer.allocUnsafeSlow(WINDOW_BYTES);
  let filled = 0;
  for (;;) {
    const read = readFully(descriptor, window.subarray(filled), null);
    filled += read;
    let start = 0;
    for (let end = window.indexOf(LINE_END); end >= 0 && end < filled; end = window.indexOf(LINE_END, start)) {
      yield window.toString("utf8", start, end);
      start = end + 1;
    }
    if (read === 0) return;
    window.copyWithin(0, start, filled);
    filled -= start;
    if (filled === window.length) window = Buffer.concat([window], window.length * 2);
  }
}

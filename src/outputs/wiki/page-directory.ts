import { join } from "node:path";
import type { EarlierOutput } from "../earlier-output.ts";
import { TextFile } from "../text-file.ts";

/** Output directory of pages. A page with the same content in the earlier output is not rewritten. */
export class PageDirectory {
  /** Buffers of closed pages; as many as pages are open at a time. */
  private readonly spare: Buffer[] = [];

  constructor(
    private readonly path: string,
    private readonly earlier: EarlierOutput | null,
  ) {}

  /** Begins a page. @param page path below the directory, without `.md` */
  begin(page: string): TextFile {
    const { earlier } = this;
    const name = `${page}.md`;
    const isThere = earlier === null ? null : (content: Uint8Array) => earlier.keep(name, content);
    return new TextFile(join(this.path, name), isThere, this.spare);
  }
}

import { join } from "node:path";
import type { EarlierOutput } from "../earlier-output.ts";
import { TextFile } from "../text-file.ts";

/** Output directory of pages. A page with the same content in the earlier output is not rewritten. */
export class PageDirectory {
  constructor(
    private readonly path: string,
    private readonly earlier: EarlierOutput | null,
  ) {}

  /** Begins a page. @param page path below the directory, without `.md` */
  begin(page: string): TextFile {
    const { earlier } = this;
    const name = `${page}.md`;
    return new TextFile(join(this.path, name), earlier === null ? null : (content) => earlier.keep(name, content));
  }
}

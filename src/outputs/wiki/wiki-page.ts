import { join } from "node:path";
import { TextFile } from "../text-file.ts";
import { type FrontMatterValue, frontMatter, inline } from "./markdown.ts";
import type { PageLinks } from "./page-links.ts";

/** A page that is written whole: title, front matter, body as finished markdown. */
interface WikiPage {
  /** Path below the vault without `.md`. */
  readonly path: string;
  readonly title: string;
  readonly facts: Readonly<Record<string, FrontMatterValue>>;
  readonly body: string;
}

/** @param links of the directory of the page */
export function writePage(directory: string, page: WikiPage, links: PageLinks): void {
  const file = new TextFile(join(directory, `${page.path}.md`));
  file.text(frontMatter({ title: page.title, ...page.facts }));
  file.text(`# ${inline(page.title) || "(none)"}\n\n${links.page("index", "Home", false)}\n\n${page.body}`);
  file.close();
}

import { type FrontMatterValue, frontMatter, inline } from "./markdown.ts";
import type { PageDirectory } from "./page-directory.ts";
import type { PageLinks } from "./page-links.ts";

/** A page written as a whole: title, front matter, body as finished Markdown. */
interface WikiPage {
  /** Path below the vault without `.md`. */
  readonly path: string;
  readonly title: string;
  readonly facts: Readonly<Record<string, FrontMatterValue>>;
  readonly body: string;
}

/** @param links of the directory of the page */
export function writePage(directory: PageDirectory, page: WikiPage, links: PageLinks): void {
  const file = directory.begin(page.path);
  file.text(frontMatter({ title: page.title, ...page.facts }));
  file.text(`# ${inline(page.title) || "(none)"}\n\n${links.page("index", "Home", false)}\n\n${page.body}`);
  file.close();
}

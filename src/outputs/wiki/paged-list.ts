import type { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import type { TextFile } from "../text-file.ts";
import { type FrontMatterValue, frontMatter, inline } from "./markdown.ts";
import type { PageDirectory } from "./page-directory.ts";
import type { PageLinks } from "./page-links.ts";
import type { PagePlan } from "./page-plan.ts";

/** A list that is split over pages: `all.md`, `all-0002.md`, … so that each stays readable at any size. */
export interface PagedListShape {
  /** Path of the first page below the vault, without `.md`. */
  readonly path: string;
  /** Plain text, escaped in headings. */
  readonly title: string;
  /** Front matter of every page other than the title and the position in the list. */
  readonly facts: Readonly<Record<string, FrontMatterValue>>;
  readonly plan: PagePlan;
  /** Markdown under the title of every page, such as the head of a table. */
  readonly head: string;
}

/** Writes a paged list entry by entry. */
export class PagedList {
  private file: TextFile;
  private page = 0;
  private entries = 0;

  /** @param links of the directory of the list */
  constructor(
    private readonly directory: PageDirectory,
    private readonly shape: PagedListShape,
    private readonly links: PageLinks,
  ) {
    this.file = this.turn();
  }

  /** Adds one entry as finished markdown. */
  add(markdown: string): void {
    this.nextEntry().text(markdown);
  }

  /** Buffer for the next entry, as finished Markdown; write it before the next call. */
  nextEntry(): Utf8Buffer {
    if (this.entries === this.shape.plan.pages[this.page - 1]) {
      this.close();
      this.file = this.turn();
    }
    this.entries++;
    return this.file;
  }

  close(): void {
    this.file.text(this.footer());
    this.file.close();
  }

  private get pages(): number {
    return this.shape.plan.pages.length;
  }

  private turn(): TextFile {
    this.page++;
    this.entries = 0;
    const { title, facts, plan, head, path } = this.shape;
    const file = this.directory.begin(pagePath(path, this.page));
    file.text(frontMatter({ title, ...facts, page: this.page, pages: this.pages, entries: plan.total }));
    file.text(`# ${inline(title) || "(none)"}\n\n${this.navigation()}${head}`);
    return file;
  }

  private navigation(): string {
    return `${this.links.page("index", "Home", false)}${this.neighbors()}\n\n`;
  }

  private footer(): string {
    return this.pages > 1 ? `\n${this.navigation()}` : "";
  }

  private neighbors(): string {
    const linkTo = (page: number, text: string): string =>
      ` · ${this.links.page(pagePath(this.shape.path, page), text, false)}`;
    const previous = this.page > 1 ? linkTo(this.page - 1, "Previous page") : "";
    const next = this.page < this.pages ? linkTo(this.page + 1, "Next page") : "";
    return this.pages > 1 ? ` · page ${this.page} of ${this.pages}${previous}${next}` : "";
  }
}

/** `emails/all`, `emails/all-0002`, … */
function pagePath(path: string, page: number): string {
  return page === 1 ? path : `${path}-${String(page).padStart(4, "0")}`;
}

/** Addresses of parts in HTML (RFC 2392), up to a quote, blank or bracket. */
const PART_ADDRESS = /\bcid:([^\s"'<>()]{1,500})/gi;

/** Finds which attachments the HTML of a message shows. */
export class ShownParts {
  private readonly html: string;
  private ids: ReadonlySet<string> | null = null;

  constructor(html: string | null) {
    this.html = html ?? "";
  }

  /** True for a Content-ID in the HTML, in any case, and percent-encoded or not. */
  hasId(contentId: string): boolean {
    if (this.html.includes(`cid:${contentId}`)) return true;
    this.ids ??= new Set([...this.html.matchAll(PART_ADDRESS)].map(([, id]) => decoded(id!).toLowerCase()));
    return this.ids.has(contentId.toLowerCase());
  }

  /** True for the whole address of a picture, as in web pages that were mailed (RFC 2557). */
  hasLocation(location: string): boolean {
    return this.html.includes(`"${location}"`) || this.html.includes(`'${location}'`);
  }
}

/** Percent-encoded text of an address; other text is returned unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What the page shows, as its address says: every view is a link, so back, reload and bookmarks work. */
export type View =
  | { readonly kind: "overview" }
  | { readonly kind: "search"; readonly query: string; readonly limit: number }
  | { readonly kind: "messages"; readonly parameters: URLSearchParams }
  | { readonly kind: "message"; readonly id: string };

/** Largest page of the query API. */
const MAX_LIMIT = 1000;

/** Reads `#/search?q=…`, `#/messages?from=…` and `#/message/msg-000001`; anything else is the overview. */
export function viewOf(hash: string, pageSize: number): View {
  const [path = "", query = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  if (path === "/search") {
    const text = parameters.get("q")?.trim() ?? "";
    const limit = Math.min(MAX_LIMIT, Math.max(pageSize, Number(parameters.get("limit")) || 0));
    return text === "" ? { kind: "overview" } : { kind: "search", query: text, limit };
  }
  if (path === "/messages") return { kind: "messages", parameters };
  if (path.startsWith("/message/")) return { kind: "message", id: path.slice("/message/".length) };
  return { kind: "overview" };
}

export function searchAddress(query: string, limit?: number): string {
  const parameters = new URLSearchParams(limit === undefined ? { q: query } : { q: query, limit: String(limit) });
  return `#/search?${parameters}`;
}

export function messagesAddress(parameters: URLSearchParams, offset: number): string {
  const next = new URLSearchParams(parameters);
  next.set("offset", String(offset));
  return `#/messages?${next}`;
}

export function messageAddress(id: string): string {
  return `#/message/${encodeURIComponent(id)}`;
}

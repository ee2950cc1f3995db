/**
 * Base path of the page, such as `/mail`; empty for the root, and on the server. All URLs of the page begin with it.
 */
export const BASE_PATH = (globalThis as PageGlobals).document?.documentElement?.dataset["base"] ?? "";

/** Used browser globals, which the server's types lack. */
interface PageGlobals {
  readonly document?: {
    readonly documentElement?: { readonly dataset: Readonly<Record<string, string | undefined>> };
  };
}

interface ViewRow {
  readonly view: string;
  /** `{archive}` is the id of an upload in the service, and `local` if a single archive is served. */
  readonly path: string;
  readonly title: string;
  /** Label in the rail; absent for views outside it. */
  readonly rail?: string;
  /** The view in the rail that it belongs to. */
  readonly parent?: string;
}

/**
 * The views of the application, those in the rail in its order. Navigation, titles, commands and the paths of the
 * server are derived from this table.
 */
export const VIEW_ROWS = [
  { view: "archives", path: "/", title: "Archives" },
  { view: "opening", path: "/opening", title: "Opening" },
  { view: "overview", path: "/a/{archive}/", title: "Overview", rail: "Overview" },
  { view: "search", path: "/a/{archive}/search", title: "Search", rail: "Search" },
  { view: "thread", path: "/a/{archive}/thread/{id}", title: "Conversation", parent: "search" },
  { view: "message", path: "/a/{archive}/message/{id}", title: "Message", parent: "search" },
  { view: "permalink", path: "/a/{archive}/id/{id}", title: "Message", parent: "search" },
  { view: "people", path: "/a/{archive}/people", title: "People", rail: "People" },
  { view: "person", path: "/a/{archive}/people/{id}", title: "Person", parent: "people" },
  { view: "between", path: "/a/{archive}/between/{id}/{other}", title: "Mail of two", parent: "people" },
  { view: "topics", path: "/a/{archive}/topics", title: "Topics", rail: "Topics" },
  { view: "topic", path: "/a/{archive}/topics/{id}", title: "Topic", parent: "topics" },
  { view: "mentions", path: "/a/{archive}/mentions", title: "Mentions" },
  { view: "calendar", path: "/a/{archive}/calendar", title: "Calendar", rail: "Calendar" },
  { view: "files", path: "/a/{archive}/files", title: "Files", rail: "Files" },
  { view: "mailboxes", path: "/a/{archive}/mailboxes", title: "Mailboxes", rail: "Mailboxes" },
  { view: "items", path: "/a/{archive}/items", title: "Outlook items", rail: "Items" },
  { view: "graph", path: "/a/{archive}/graph", title: "Graph", rail: "Graph" },
  { view: "hits", path: "/a/{archive}/hits", title: "Hit report", rail: "Hits" },
  { view: "notebook", path: "/a/{archive}/notebook", title: "Notebook", rail: "Notebook" },
  { view: "about", path: "/a/{archive}/about", title: "About", rail: "About" },
  { view: "warnings", path: "/a/{archive}/about/warnings", title: "Warnings", parent: "about" },
  { view: "help", path: "/a/{archive}/help", title: "Help" },
] as const satisfies readonly ViewRow[];

export type ViewName = (typeof VIEW_ROWS)[number]["view"];

/** Id of the only archive of `serve`. */
export const LOCAL_ARCHIVE = "local";

/** Parsed route: view, path parts, parameters, and fragment. */
export interface Place {
  readonly view: ViewName;
  /** "" for the list of archives. */
  readonly archive: string;
  readonly id: string;
  /** The second id of an address that has two. */
  readonly other: string;
  readonly parameters: URLSearchParams;
  /** Without `#`. */
  readonly anchor: string;
}

/** Values of the placeholders of a path. */
export interface PathNames {
  readonly archive?: string;
  readonly id?: string;
  readonly other?: string;
}

const PATTERNS = VIEW_ROWS.map(({ view, path }) => ({
  view,
  pattern: new RegExp(`^${path.replace(/\/$/, "").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}/?$`),
}));

/** View of a path, or null. @param path percent-encoded */
export function viewOfPath(path: string): { readonly view: ViewName; readonly names: PathNames } | null {
  for (const { view, pattern } of PATTERNS) {
    const match = pattern.exec(path);
    if (match === null) continue;
    const names = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decoded(value)] as const);
    return names.some(([, value]) => value === null) ? null : { view, names: Object.fromEntries(names) as PathNames };
  }
  return null;
}

/** The route of a URL on this site, or null. */
export function placeOf(url: URL): Place | null {
  const found = url.pathname.startsWith(`${BASE_PATH}/`) ? viewOfPath(url.pathname.slice(BASE_PATH.length)) : null;
  if (found === null) return null;
  const { archive = "", id = "", other = "" } = found.names;
  const anchor = decoded(url.hash.slice(1)) ?? "";
  return { view: found.view, archive, id, other, parameters: url.searchParams, anchor };
}

/** URL parameters without empty or null ones. */
export type Parameters = Readonly<Record<string, string | number | null | undefined>>;

/** The URL of a view. */
export function addressOf(view: ViewName, names: PathNames, parameters: Parameters = {}, anchor = ""): string {
  const { path } = VIEW_ROWS.find((address) => address.view === view)!;
  const values = names as Readonly<Record<string, string | undefined>>;
  const written = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  return BASE_PATH + written + formatParameters(parameters) + (anchor === "" ? "" : `#${encodeURIComponent(anchor)}`);
}

/** `?a=b&c=d`, or nothing. Colons, slashes and commas stay readable: nothing ends a parameter but `&` and `#`. */
export function formatParameters(parameters: Parameters): string {
  const written = Object.entries(parameters)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replace(/%20/g, "+").replace(/%3A/g, ":")}`);
  return written.length === 0 ? "" : `?${written.join("&")}`;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Data requested to show a message: its source is not checked before its details are opened. */
export function messagePath(id: string): string {
  return `/messages/${encodeURIComponent(id)}?availability=left_out`;
}

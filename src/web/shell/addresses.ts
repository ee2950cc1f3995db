import { operatorClause } from "./query-text.ts";

/**
 * The path that the page is published under, such as `/mail`; empty for the root of its host, and in the server. Every
 * address that the page uses begins with it.
 */
export const BASE_PATH = (globalThis as PageGlobals).document?.documentElement?.dataset["base"] ?? "";

/** What of a page is looked at: the server has no types of a browser. */
interface PageGlobals {
  readonly document?: {
    readonly documentElement?: { readonly dataset: Readonly<Record<string, string | undefined>> };
  };
}

/**
 * The addresses of the application: what is on the screen is in them. `{archive}` is the id of an upload in the
 * service, and `local` where one archive is served. The server reads this table too, so that it knows which paths are
 * views.
 */
const ADDRESSES = [
  { view: "archives", path: "/" },
  { view: "opening", path: "/opening" },
  { view: "overview", path: "/a/{archive}/" },
  { view: "search", path: "/a/{archive}/search" },
  { view: "thread", path: "/a/{archive}/thread/{id}" },
  { view: "message", path: "/a/{archive}/message/{id}" },
  { view: "permalink", path: "/a/{archive}/id/{id}" },
  { view: "people", path: "/a/{archive}/people" },
  { view: "person", path: "/a/{archive}/people/{id}" },
  { view: "between", path: "/a/{archive}/between/{id}/{other}" },
  { view: "topics", path: "/a/{archive}/topics" },
  { view: "topic", path: "/a/{archive}/topics/{id}" },
  { view: "calendar", path: "/a/{archive}/calendar" },
  { view: "items", path: "/a/{archive}/items" },
  { view: "files", path: "/a/{archive}/files" },
  { view: "mailboxes", path: "/a/{archive}/mailboxes" },
  { view: "graph", path: "/a/{archive}/graph" },
  { view: "hits", path: "/a/{archive}/hits" },
  { view: "notebook", path: "/a/{archive}/notebook" },
  { view: "about", path: "/a/{archive}/about" },
  { view: "warnings", path: "/a/{archive}/about/warnings" },
  { view: "help", path: "/a/{archive}/help" },
] as const;

export type ViewName = (typeof ADDRESSES)[number]["view"];

/** The id that stands for the one archive that `serve` has. */
export const LOCAL_ARCHIVE = "local";

/** What an address names: a view, the parts of its path, its parameters, and a place in the view. */
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

/** Values of the braces of a path. */
export interface PathNames {
  readonly archive?: string;
  readonly id?: string;
  readonly other?: string;
}

const PATTERNS = ADDRESSES.map(({ view, path }) => ({
  view,
  pattern: new RegExp(`^${path.replace(/\/$/, "").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}/?$`),
}));

/**
 * What the path of an address names; null for one that is no view.
 * @param path as it stands in an address, percent-encoded
 */
export function viewOfPath(path: string): { readonly view: ViewName; readonly names: PathNames } | null {
  for (const { view, pattern } of PATTERNS) {
    const match = pattern.exec(path);
    if (match === null) continue;
    const names = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decoded(value)] as const);
    return names.some(([, value]) => value === null) ? null : { view, names: Object.fromEntries(names) as PathNames };
  }
  return null;
}

/** What an address of this site names; null for one that is no view. */
export function placeOf(url: URL): Place | null {
  const found = url.pathname.startsWith(`${BASE_PATH}/`) ? viewOfPath(url.pathname.slice(BASE_PATH.length)) : null;
  if (found === null) return null;
  const { archive = "", id = "", other = "" } = found.names;
  const anchor = decoded(url.hash.slice(1)) ?? "";
  return { view: found.view, archive, id, other, parameters: url.searchParams, anchor };
}

/** Parameters of an address: those that are empty or null are left out. */
export type Parameters = Readonly<Record<string, string | number | null | undefined>>;

/** The address of a view. */
export function addressOf(view: ViewName, names: PathNames, parameters: Parameters = {}, anchor = ""): string {
  const { path } = ADDRESSES.find((address) => address.view === view)!;
  const values = names as Readonly<Record<string, string | undefined>>;
  const written = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  return BASE_PATH + written + writtenParameters(parameters) + (anchor === "" ? "" : `#${encodeURIComponent(anchor)}`);
}

/** `?a=b&c=d`, or nothing. Colons, slashes and commas stay readable: nothing ends a parameter but `&` and `#`. */
export function writtenParameters(parameters: Parameters): string {
  const written = Object.entries(parameters)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replace(/%20/g, "+").replace(/%3A/g, ":")}`);
  return written.length === 0 ? "" : `?${written.join("&")}`;
}

/** The address that takes the place of one of version 0.6.0, by its part after `#`; null for any other. */
export function addressOfEarlier(hash: string): string | null {
  const match = /^#\/(search|messages|message)\b(?:\/([^?]*))?(?:\?(.*))?$/.exec(hash);
  if (match === null) return null;
  const [, kind, id = "", text = ""] = match;
  const parameters = new URLSearchParams(text);
  if (kind === "message") return addressOf("message", { archive: LOCAL_ARCHIVE, id: decoded(id) ?? "" });
  const clauses = [
    parameters.get("q"),
    ...(["from", "topic_id"] as const).map((name) => {
      const value = parameters.get(name) ?? "";
      return value === "" ? "" : operatorClause(name === "from" ? "from" : "topic", value);
    }),
  ].filter((clause) => clause !== null && clause !== "");
  const sort = kind === "messages" ? "newest" : null;
  return addressOf("search", { archive: LOCAL_ARCHIVE }, { q: clauses.join(" "), sort });
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** What is asked of a message to show it: nobody waits for its source to be looked at until its details are opened. */
export function messagePath(id: string): string {
  return `/messages/${encodeURIComponent(id)}?availability=left_out`;
}

import type { Logger, LoggerOptions } from "pino";
import { ArchiveError } from "../../errors.ts";
import type { Archive } from "../../mail/archive.ts";
import { FACETS } from "../../mail/exploration.ts";
import { printableJson } from "../../text/tokens/printable.ts";
import type { Session } from "../terminal/session.ts";

/** Options of a command that starts a server. */
export interface ServerFlags {
  readonly port: string;
  readonly host: string;
}

/** Options of a server that a proxy can publish. */
export interface ProxyFlags {
  readonly basePath?: string;
  readonly allowHost?: readonly string[];
}

export const BASE_PATH_DESCRIPTION = "path prefix used by a reverse proxy, such as /mail/";

/** `/mail` of `--base-path /mail/`; empty for the root. Throws INVALID_ARGUMENT. */
export function basePathOf({ basePath = "/" }: ProxyFlags): string {
  const parts = basePath.replace(/\/$/, "").split("/").slice(1);
  const isPath = basePath.startsWith("/") && parts.every((part) => /^[\w.~-]+$/.test(part) && !/^\.{1,2}$/.test(part));
  if (isPath) return parts.map((part) => `/${part}`).join("");
  throw new ArchiveError("INVALID_ARGUMENT", `--base-path must be a path such as /mail/, not "${basePath}"`);
}

/** Names of `--allow-host` as browsers send them in Host, without port. Throws INVALID_ARGUMENT. */
export function allowedHosts({ allowHost = [] }: ProxyFlags): readonly string[] {
  return allowHost.map(webHost);
}

function webHost(text: string): string {
  const url = `http://${text}/`;
  if (URL.canParse(url) && new URL(url).host === text.toLowerCase() && new URL(url).port === "")
    return text.toLowerCase();
  throw new ArchiveError("INVALID_ARGUMENT", `--allow-host must be host names such as mail.example, not "${text}"`);
}

const MAX_PORT = 65_535;
/** pino's level for each of ours, which `-v` and `-q` choose. */
const LEVELS = { debug: "debug", info: "info", warning: "warn" } as const;

/** Parses `--port`; 0 lets the system choose. Throws INVALID_ARGUMENT. */
export function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > MAX_PORT)
    throw new ArchiveError("INVALID_ARGUMENT", `--port must be a number from 0 to ${MAX_PORT}, not "${text}"`);
  return port;
}

/**
 * The log of a server: JSON lines on stderr, written synchronously, so that none is lost when the process ends.
 * Includes requests with `--verbose`. @param serializers formatters of fields by name; errors are logged completely
 * without one
 */
export async function serverLog(session: Session, serializers: LoggerOptions["serializers"] = {}): Promise<Logger> {
  // Uses the default export: other exports of a CommonJS module have no name after bundling.
  const { default: pino } = await import("pino");
  const stderr = pino.destination({ dest: 2, sync: true });
  // Paths of requests and messages of errors may contain control sequences, and logs are read on terminals too.
  const destination = { write: (line: string): void => void stderr.write(printableJson(line)) };
  return pino({ level: LEVELS[session.log.level], base: null, serializers }, destination);
}

/** Opens the search index before the first query. Errors are ignored, since that query reports them. */
export function warmSearch(archive: Archive): void {
  archive.search.search("a", 1).catch(() => undefined);
}

/** Like `warmSearch`, then reads the facet columns for the page. */
export function warmPage(archive: Archive): void {
  const facets = (): Promise<unknown> => archive.explore.facets({ query: "", match: "all", of: FACETS, limit: 1 });
  archive.search
    .search("a", 1)
    .then(facets)
    .catch(() => undefined);
}

/** `environment` of /health: ARCHIVETOOL_ENV, else NODE_ENV, else `development`. */
export function environmentName(): string {
  return process.env["ARCHIVETOOL_ENV"] || process.env["NODE_ENV"] || "development";
}

import { ArchiveError } from "../errors.ts";
import { formatOfName } from "../mail/records/source-formats.ts";
import { lastNameAt } from "../mail/records/source-names.ts";

/** A custodian name for a source. */
export interface CustodianName {
  /** The path of the source, the last name of it, or its number in the archive. */
  readonly source: string;
  readonly name: string;
}

/**
 * Custodian of each source by number. A source without a given name has its file name, never its path; equal file
 * names are numbered. Sources with the same given name share a custodian. Throws INVALID_ARGUMENT for a name that
 * matches no source, or several.
 */
export function custodianNames(paths: readonly string[], given: readonly CustodianName[]): readonly string[] {
  const names = new Map(given.map(({ source, name }) => [sourceNumber(paths, source), name]));
  const taken = new Set(names.values());
  return paths.map((path, source) => {
    const own = names.get(source);
    if (own !== undefined) return own;
    const bare = path.slice(lastNameAt(path)).replace(/[/\\]$/, "");
    // The extension of a mail file is not part of a person's name.
    const name =
      (formatOfName(bare) === null ? "" : bare.slice(0, bare.lastIndexOf("."))) || bare || `source ${source}`;
    const free = freeName(name, taken);
    taken.add(free);
    return free;
  });
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let count = 2; ; count++) if (!taken.has(`${name} (${count})`)) return `${name} (${count})`;
}

function sourceNumber(paths: readonly string[], source: string): number {
  const found =
    numberOf(paths, (path) => path === source) ??
    numberOf(paths, (path) => path.slice(lastNameAt(path)).replace(/[/\\]$/, "") === source) ??
    (/^\d{1,9}$/.test(source) && Number(source) < paths.length ? Number(source) : null);
  if (found !== null) return found;
  throw new ArchiveError("INVALID_ARGUMENT", `${source} is not a unique source of this archive`, {
    hint: "use the path, file name or number of the source, as listed by archivetool stats",
  });
}

/** The only source that passes a test; null for none and for several. */
function numberOf(paths: readonly string[], test: (path: string) => boolean): number | null {
  const at = paths.findIndex(test);
  return at >= 0 && paths.findLastIndex(test) === at ? at : null;
}

/** Parses `SOURCE=NAME` at the last `=`, as paths may contain one. Throws INVALID_ARGUMENT. */
export function parseCustodian(text: string): CustodianName {
  const at = text.lastIndexOf("=");
  const [source, name] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at > 0 && source !== "" && name !== "") return { source, name };
  throw new ArchiveError("INVALID_ARGUMENT", `--custodian must be SOURCE=NAME, not "${text}"`);
}

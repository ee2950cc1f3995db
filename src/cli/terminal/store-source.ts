import { isServerUrl } from "../../store/contract/archive-location.ts";

/** Help of the `<source>` argument. */
export const SOURCE_ARGUMENT =
  "output directory, its archive.db, an extraction.json, or a collection: postgres://host/database#name";

const STORE = "--store";
const COLLECTION = "--collection";
/** Commands that use these flags for output. */
const OF_THEIR_OWN: ReadonlySet<string | undefined> = new Set(["extract", "service"]);

/**
 * Replaces `--store URL --collection NAME` by a `<source>` argument: `search --store URL --collection mail harbour`
 * becomes `search URL#mail harbour`. A collection applies to every URL of the line that names none.
 */
export function withStoreAsSource(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  const flags = end === -1 ? args : args.slice(0, end);
  if (OF_THEIR_OWN.has(flags.find((arg) => !arg.startsWith("-")))) return args;
  const [store, behindStore] = taken(flags, STORE);
  const [collection, rest] = taken(behindStore, COLLECTION);
  if (store === null && collection === null) return args;
  const at = rest.findIndex((arg) => !arg.startsWith("-")) + 1;
  const words = store === null ? rest : [...rest.slice(0, at), store, ...rest.slice(at)];
  const named = words.map((word) =>
    collection !== null && isServerUrl(word) && !word.includes("#")
      ? `${word}#${encodeURIComponent(collection)}`
      : word,
  );
  return [...named, ...(end === -1 ? [] : args.slice(end))];
}

/** The value of a flag, and the words without it. */
function taken(args: readonly string[], flag: string): readonly [string | null, readonly string[]] {
  const at = args.findIndex((arg) => arg === flag || arg.startsWith(`${flag}=`));
  if (at === -1) return [null, args];
  if (args[at] !== flag) return [args[at]!.slice(flag.length + 1), args.toSpliced(at, 1)];
  return at + 1 < args.length ? [args[at + 1]!, args.toSpliced(at, 2)] : [null, args];
}

import { readFileSync, statSync } from "node:fs";
import { ArchiveError, systemErrorCode } from "../../errors.ts";
import { encodePath } from "../../files/path-text.ts";
import { MAX_PHRASE_WORDS, wordsOf } from "../../redaction/words.ts";

/** Maximum bytes of a list: a few hundred thousand words, which every worker thread keeps in memory. */
const MAX_LIST_BYTES = 2 ** 21;

/** Returns why a word or phrase cannot be redacted; null if it can. */
export function phraseFault(phrase: string): string | null {
  const count = wordsOf(phrase).length;
  if (count === 0) return "has no letters or digits";
  return count > MAX_PHRASE_WORDS ? `has more than ${MAX_PHRASE_WORDS} words` : null;
}

/**
 * The words and phrases of a list, one per line, without blank lines and lines that begin with `#`. Throws
 * SOURCE_NOT_FOUND, SOURCE_UNREADABLE, INVALID_ARGUMENT.
 */
export function readWordList(path: string): readonly string[] {
  const lines = textOf(path).split(/\r?\n/);
  const phrases = lines.flatMap((line, index) => {
    const phrase = line.trim();
    if (phrase === "" || phrase.startsWith("#")) return [];
    const why = phraseFault(phrase);
    if (why === null) return [phrase];
    throw new ArchiveError("INVALID_ARGUMENT", `line ${index + 1} of ${path} ${why}`);
  });
  if (phrases.length > 0) return phrases;
  throw new ArchiveError("INVALID_ARGUMENT", `${path} lists no words`, { hint: "write one word or phrase per line" });
}

function textOf(path: string): string {
  try {
    const file = encodePath(path);
    if (statSync(file).size > MAX_LIST_BYTES)
      throw new ArchiveError("INVALID_ARGUMENT", `${path} is larger than ${MAX_LIST_BYTES} bytes`);
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    if (cause instanceof ArchiveError) throw cause;
    if (systemErrorCode(cause) === "ENOENT")
      throw new ArchiveError("SOURCE_NOT_FOUND", `${path} does not exist`, { cause });
    if (cause instanceof TypeError && systemErrorCode(cause) === "ERR_ENCODING_INVALID_ENCODED_DATA")
      throw new ArchiveError("INVALID_ARGUMENT", `${path} is not UTF-8 text`, { cause });
    throw new ArchiveError("SOURCE_UNREADABLE", `cannot read ${path}`, { cause });
  }
}

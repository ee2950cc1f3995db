import { closeSync, constants, openSync } from "node:fs";
import { systemErrorCode } from "../../errors.ts";
import { encodePath } from "../../files/path-text.ts";
import { readFully } from "../../files/read-fully.ts";
import { flagOfKeyword } from "../../mime/syntax/labels.ts";
import { maildirInfo } from "../reading/mailbox-flags.ts";

const KEYWORDS_FILE = "dovecot-keywords";
/** Maximum bytes read of it: 26 names. */
const MAX_FILE_BYTES = 64 * 1024;
/** Letters that Dovecot assigns to keywords, from `a`. */
const LETTER = /[a-z]/g;
/** The path may be a link or a FIFO. Windows has neither flag. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const FIRST_LETTER = "a".charCodeAt(0);

/**
 * Keywords of the messages of a Maildir, as the letters after `:2,` in their file names. Its file `dovecot-keywords`
 * has a line with number and name for each, 0 for `a`
 * (https://doc.dovecot.org/main/core/config/mailbox/formats/maildir.html). It is read when a name has such a letter.
 */
export class MaildirKeywords {
  private flags: ReadonlyMap<number, string> | null = null;

  /** @param directory the Maildir, above `cur` and `new` */
  constructor(private readonly directory: string) {}

  /** Flags by the keywords of one message. */
  of(fileName: string): readonly string[] {
    const letters = maildirInfo(fileName).match(LETTER);
    if (letters === null) return [];
    this.flags ??= flagsByNumber(readKeywordsFile(`${this.directory}${KEYWORDS_FILE}`));
    const flags = letters.map((letter) => this.flags!.get(letter.charCodeAt(0) - FIRST_LETTER));
    return flags.filter((flag) => flag !== undefined);
  }
}

function flagsByNumber(file: string): ReadonlyMap<number, string> {
  const flags = new Map<number, string>();
  for (const line of file.split("\n")) {
    const [, number, name] = /^(\d{1,2}) (\S.{0,1000})$/.exec(line.trimEnd()) ?? [];
    const flag = name === undefined ? null : flagOfKeyword(name);
    if (flag !== null) flags.set(Number(number), flag);
  }
  return flags;
}

/** Returns "" if the file is not readable. */
function readKeywordsFile(path: string): string {
  try {
    const descriptor = openSync(encodePath(path), OPEN_FLAGS);
    try {
      const bytes = Buffer.alloc(MAX_FILE_BYTES);
      return bytes.toString("utf8", 0, readFully(descriptor, bytes, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return "";
  }
}

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isUnicodeCharset } from "../../charset/decode-charset.ts";
import { ArchiveError } from "../../errors.ts";
import { DEFAULT_PII_TYPES, PII_TYPES, type PiiType } from "../../mail/records/provenance.ts";

/** Flags of every command that extracts mail. */

/**
 * Resolves the path of a source, independent of later working directories. Throws SOURCE_NOT_FOUND for an empty path,
 * which would be the working directory.
 */
export function sourcePath(path: string): string {
  if (path === "") throw new ArchiveError("SOURCE_NOT_FOUND", "empty source name");
  return resolve(path);
}

/** The name of a charset of 8-bit text. Throws INVALID_ARGUMENT for another word. */
export function parseCharset(name: string): string {
  if (isUnicodeCharset(name))
    throw new ArchiveError(
      "INVALID_ARGUMENT",
      `--charset must be an 8-bit charset such as windows-1250, not "${name}"`,
    );
  return name.trim().toLowerCase();
}

/** Help of `--redact`. */
export const REDACT_WORDS_DESCRIPTION = "redact the words and phrases in a file, one per line";
export const REDACT_DESCRIPTION = `redact personal data; types: ${PII_TYPES.join(", ")} (default: ${DEFAULT_PII_TYPES.join(", ")})`;

/** The types of `--redact` in table order; the default types if none is named. Throws INVALID_ARGUMENT. */
export function piiTypes(flag: true | readonly string[] | undefined): readonly PiiType[] {
  if (flag === undefined) return [];
  if (flag === true) return DEFAULT_PII_TYPES;
  const words = flag.flatMap((value) => value.split(",")).filter((word) => word !== "");
  for (const word of words) {
    if ((PII_TYPES as readonly string[]).includes(word)) continue;
    const hint = existsSync(word)
      ? `"${word}" is a path: put files first, or end the list of types with --, as in: archivetool extract mail.mbox --redact email phone`
      : `types: ${PII_TYPES.join(", ")}`;
    throw new ArchiveError(
      "INVALID_ARGUMENT",
      `--redact does not support type "${word}"; supported types: ${PII_TYPES.join(", ")}`,
      { hint },
    );
  }
  return words.length === 0 ? DEFAULT_PII_TYPES : PII_TYPES.filter((type) => words.includes(type));
}

/** Environment variable for PST passwords, which keeps them out of the process list. */
export const PASSWORD_VARIABLE = "ARCHIVETOOL_PASSWORD";

/** Flags that name the password of protected files. */
export interface PasswordFlags {
  readonly password?: string;
  readonly passwordFile?: string;
}

/**
 * The password of `--password`, which other users can see, else the first line of `--password-file`, else the
 * environment variable, which is removed so that child processes do not inherit it. Throws INVALID_ARGUMENT.
 */
export function passwordFromFlags(
  { password, passwordFile }: PasswordFlags,
  log: { warning(line: string): void },
): string | null {
  const inherited = process.env[PASSWORD_VARIABLE];
  delete process.env[PASSWORD_VARIABLE];
  if (password !== undefined && passwordFile !== undefined)
    throw new ArchiveError("INVALID_ARGUMENT", "--password and --password-file cannot be combined");
  if (password !== undefined) {
    log.warning(`other users of this machine can see --password: use --password-file FILE or set ${PASSWORD_VARIABLE}`);
    return password;
  }
  return passwordFile === undefined ? (inherited ?? null) : firstLineOf(passwordFile);
}

function firstLineOf(path: string): string {
  try {
    return readFileSync(path, "utf8").split("\n")[0]!.replace(/\r$/, "");
  } catch (cause) {
    throw new ArchiveError("INVALID_ARGUMENT", `cannot read --password-file ${path}`, {
      cause,
      hint: "check the path and permissions",
    });
  }
}

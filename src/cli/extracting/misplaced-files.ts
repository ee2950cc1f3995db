import { existsSync } from "node:fs";
import type { Command } from "commander";
import { ArchiveError } from "../../errors.ts";
import { PII_TYPES } from "../../mail/records/provenance.ts";
import { shellWord } from "../../text/tokens/shell-word.ts";

/**
 * Explains why `extract` got no files although some were typed: `extract --redact mail.mbox` makes the file a type of
 * `--redact`, which takes every word after it. Returns null if no word after it is a path.
 */
export function misplacedFiles(program: Command): ArchiveError | null {
  const redact: unknown = program.commands.find((sub) => sub.name() === "extract")?.opts()["redact"];
  const words: readonly unknown[] = Array.isArray(redact) ? redact : [];
  const path = words.find((word): word is string => typeof word === "string" && !isType(word) && existsSync(word));
  if (path === undefined) return null;
  const word = shellWord(path, process.platform);
  return new ArchiveError("INVALID_ARGUMENT", `--redact reads "${path}" as a type of personal data: put files first`, {
    hint: `as in: archivetool extract ${word} --redact, or end the list of types with --: archivetool extract --redact -- ${word}`,
  });
}

function isType(word: string): boolean {
  return (PII_TYPES as readonly string[]).includes(word);
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ArchiveError } from "../../errors.ts";
import { encodePath } from "../../files/path-text.ts";

/** The parts of provenance.json that are read: sources and options of the runs. */
interface EarlierRuns {
  readonly options: {
    readonly max_messages: number | null;
    readonly redact: readonly string[];
    readonly merge_contacts: boolean;
    readonly extract_attachments: boolean;
    readonly keep_copies?: boolean;
    readonly attachment_text?: boolean;
    readonly mentions?: boolean;
  };
  readonly runs: readonly { readonly sources: readonly string[] }[];
}

/**
 * Returns the arguments of the `extract` that rebuilds an output: all sources of all its runs, the options of its
 * provenance, and the outputs that it has. Throws NOT_AN_ARCHIVE without a provenance.json, and SOURCE_NOT_FOUND if a
 * source is missing.
 */
export function repairArguments(directory: string): readonly string[] {
  const { options, runs } = earlierRuns(join(directory, "provenance.json"));
  const sources = [...new Set(runs.flatMap((run) => run.sources))];
  const missing = sources.find((source) => !existsSync(encodePath(source)));
  if (missing !== undefined || sources.length === 0) {
    throw new ArchiveError(
      "SOURCE_NOT_FOUND",
      `${directory} cannot be extracted again: ${missing ?? "its source"} does not exist`,
      {
        hint: "restore the sources to their original location, or restore the directory from a backup",
      },
    );
  }
  if (options.redact.includes("word"))
    throw new ArchiveError(
      "INVALID_ARGUMENT",
      `${directory} was redacted with --redact-words, and does not store the list`,
      { hint: "run archivetool extract again with the same options and the list" },
    );
  const has = (name: string): boolean => existsSync(join(directory, name));
  return [
    "extract",
    ...["--output", directory],
    ...(has("extraction.json") ? ["--json"] : []),
    ...(has("emails.csv") ? ["--csv"] : []),
    ...(has("wiki") ? [] : ["--no-wiki"]),
    ...(options.extract_attachments ? ["--extract-attachments"] : []),
    ...(options.attachment_text === true ? ["--attachment-text"] : []),
    ...(options.mentions === true ? ["--mentions"] : []),
    ...(options.merge_contacts ? [] : ["--no-merge-contacts"]),
    ...(options.keep_copies === true ? ["--keep-copies"] : []),
    ...(options.max_messages === null ? [] : ["--max-messages", String(options.max_messages)]),
    ...(options.redact.length === 0 ? [] : ["--redact", options.redact.join(",")]),
    "--",
    ...sources,
  ];
}

function earlierRuns(path: string): EarlierRuns {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as EarlierRuns;
  } catch (cause) {
    throw new ArchiveError("NOT_AN_ARCHIVE", `${path} does not list the sources of the archive`, {
      cause,
      hint: "extract the sources again into the same directory",
    });
  }
}

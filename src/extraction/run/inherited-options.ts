import { ArchiveError } from "../../errors.ts";
import type { ExtractionOptions } from "../../mail/records/provenance.ts";
import type { EarlierArchive } from "../earlier/earlier-archive.ts";

/** Options of a run that extends an archive: fixed ones are inherited. */
export function inheritOptions(options: ExtractionOptions, earlier: EarlierArchive | null): ExtractionOptions {
  return earlier === null
    ? options
    : inheritMentions(inheritCopies(inheritRedaction(options, earlier), earlier), earlier);
}

/** Mentions are found while a message is read, so they cannot be added to an existing archive. */
function inheritMentions(options: ExtractionOptions, earlier: EarlierArchive): ExtractionOptions {
  const { mentions } = earlier.provenance.options;
  if (mentions === true) return { ...options, mentions };
  if (options.mentions !== true) return options;
  throw new ArchiveError(
    "INVALID_ARGUMENT",
    "--incremental cannot find mentions: the archive was made without --mentions",
    { hint: "extract all sources again without --incremental" },
  );
}

/**
 * A redacted archive stays redacted: new mail is redacted at least as much. An archive that is not redacted cannot be
 * redacted afterwards.
 */
function inheritRedaction(options: ExtractionOptions, earlier: EarlierArchive): ExtractionOptions {
  const known = earlier.provenance.options.redact;
  const missing = options.redact.filter((type) => !known.includes(type));
  if (missing.length > 0) {
    throw new ArchiveError(
      "INVALID_ARGUMENT",
      `--incremental cannot redact ${missing.join(", ")}: the archive contains text that was not redacted`,
      {
        hint: "extract all sources again without --incremental",
      },
    );
  }
  if (known.includes("word") && !options.redact.includes("word")) {
    throw new ArchiveError(
      "INVALID_ARGUMENT",
      "--incremental needs --redact-words: the archive does not store the list",
    );
  }
  return { ...options, redact: known, extractAttachments: options.extractAttachments && known.length === 0 };
}

/** Rules for duplicates are fixed per archive: merged messages share one text and cannot be separated. */
function inheritCopies(options: ExtractionOptions, earlier: EarlierArchive): ExtractionOptions {
  const { keepCopies } = earlier.provenance.options;
  if (options.keepCopies && !keepCopies) {
    throw new ArchiveError(
      "INVALID_ARGUMENT",
      "--incremental cannot keep duplicates: the archive already merged duplicates",
      {
        hint: "extract all sources again without --incremental",
      },
    );
  }
  return {
    ...options,
    keepCopies,
    attachmentText: options.attachmentText || earlier.provenance.options.attachmentText,
    ...charsetOf(options.charset ?? earlier.provenance.options.charset),
  };
}

/** Mail that is read again must have the same text. */
function charsetOf(charset: string | undefined): Pick<ExtractionOptions, "charset"> {
  return charset === undefined ? {} : { charset };
}

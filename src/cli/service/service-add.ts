import type { Command } from "commander";
import { listSources } from "../../mail/records/source-formats.ts";
import {
  PASSWORD_VARIABLE,
  passwordFromFlags,
  piiTypes,
  REDACT_DESCRIPTION,
  REDACT_WORDS_DESCRIPTION,
} from "../extracting/extraction-flags.ts";
import { readWordList } from "../extracting/word-list.ts";
import { positiveInteger } from "../terminal/flag-values.ts";
import type { Session } from "../terminal/session.ts";
import { NO_LEASE_SECONDS, openSharedStore, type SharedStoreFlags } from "./shared-store.ts";

interface AddFlags extends SharedStoreFlags {
  /** Flags shared with `service`: both use one directory. */
  readonly data: string;
  readonly redact?: true | readonly string[];
  readonly redactWords?: string;
  readonly password?: string;
  readonly passwordFile?: string;
  readonly maxMessages?: string;
}

/** Only the user of the service can read its data directory. */
const PRIVATE_UMASK = 0o077;

/** Declares `archivetool service add`. */
export function declareServiceAdd(service: Command, session: () => Session): void {
  service
    .command("add")
    .description("queue local mail for the service, one upload per path; files are read in place")
    .argument("<paths...>", `${listSources()}, zip and tar files of them`)
    .option("--redact [types...]", REDACT_DESCRIPTION)
    .option("--redact-words <file>", REDACT_WORDS_DESCRIPTION)
    .option("--password <pass>", "password for protected PST/OST files")
    .option("--password-file <file>", `file whose first line is the password (or set ${PASSWORD_VARIABLE})`)
    .option("--max-messages <n>", "maximum messages to process per source")
    .action(async (paths: string[], _flags: unknown, command: Command) => {
      const flags = command.optsWithGlobals<AddFlags>();
      const { data, redact, redactWords, maxMessages, ...passwords } = flags;
      const { print, signal, log } = session();
      const options = {
        redact: piiTypes(redact),
        ...(redactWords === undefined ? {} : { redactWords: readWordList(redactWords) }),
        password: passwordFromFlags(passwords, log),
        maxMessages: maxMessages === undefined ? null : positiveInteger("--max-messages", maxMessages),
        // Nothing is copied, so there is nothing to clean up.
        discardsOriginals: true,
      };
      const { importPaths } = await import("../../http/upload-service/receiving/import-paths.ts");
      process.umask(PRIVATE_UMASK);
      const stored = await openSharedStore(flags, NO_LEASE_SECONDS);
      const uploads = await importPaths({ dataDirectory: data, store: stored, paths, options }, signal);
      for (const { uploadId, sourcePath } of uploads) print(`${uploadId}  ${sourcePath}`);
    });
}

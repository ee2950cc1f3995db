import { createReadStream } from "node:fs";
import type { Command } from "commander";
import type { ExtractionReport } from "../document/validate-extraction.ts";
import { ArchiveError } from "../errors.ts";
import { countOf, formatCount } from "../text/format-count.ts";
import { settleSource } from "./named-archive.ts";
import type { Session } from "./session.ts";

/** Bytes read of the document at a time. */
const CHUNK_BYTES = 1 << 20;

/** Declares `archivetool validate`. */
export function declareValidate(program: Command, session: () => Session): void {
  program
    .command("validate")
    .description("check an extraction.json against the schema and against itself")
    .argument("<source>", "an extraction.json, or an output directory or archive.db with one beside it")
    .option("--json", "print as JSON")
    .action(async (source: string, flags: { readonly json?: true }) => {
      const { locateDocument } = await import("../store/locate-archive.ts");
      await settleSource(source, session());
      const path = locateDocument(source);
      const { validateExtraction } = await import("../document/validate-extraction.ts");
      const report = await validateExtraction(createReadStream(path, { highWaterMark: CHUNK_BYTES }));
      if (flags.json) session().printJson(reportDocument(report));
      else printReport(report, session());
      if (report.errorCount > 0) {
        throw new ArchiveError("DOCUMENT_INVALID", `${path} is not a valid extraction.json: ${countOf(report.errorCount, "error")}`, {
          hint: "extract again, or mend the document where the errors point",
        });
      }
    });
}

function reportDocument({ errorCount, errors, summary }: ExtractionReport) {
  return { valid: errorCount === 0, error_count: errorCount, errors, summary };
}

function printReport({ errorCount, errors, summary }: ExtractionReport, session: Session): void {
  for (const { path, message, offset } of errors)
    session.print(`${path === "" ? "document" : path}: ${message}${offset === null ? "" : ` (byte ${formatCount(offset)})`}`);
  if (errors.length < errorCount) session.print(`… and ${formatCount(errorCount - errors.length)} more`);
  session.print(`Errors: ${formatCount(errorCount)}`);
  if (errorCount > 0) return;
  session.print(
    `Valid: ${countOf(summary.messages, "message")}, ${countOf(summary.contacts, "contact")}, ${countOf(summary.threads, "thread")}, ${countOf(summary.topics, "topic")}, ${countOf(summary.events, "calendar event")}`,
  );
}

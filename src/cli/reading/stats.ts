import type { Command } from "commander";
import { type ArchiveSummary, statsDocument } from "../../document/archive-stats.ts";
import { formatInstant } from "../../mail/dates/instant.ts";
import type { SourceRecord } from "../../mail/records/provenance.ts";
import { sharedMailboxNames } from "../../mail/shared-mailboxes.ts";
import { summarizeArchive } from "../../outputs/archive-summary.ts";
import { formatCount } from "../../text/tokens/format-count.ts";
import { attachmentCount } from "../extracting/extraction-report.ts";
import { withNamedArchive } from "../extracting/open-archive.ts";
import { heading } from "../terminal/line.ts";
import type { Session } from "../terminal/session.ts";
import { SOURCE_ARGUMENT } from "../terminal/store-source.ts";

/** Sources printed; the rest is counted. */
const PRINTED_SOURCES = 20;
/** Mailboxes printed; the rest is counted. */
const PRINTED_MAILBOXES = 20;
/** Width in cells of the bar of a mailbox. */
const BAR_CELLS = 20;

/** Declares `archivetool stats`. */
export function declareStats(program: Command, session: () => Session): void {
  program
    .command("stats")
    .description("print statistics of an archive")
    .argument("<source>", SOURCE_ARGUMENT)
    .option("--json", "print as JSON")
    .action(async (source: string, flags: { readonly json?: true }) => {
      await withNamedArchive(source, session(), async (archive) => {
        const summary = await summarizeArchive(archive);
        if (flags.json) session().printJson(statsDocument(summary));
        else printSummary(summary, session());
      });
    });
}

function printSummary({ provenance, topContacts, mailboxes }: ArchiveSummary, session: Session): void {
  const { statistics } = provenance;
  const { earliest, latest } = statistics.dateRange;
  const facts: readonly (readonly [string, string])[] = [
    ["Extracted", `${formatInstant(provenance.extractedAt)} by ${provenance.tool} ${provenance.toolVersion}`],
    ["Source", `${provenance.sourceFormat}, ${provenance.sourceHash}`],
    ...sourceFacts(provenance.sources),
    ["Emails", formatCount(statistics.totalMessages)],
    ["Calendar events", formatCount(statistics.totalCalendarEvents)],
    ["Contacts", formatCount(statistics.totalContacts)],
    [
      "Threads",
      `${formatCount(statistics.totalThreads)} (${formatCount(statistics.multiMessageThreads)} with more than one message)`,
    ],
    ["Topics", formatCount(statistics.totalTopics)],
    ["Attachments", attachmentCount(statistics)],
    ["Outlook items", formatCount(statistics.totalItems)],
    ["Redactions", formatCount(statistics.piiRedactions)],
    ["Dates", `${formatInstant(earliest) ?? "none"} to ${formatInstant(latest) ?? "none"}`],
  ];
  for (const [name, value] of facts) session.print(`${`${name}:`.padEnd(17)}${value}`);
  session.print("");
  session.print(heading("Top contacts:"));
  for (const { name, email, messageCount } of topContacts) {
    session.print(
      `${formatCount(messageCount).padStart(9)}  ${name === "" || name === email ? email : `${name} <${email}>`}`,
    );
  }
  session.print("");
  session.print(heading("Mailboxes:"));
  const largest = [...mailboxes].sort((a, b) => b.messages - a.messages);
  const most = largest[0]?.messages ?? 1;
  const shared = sharedMailboxNames(mailboxes);
  for (const { source, mailbox, messages } of largest.slice(0, PRINTED_MAILBOXES)) {
    const bar = "█".repeat(Math.ceil((messages / most) * BAR_CELLS)).padEnd(BAR_CELLS);
    const place = shared.has(mailbox) ? `${mailbox}  (${provenance.sources[source]?.path ?? ""})` : mailbox;
    session.print(`${formatCount(messages).padStart(9)}  ${bar}  ${place}`);
  }
  if (largest.length > PRINTED_MAILBOXES)
    session.print(`           … and ${formatCount(largest.length - PRINTED_MAILBOXES)} more`);
}

/** Paths of the sources when they were read; only the first if there are many. */
function sourceFacts(sources: readonly SourceRecord[]): readonly (readonly [string, string])[] {
  const facts = sources.slice(0, PRINTED_SOURCES).map(({ path }) => ["Read from", path] as const);
  return sources.length <= PRINTED_SOURCES
    ? facts
    : [...facts, ["Read from", `… and ${formatCount(sources.length - PRINTED_SOURCES)} more`]];
}

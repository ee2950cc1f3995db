import type { Command } from "commander";
import { ArchiveError } from "../../errors.ts";
import { WORD_MATCHES } from "../../mail/exploration.ts";
import { MENTION_KINDS, type MentionKind } from "../../mail/records/mention.ts";
import { formatCount } from "../../text/tokens/format-count.ts";
import { printable } from "../../text/tokens/printable.ts";
import { withNamedArchive } from "../extracting/open-archive.ts";
import { choiceOf, positiveInteger } from "../terminal/flag-values.ts";
import type { Session } from "../terminal/session.ts";
import { SOURCE_ARGUMENT } from "../terminal/store-source.ts";

interface MentionsFlags {
  readonly kind: string;
  readonly search: string;
  readonly match: string;
  readonly limit: string;
  readonly csv?: true;
  readonly json?: true;
}

/** Cells of the count before a value. */
const COUNT_CELLS = 9;

/** Declares `archivetool mentions`. */
export function declareMentions(program: Command, session: () => Session): void {
  program
    .command("mentions")
    .description("list people, organizations, phone numbers, amounts and more that texts mention")
    .argument("<source>", SOURCE_ARGUMENT)
    .argument("[query]", "only in messages that match (docs/reference/query-language.md)", "")
    .option("--kind <kind>", `kind of mention: ${MENTION_KINDS.join(", ")}`, MENTION_KINDS[0])
    .option("--search <name>", "only values that contain this text", "")
    .option("--match <which>", "match all words of the query or any: all, any", "all")
    .option("--limit <n>", "maximum number of values", "50")
    .addOption(program.createOption("--csv", "print as CSV").conflicts("json"))
    .option("--json", "print as JSON")
    .action(async (source: string, query: string, flags: MentionsFlags) => {
      const kind = choiceOf("--kind", MENTION_KINDS, flags.kind);
      const limit = positiveInteger("--limit", flags.limit);
      const match = choiceOf("--match", WORD_MATCHES, flags.match);
      await withNamedArchive(source, session(), async (archive) => {
        if ((await archive.provenance()).options.mentions !== true)
          throw new ArchiveError("INVALID_ARGUMENT", "this archive has no mentions", {
            hint: "extract it again with --mentions",
          });
        const { mentionedValues } = await import("../../mail/mentioned-values.ts");
        const found = await mentionedValues(archive, { query, match, kind, search: flags.search });
        await print(found.slice(0, limit), flags, session());
        if (found.length > 0) return;
        const counts = MENTION_KINDS.map(async (other) => {
          const { length } = await mentionedValues(archive, { query, match, kind: other, search: flags.search });
          return length === 0 ? [] : [`${other} (${formatCount(length)})`];
        });
        session().log.info(nothingFound(kind, (await Promise.all(counts)).flat()));
      });
    });
}

type Records = Awaited<ReturnType<typeof import("../../mail/mentioned-values.ts").mentionedValues>>;

async function print(records: Records, flags: MentionsFlags, { print: printLine, printJson }: Session): Promise<void> {
  if (flags.json) printJson(records);
  else if (flags.csv) {
    const { Utf8Buffer } = await import("../../columns/utf8-buffer.ts");
    const { writeMentionRows } = await import("../../outputs/mention-files.ts");
    const rows = new Utf8Buffer();
    writeMentionRows(records, rows);
    for (const line of Buffer.from(rows.view()).toString().trimEnd().split("\r\n")) printLine(`${line}\r`);
  } else
    for (const { value, messages } of records)
      printLine(`${formatCount(messages).padStart(COUNT_CELLS)}  ${printable(value)}`);
}

/** @param others kinds that have values, with the number of values */
function nothingFound(kind: MentionKind, others: readonly string[]): string {
  const hint = others.length === 0 ? "" : `; --kind has values for ${others.join(", ")}`;
  return `no values of the kind "${kind}" found${hint}`;
}

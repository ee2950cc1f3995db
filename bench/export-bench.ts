import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { openArchive } from "../src/store/archive/open-archive.ts";
import { archiveIn } from "../src/store/contract/archive-location.ts";
import { CLI, type Measurement, measure, megabytes, printRow } from "./measure.ts";
import { emptyWorkDirectory } from "./work-directory.ts";

const FORMATS = ["mbox", "eml", "maildir"] as const;
/** Generated Message-ID, which depends on the bytes and so changes when a message is composed. */
const MADE_ID = /^sha256:/;
/** Maximum differences that are listed. */
const MAX_PRINTED = 5;

/** Data of a message that must survive; texts as hashes, to support any size. */
const ASPECTS = ["subject", "date", "body", "attachments"] as const;
type Aspect = (typeof ASPECTS)[number];
interface Seen extends Readonly<Record<Aspect, string>> {
  readonly messageId: string;
  /** SHA-256 of the bytes. */
  readonly sha256: string;
}

const NOTHING = { subject: 0, date: 0, body: 0, attachments: 0, "same bytes": 0, equal: 0, missing: 0, more: 0 };
type Tally = Record<keyof typeof NOTHING | "messages", number>;

/**
 * Extracts mail, exports it in each message format, extracts the export, and compares Message-ID, subject, date,
 * text, attachments by hash, and bytes.
 */
export async function benchExport(directory: string, paths: readonly string[]): Promise<void> {
  emptyWorkDirectory(directory);
  console.log(
    "| Source | Format | Messages | The same bytes | Equal | Differ in | Missing | More | CPU s | Peak memory MB |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|---|");
  for (const [number, path] of paths.entries()) {
    const archive = join(directory, `${number}`);
    await run(["extract", path, "--output", archive, "--no-wiki"]);
    const before = await seenIn(archive);
    if (before.length === 0) {
      console.log(`| ${basename(path)} | – | 0 |`);
      continue;
    }
    for (const format of FORMATS) {
      const exported = join(directory, `${number}-${format}`);
      const figures = await run(["export", archive, "--format", format, "--output", exported]);
      const again = join(directory, `${number}-${format}-again`);
      const mail = format === "mbox" ? mboxesIn(exported) : [exported];
      if (mail.length > 0) await run(["extract", ...mail, "--output", again, "--no-wiki"]);
      const tally = compare(before, mail.length > 0 ? await seenIn(again) : []);
      print([basename(path), format], tally, figures);
    }
  }
}

async function run(command: readonly string[]): Promise<Measurement> {
  const figures = await measure([process.execPath, CLI, "-q", ...command]);
  if (figures.exitCode !== 0) throw new Error(`${command.join(" ")}: ${figures.output}`);
  return figures;
}

const mboxesIn = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".mbox"))
    .map((name) => join(directory, name));

async function seenIn(directory: string): Promise<readonly Seen[]> {
  const archive = await openArchive(archiveIn(directory));
  const seen: Seen[] = [];
  try {
    for await (const batch of archive.messages.scan()) {
      for (const { messageId, subject, sentAt, body, attachments, sha256 } of batch)
        seen.push({
          messageId: MADE_ID.test(messageId) ? "" : messageId,
          subject,
          // RFC 5322 has no fractions of a second; Outlook does.
          date: sentAt === null ? "" : String(Math.floor(sentAt / 1000)),
          // MBOX adds a missing final line break.
          body: hashOf(new TextDecoder().decode(body).trimEnd()),
          attachments: attachments
            .map((attachment) => attachment.sha256)
            .sort()
            .join(" "),
          sha256,
        });
    }
  } finally {
    await archive.close();
  }
  return seen;
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Pairs messages with the same Message-ID: equal ones first, then in order. */
function compare(before: readonly Seen[], after: readonly Seen[]): Tally {
  const tally: Tally = { ...NOTHING, messages: before.length };
  const hashes = new Set(after.map(({ sha256 }) => sha256));
  const byId = new Map<string, Seen[]>();
  for (const message of after) byId.set(message.messageId, [...(byId.get(message.messageId) ?? []), message]);
  const unmatched: Seen[] = [];
  for (const message of before) {
    if (hashes.has(message.sha256)) tally["same bytes"]++;
    const others = byId.get(message.messageId) ?? [];
    const at = others.findIndex((other) => ASPECTS.every((aspect) => other[aspect] === message[aspect]));
    if (at < 0) unmatched.push(message);
    else {
      others.splice(at, 1);
      tally.equal++;
    }
  }
  for (const [number, message] of unmatched.entries()) {
    const other = byId.get(message.messageId)?.shift();
    const different = other === undefined ? [] : ASPECTS.filter((aspect) => other[aspect] !== message[aspect]);
    if (other === undefined) tally.missing++;
    for (const aspect of different) tally[aspect]++;
    if (number < MAX_PRINTED)
      console.error(
        `${message.messageId} ${message.subject}: ${other === undefined ? "missing" : different.join(", ")}`,
      );
  }
  for (const others of byId.values()) tally.more += others.length;
  return tally;
}

function print(names: readonly string[], tally: Tally, { cpuSeconds, peakBytes }: Measurement): void {
  const different = ASPECTS.filter((aspect) => tally[aspect] > 0).map((aspect) => `${aspect} ${tally[aspect]}`);
  const counts = [tally.messages, tally["same bytes"], tally.equal];
  printRow([
    ...names,
    ...counts.map((count) => count.toLocaleString("en-US")),
    different.join(", ") || "–",
    tally.missing,
    tally.more,
    cpuSeconds.toFixed(1),
    megabytes(peakBytes),
  ]);
}

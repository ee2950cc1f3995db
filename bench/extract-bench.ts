import { mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { growArchive } from "./grow-archive.ts";
import { MaildirSink } from "./mail-sink.ts";
import { CLI, type Measurement, measure, megabytes, printRow } from "./measure.ts";
import { isInstalled } from "./peers.ts";
import { emptyWorkDirectory } from "./work-directory.ts";

/** One of this many messages is added later, as new mail. */
const LATE_ONE_IN = 100;

/** A row of the printed table: program, number of messages, cost. */
interface Row {
  readonly who: string;
  readonly messages: number;
  readonly figures: Measurement;
}

/**
 * Extracts an archive, and indexes the same messages with mu and notmuch if installed. The messages are first copied
 * to Maildirs, the only format that all three read.
 */
export async function benchExtract(paths: readonly string[], factor: number, directory: string): Promise<void> {
  emptyWorkDirectory(directory);
  const maildir = join(directory, "maildir");
  const messages = await growArchive(paths, factor, new MaildirSink(maildir));
  const rows: Row[] = [];
  const extract = (output: string, ...flags: readonly string[]): Promise<Measurement> => {
    const formats = ["--output", join(directory, output), "--json", "--csv"];
    return measure([process.execPath, CLI, "-q", "extract", maildir, ...formats, ...flags]);
  };
  rows.push({ who: "archivetool extract --json --csv", messages, figures: await extract("output") });
  const late = everyFile(maildir).filter((_, index) => index % LATE_ONE_IN === LATE_ONE_IN / 2);
  moveFiles(late, maildir, join(directory, "late"));
  await extract("grown");
  moveFiles(late, join(directory, "late"), maildir);
  const add = async (what: string): Promise<Row> => ({
    who: `archivetool extract --incremental, ${what}`,
    messages,
    figures: await extract("grown", "--incremental"),
  });
  rows.push(await add("1 % new"), await add("nothing new"));
  if (isInstalled("mu")) {
    const home = join(directory, "mu");
    await measure(["mu", "init", `--maildir=${maildir}`, `--muhome=${home}`]);
    rows.push({ who: "mu index", messages, figures: await measure(["mu", "index", "--quiet", `--muhome=${home}`]) });
  }
  if (isInstalled("notmuch")) {
    const env = { NOTMUCH_CONFIG: join(directory, "notmuch-config") };
    writeFileSync(
      env.NOTMUCH_CONFIG,
      `[database]\npath=${maildir}\n[user]\nname=bench\nprimary_email=bench@bench.example\n[new]\ntags=inbox\n`,
    );
    rows.push({ who: "notmuch new", messages, figures: await measure(["notmuch", "new", "--quiet"], env) });
  }
  print(rows);
}

/** Paths below a directory, sorted. */
function everyFile(directory: string): readonly string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(directory.length + 1)).sort();
}

function moveFiles(paths: readonly string[], from: string, to: string): void {
  for (const path of paths) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    renameSync(join(from, path), join(to, path));
  }
}

function print(rows: readonly Row[]): void {
  console.log("| Command | Messages | CPU s | Wall s | Messages per CPU s | Peak memory MB | Ratio of CPU |");
  console.log("|---|---|---|---|---|---|---|");
  const own = rows[0]!.figures.cpuSeconds;
  for (const { who, messages, figures } of rows) {
    const { cpuSeconds, wallSeconds, peakBytes, exitCode } = figures;
    const rate = Math.round(messages / cpuSeconds).toLocaleString("en-US");
    printRow([
      who + (exitCode === 0 ? "" : ` (exit ${exitCode})`),
      messages.toLocaleString("en-US"),
      cpuSeconds.toFixed(1),
      wallSeconds.toFixed(1),
      rate,
      megabytes(peakBytes),
      (cpuSeconds / own).toFixed(2),
    ]);
  }
}

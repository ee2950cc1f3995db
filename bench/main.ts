import { resolve } from "node:path";
import { ArchiveError, systemErrorCode } from "../src/errors.ts";
import { benchAccuracy } from "./accuracy-bench.ts";
import { benchApi } from "./api-bench.ts";
import { benchCosts } from "./costs-bench.ts";
import { benchExport } from "./export-bench.ts";
import { benchExtract } from "./extract-bench.ts";
import { growArchive } from "./grow-archive.ts";
import { benchHomes } from "./homes-bench.ts";
import { benchHostile } from "./hostile-bench.ts";
import { benchKnowledge } from "./knowledge-bench.ts";
import { MaildirSink, type MailSink, MboxSink } from "./mail-sink.ts";
import { benchMcp } from "./mcp-bench.ts";
import { benchMemory } from "./memory-bench.ts";
import { benchNodes } from "./nodes-bench.ts";
import { benchPage } from "./page-bench.ts";
import { benchPst } from "./pst-bench.ts";
import { benchDamage } from "./pst-damage.ts";
import { benchGrowth } from "./pst-growth.ts";
import { benchOracle } from "./pst-oracle.ts";
import { benchRanking } from "./ranking-bench.ts";
import { benchSearch } from "./search-bench.ts";
import { benchService } from "./service-bench.ts";
import { benchSignals } from "./signals-bench.ts";
import { benchSizes } from "./sizes-bench.ts";
import { DEFAULT_SHAPE, writeSyntheticArchive } from "./synthetic-archive.ts";
import { benchThreads } from "./threads-bench.ts";
import { benchTopics } from "./topics-bench.ts";

const USAGE = `usage: npm run bench -- COMMAND
  synthetic MESSAGES OUT         write a made-up archive (OUT.mbox, or a directory of Maildirs)
  grow FACTOR OUT PATH...        write the archives at PATH several times over, with new ids, dates, addresses and words
  extract FACTOR WORK PATH...    grow PATH into WORK, extract it, and compare with mu and notmuch
  export WORK PATH...            export each PATH as MBOX, EML and Maildir, extract that again, and compare
  costs WORK PATH...             extract PATH under the profiler, and sum the CPU time by room
  accuracy WORK [PROGRAM]        what is found out of made-up mail of which all is known; PROGRAM is another main.js
  memory WORK MAIL [FLAG...]     extract MAIL, and print the memory it holds in each phase
  threads WORK MAIL [MORE]       extract MAIL, add MORE, and print the CPU time by phase and thread
  sizes WORK MAIL FACTOR...      grow MAIL by each FACTOR, extract it, and print CPU time, memory and serial share
  knowledge LABELLED ARCHIVE     quality and speed of redaction, tone and graph
  topics ARCHIVE...              topics of extracted archives against the folders of their mail, with figures of each
  hostile WORK [MB|KIND|1/3...]  extract every kind of hostile message in sizes of 1, 8, 25 and 100 MB
  signals WORK [MESSAGES]        end an extraction by each signal in the middle of each phase
  nodes WORK PATH NODE...        extract and search with one Node after the other, in turn
  pst WORK                       write two made-up Outlook stores into WORK, read them, and compare with readpst
  service WORK                   start the built service in WORK, explore it while large uploads come in
  api ARCHIVE                    start the built query API on an extracted archive and ask it over HTTP
  homes ARCHIVE COLLECTION       serve the same archive from a file and from PostgreSQL, and ask both the same
  page ARCHIVE                   start the built server on an extracted archive, ask its explore API, and use its page
  mcp ARCHIVE                    start the built server for assistants on an extracted archive and ask every tool
  ranking PATH                   look for known messages of a tree of messages; compare with MiniSearch
  pst-damage WORK [VARIANTS]     read damaged stores, 38 or VARIANTS of each format and case, and compare with readpst
  pst-growth WORK                read stores of growing folders and lists of recipients
  pst-oracle STORES WORK         compare every item of Outlook stores with readpst and pffexport
  search ARCHIVE MU_HOME CONFIG  ask an extracted archive, mu and notmuch the same queries`;

function sinkFor(out: string): MailSink {
  return out.endsWith(".mbox") ? new MboxSink(out) : new MaildirSink(out);
}

/** Runs a benchmark. Returns false for unknown arguments. */
async function runBench([command, ...args]: readonly string[]): Promise<boolean> {
  const [first, second, ...paths] = args;
  if (command === "synthetic" && first !== undefined && second !== undefined) {
    writeSyntheticArchive({ ...DEFAULT_SHAPE, messages: Number(first) }, sinkFor(second));
  } else if (command === "grow" && second !== undefined && paths.length > 0) {
    console.log(`${await growArchive(paths, Number(first), sinkFor(second))} messages`);
  } else if (command === "extract" && second !== undefined && paths.length > 0) {
    await benchExtract(paths, Number(first), resolve(second));
  } else if (command === "export" && first !== undefined && second !== undefined) {
    await benchExport(
      resolve(first),
      [second, ...paths].map((path) => resolve(path)),
    );
  } else if (command === "costs" && first !== undefined && second !== undefined) {
    await benchCosts(
      [second, ...paths].map((path) => resolve(path)),
      resolve(first),
    );
  } else if (command === "accuracy" && first !== undefined) {
    await benchAccuracy(resolve(first), second);
  } else if (command === "memory" && first !== undefined && second !== undefined) {
    await benchMemory(resolve(first), resolve(second), paths);
  } else if (command === "threads" && first !== undefined && second !== undefined) {
    await benchThreads(resolve(first), resolve(second), paths[0] === undefined ? undefined : resolve(paths[0]));
  } else if (command === "sizes" && first !== undefined && second !== undefined && paths.length > 0) {
    await benchSizes(resolve(first), resolve(second), paths.map(Number));
  } else if (command === "knowledge" && first !== undefined && second !== undefined) {
    await benchKnowledge(resolve(first), resolve(second));
  } else if (command === "topics" && first !== undefined) {
    await benchTopics(args.map((path) => resolve(path)));
  } else if (command === "hostile" && first !== undefined) {
    await benchHostile(resolve(first), args.slice(1));
  } else if (command === "signals" && first !== undefined) {
    await benchSignals(resolve(first), args.slice(1));
  } else if (command === "nodes" && first !== undefined && second !== undefined) {
    await benchNodes(resolve(first), resolve(second), [process.execPath, ...paths]);
  } else if (command === "pst" && first !== undefined) {
    await benchPst(resolve(first));
  } else if (command === "service" && first !== undefined) {
    await benchService(resolve(first));
  } else if (command === "api" && first !== undefined) {
    await benchApi(first);
  } else if (command === "homes" && first !== undefined && second !== undefined) {
    await benchHomes(first, second);
  } else if (command === "page" && first !== undefined) {
    await benchPage(first);
  } else if (command === "mcp" && first !== undefined) {
    await benchMcp(first);
  } else if (command === "ranking" && first !== undefined) {
    await benchRanking(first);
  } else if (command === "pst-damage" && first !== undefined) {
    await benchDamage(resolve(first), second === undefined ? undefined : Number(second));
  } else if (command === "pst-growth" && first !== undefined) {
    await benchGrowth(resolve(first));
  } else if (command === "pst-oracle" && first !== undefined && second !== undefined) {
    await benchOracle(resolve(first), resolve(second));
  } else if (command === "search" && first !== undefined) {
    await benchSearch(first, resolve("dist/cli/main.js"), { muHome: second ?? "", notmuchConfig: paths[0] ?? "" });
  } else {
    return false;
  }
  return true;
}

const given = process.argv.slice(2);
try {
  if (!(await runBench(given))) {
    const usage = USAGE.split("\n").find((line) => line.startsWith(`  ${given[0]} `));
    console.error(usage === undefined ? USAGE : `usage: npm run bench -- ${usage.trim()}`);
    process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof ArchiveError) && systemErrorCode(error) === null) throw error;
  console.error(`error: ${(error as Error).message}`);
  process.exitCode = 1;
}

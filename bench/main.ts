import { resolve } from "node:path";
import { ArchiveError, systemErrorCode } from "../src/errors.ts";
import { benchAccuracy } from "./accuracy-bench.ts";
import { benchApi } from "./api-bench.ts";
import { benchExport } from "./export-bench.ts";
import { benchExtract } from "./extract-bench.ts";
import { growArchive } from "./grow-archive.ts";
import { benchHomes } from "./homes-bench.ts";
import { benchHostile } from "./hostile-bench.ts";
import { benchKnowledge } from "./knowledge-bench.ts";
import { MaildirSink, type MailSink, MboxSink } from "./mail-sink.ts";
import { benchMcp } from "./mcp-bench.ts";
import { benchNodes } from "./nodes-bench.ts";
import { benchPage } from "./page-bench.ts";
import { benchPst } from "./pst-bench.ts";
import { benchDamage } from "./pst-damage.ts";
import { benchGrowth } from "./pst-growth.ts";
import { benchOracle } from "./pst-oracle.ts";
import { benchRanking } from "./ranking-bench.ts";
import { benchSearch } from "./search-bench.ts";
import { benchService } from "./service-bench.ts";
import { benchSizes } from "./sizes-bench.ts";
import { DEFAULT_SHAPE, writeSyntheticArchive } from "./synthetic-archive.ts";
import { benchThreads } from "./threads-bench.ts";
import { benchTopics } from "./topics-bench.ts";

/** A benchmark; optional arguments are in brackets. */
interface Bench {
  readonly usage: string;
  readonly about: string;
  run(first: string, second: string, ...rest: readonly string[]): unknown;
}

const absolute = (paths: readonly string[]): readonly string[] => paths.map((path) => resolve(path));

const BENCHES: Readonly<Record<string, Bench>> = {
  synthetic: {
    usage: "MESSAGES OUT",
    about: "write a made-up archive (OUT.mbox, or a directory of Maildirs)",
    run: (messages, out) => writeSyntheticArchive({ ...DEFAULT_SHAPE, messages: Number(messages) }, sinkFor(out)),
  },
  grow: {
    usage: "FACTOR OUT PATH...",
    about: "write the archives at PATH several times over, with new ids, dates, addresses and words",
    run: async (factor, out, ...paths) =>
      console.log(`${await growArchive(paths, Number(factor), sinkFor(out))} messages`),
  },
  extract: {
    usage: "FACTOR WORK PATH...",
    about: "grow PATH into WORK, extract it, and compare with mu and notmuch",
    run: (factor, work, ...paths) => benchExtract(paths, Number(factor), resolve(work)),
  },
  export: {
    usage: "WORK PATH...",
    about: "export each PATH as MBOX, EML and Maildir, extract that again, and compare",
    run: (work, ...paths) => benchExport(resolve(work), absolute(paths)),
  },
  accuracy: {
    usage: "WORK [PROGRAM]",
    about: "what is found out of made-up mail of which all is known; PROGRAM is another main.js",
    run: (work, program?: string) => benchAccuracy(resolve(work), program),
  },
  threads: {
    usage: "WORK MAIL [MORE]",
    about: "extract MAIL, add MORE, and print CPU time by phase and thread, and memory by phase",
    run: (work, mail, more?: string) =>
      benchThreads(resolve(work), resolve(mail), more === undefined ? undefined : resolve(more)),
  },
  sizes: {
    usage: "WORK MAIL FACTOR...",
    about: "grow MAIL by each FACTOR, extract it, and print CPU time, memory and serial share",
    run: (work, mail, ...factors) => benchSizes(resolve(work), resolve(mail), factors.map(Number)),
  },
  knowledge: {
    usage: "LABELLED ARCHIVE",
    about: "quality and speed of redaction, tone and graph",
    run: (labelled, archive) => benchKnowledge(resolve(labelled), resolve(archive)),
  },
  topics: {
    usage: "ARCHIVE...",
    about: "topics of extracted archives against the folders of their mail, with figures of each",
    run: (...archives) => benchTopics(absolute(archives)),
  },
  hostile: {
    usage: "WORK [MB|KIND|1/3...]",
    about: "extract every kind of hostile message in sizes of 1, 8, 25 and 100 MB",
    run: (work, ...words) => benchHostile(resolve(work), words),
  },
  nodes: {
    usage: "WORK PATH [NODE...]",
    about: "extract and search with one Node after the other, in turn",
    run: (work, path, ...nodes) => benchNodes(resolve(work), resolve(path), [process.execPath, ...nodes]),
  },
  pst: {
    usage: "WORK",
    about: "write two made-up Outlook stores into WORK, read them, and compare with readpst",
    run: (work) => benchPst(resolve(work)),
  },
  service: {
    usage: "WORK",
    about: "start the built service in WORK, explore it while large uploads come in",
    run: (work) => benchService(resolve(work)),
  },
  api: {
    usage: "ARCHIVE",
    about: "start the built query API on an extracted archive and ask it over HTTP",
    run: benchApi,
  },
  homes: {
    usage: "ARCHIVE COLLECTION",
    about: "serve the same archive from a file and from PostgreSQL, and ask both the same",
    run: benchHomes,
  },
  page: {
    usage: "ARCHIVE",
    about: "start the built server on an extracted archive, ask its explore API, and use its page",
    run: benchPage,
  },
  mcp: {
    usage: "ARCHIVE",
    about: "start the built server for assistants on an extracted archive and ask every tool",
    run: benchMcp,
  },
  ranking: {
    usage: "PATH",
    about: "look for known messages of a tree of messages; compare with MiniSearch",
    run: benchRanking,
  },
  "pst-damage": {
    usage: "WORK [VARIANTS]",
    about: "read damaged stores, 38 or VARIANTS of each format and case, and compare with readpst",
    run: (work, variants?: string) => benchDamage(resolve(work), variants === undefined ? undefined : Number(variants)),
  },
  "pst-growth": {
    usage: "WORK",
    about: "read stores of growing folders and lists of recipients",
    run: (work) => benchGrowth(resolve(work)),
  },
  "pst-oracle": {
    usage: "STORES WORK",
    about: "compare every item of Outlook stores with readpst and pffexport",
    run: (stores, work) => benchOracle(resolve(stores), resolve(work)),
  },
  search: {
    usage: "ARCHIVE [MU_HOME] [CONFIG]",
    about: "ask an extracted archive, mu and notmuch the same queries",
    run: (archive, muHome = "", notmuchConfig = "") => benchSearch(archive, { muHome, notmuchConfig }),
  },
};

function sinkFor(out: string): MailSink {
  return out.endsWith(".mbox") ? new MboxSink(out) : new MaildirSink(out);
}

function usageOf(name: string, { usage, about }: Bench): string {
  return `${`${name} ${usage}`.padEnd(30)} ${about}`;
}

const [name = "", ...args] = process.argv.slice(2);
const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
const required = bench?.usage.split(" ").filter((word) => !word.startsWith("[")).length ?? 0;
try {
  if (bench !== undefined && args.length >= required) {
    await bench.run(...(args as [string, string]));
  } else {
    const lines = Object.entries(BENCHES).map((entry) => `\n  ${usageOf(...entry)}`);
    console.error(`usage: npm run bench -- ${bench === undefined ? `COMMAND${lines.join("")}` : usageOf(name, bench)}`);
    process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof ArchiveError) && systemErrorCode(error) === null) throw error;
  console.error(`error: ${(error as Error).message}`);
  process.exitCode = 1;
}

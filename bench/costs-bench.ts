import { readdirSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join, resolve } from "node:path";
import { type Measurement, measure } from "./measure.ts";
import { emptyWorkDirectory } from "./work-directory.ts";

const CLI = resolve(import.meta.dirname, "../dist/cli/main.js");
/** Time between two samples of a profile, in microseconds: Node's default. A run of a minute gives 60,000. */
const SAMPLE_US = 1_000;
/** Most that one sample counts for: the time that another program had the core between two samples is none of ours. */
const MAX_SAMPLE_US = 1.5 * SAMPLE_US;
/** Longest time one extraction may take, in seconds. */
const TIME_LIMIT_SECONDS = 1_800;

/** What the groups of rooms are for. `idle` is no CPU time. */
type Group =
  | "parse and store"
  | "search index"
  | "knowledge"
  | "listings and document"
  | "garbage collection"
  | "runtime"
  | "idle";

/** Groups of rooms, and of single files where a room serves more than one; the longest prefix that fits counts. */
const GROUPS: readonly (readonly [prefix: string, group: Group])[] = [
  ["", "parse and store"],
  ["text", "parse and store"],
  ["text/packed-tokens", "search index"],
  ["text/tokens", "search index"],
  ["text/function-words", "knowledge"],
  ["text/language", "knowledge"],
  ["text/attribution", "knowledge"],
  ["text/body-lines", "knowledge"],
  ["text/quote-", "knowledge"],
  ["text/signature", "knowledge"],
  ["text/split-body", "knowledge"],
  ["text/text-units", "knowledge"],
  ["text/word-numbers", "knowledge"],
  ["search", "search index"],
  ["store/sqlite/search-", "search index"],
  ["contacts", "knowledge"],
  ["network", "knowledge"],
  ["topics", "knowledge"],
  ["sentiment", "knowledge"],
  ["redaction", "knowledge"],
  ["extraction/knowledge", "knowledge"],
  ["extraction/knowledge/store-phase", "parse and store"],
  ["extraction/staging/redact-record", "knowledge"],
  ["outputs", "listings and document"],
  ["document", "listings and document"],
  ["cli", "listings and document"],
  ["extraction/publishing", "listings and document"],
  ["store/lists", "listings and document"],
  ["store/sqlite/message-fetch", "listings and document"],
  ["store/sqlite/message-reader", "listings and document"],
  ["store/sqlite/message-scan", "listings and document"],
  ["outputs/contact", "knowledge"],
  ["outputs/archive-summary", "knowledge"],
  ["outputs/wiki/contact-pages", "knowledge"],
  ["outputs/wiki/index-page", "knowledge"],
  ["outputs/wiki/network-page", "knowledge"],
  ["outputs/wiki/topic-pages", "knowledge"],
  ["(garbage collector)", "garbage collection"],
  ["(program)", "runtime"],
  ["(root)", "runtime"],
  ["(start)", "runtime"],
  ["(idle)", "idle"],
];

/** The part of a V8 profile (Chrome DevTools Protocol, `Profiler.Profile`) that is read. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: CallFrame;
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

/** A function; its beginning in the built file is counted from 0. */
interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** Self time by place, in seconds: `room/file` of this project, or one of V8's names in parentheses. */
type Times = Map<string, number>;

/**
 * Where the CPU time of an extraction goes: runs the built program under V8's profiler (main thread and workers),
 * without and with redaction, and sums the samples by room. Time in a library, in Node and in native code counts for
 * the file of this project that called it. The sums are scaled to the CPU time that the run took, a few per cent more
 * than what was sampled.
 */
export async function benchCosts(paths: readonly string[], directory: string): Promise<void> {
  emptyWorkDirectory(directory);
  for (const flags of [[], ["--redact"]]) {
    const profiles = join(directory, `profiles${flags.length}`);
    const command = [
      ...["timeout", String(TIME_LIMIT_SECONDS), process.execPath, "--cpu-prof", `--cpu-prof-dir=${profiles}`],
      ...[
        `--cpu-prof-interval=${SAMPLE_US}`,
        CLI,
        "-q",
        "extract",
        ...paths,
        "--output",
        join(directory, `output${flags.length}`),
      ],
      ...["--json", "--csv", ...flags],
    ];
    const figures = await measure(command);
    if (figures.exitCode !== 0)
      throw new Error(`extraction ended with ${figures.exitCode}: ${figures.output.slice(-2_000)}`);
    print(flags.join(" "), figures, readProfiles(profiles));
  }
}

function readProfiles(directory: string): Times {
  const times: Times = new Map();
  const maps: SourceMaps = new Map();
  for (const file of readdirSync(directory)) {
    if (file.endsWith(".cpuprofile"))
      addProfile(times, JSON.parse(readFileSync(join(directory, file), "utf8")) as CpuProfile, maps);
  }
  return times;
}

function addProfile(times: Times, { nodes, samples, timeDeltas }: CpuProfile, maps: SourceMaps): void {
  const places = placesOf(nodes, maps);
  for (const [at, node] of samples.entries()) {
    const place = places.get(node) ?? "(start)";
    times.set(place, (times.get(place) ?? 0) + Math.min(timeDeltas[at] ?? 0, MAX_SAMPLE_US) / 1e6);
  }
}

/** Location of each node: its own, or that of its caller. Parents precede their children. */
function placesOf(nodes: CpuProfile["nodes"], maps: SourceMaps): ReadonlyMap<number, string> {
  const parentOf = new Map<number, number>();
  for (const { id, children } of nodes) for (const child of children ?? []) parentOf.set(child, id);
  const places = new Map<number, string>();
  for (const { id, callFrame } of nodes) {
    const parent = parentOf.get(id);
    places.set(id, ownPlace(callFrame, maps) ?? (parent === undefined ? null : places.get(parent)) ?? "(start)");
  }
  return places;
}

/** Maps of built files to their sources by the URL of the file. */
type SourceMaps = Map<string, SourceMap>;

/** Source file of a function of a built file; null for code added by the build. */
function sourceOf({ url, lineNumber, columnNumber }: CallFrame, maps: SourceMaps): string | null {
  const map = maps.get(url) ?? new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), "utf8")));
  maps.set(url, map);
  const entry = map.findEntry(lineNumber, columnNumber);
  return "originalSource" in entry ? (/\/src\/(.+)\.ts$/.exec(entry.originalSource)?.[1] ?? null) : null;
}

function ownPlace(frame: CallFrame, maps: SourceMaps): string | null {
  const { functionName, url } = frame;
  if (/\/dist\/[\w/-]+\.js$/.test(url) && !url.includes("/node_modules/")) return sourceOf(frame, maps);
  return ["(garbage collector)", "(program)", "(idle)", "(root)"].includes(functionName) ? functionName : null;
}

function groupOf(place: string): Group {
  let found: (typeof GROUPS)[number] = GROUPS[0]!;
  for (const entry of GROUPS) if (place.startsWith(entry[0]) && entry[0].length >= found[0].length) found = entry;
  return found[1];
}

/** Directory of a location, with the file if files of one directory belong to several groups. */
function rowOf(place: string): string {
  const room = place.includes("/") ? place.slice(0, place.indexOf("/")) : place;
  const isShared = GROUPS.some(([prefix]) => prefix.startsWith(`${room}/`));
  return isShared ? place : room;
}

function print(flags: string, { cpuSeconds, wallSeconds }: Measurement, times: Times): void {
  const rows = new Map<string, number>();
  const groups = new Map<Group, number>();
  let sampled = 0;
  for (const [place, seconds] of times) if (groupOf(place) !== "idle") sampled += seconds;
  const scale = cpuSeconds / sampled;
  for (const [place, seconds] of times) {
    const group = groupOf(place);
    if (group === "idle") continue;
    rows.set(rowOf(place), (rows.get(rowOf(place)) ?? 0) + seconds * scale);
    groups.set(group, (groups.get(group) ?? 0) + seconds * scale);
  }
  const figures = `${cpuSeconds.toFixed(1)} CPU s, ${wallSeconds.toFixed(1)} wall s, ${sampled.toFixed(0)} s sampled`;
  console.log(`\nextract --json --csv ${flags}, with the profiler: ${figures}\n`);
  console.log("| Group | CPU s | Share |\n|---|---|---|");
  for (const [group, seconds] of sorted(groups)) {
    console.log(`| ${group} | ${seconds.toFixed(2)} | ${((seconds / cpuSeconds) * 100).toFixed(1)} % |`);
  }
  const ratio = (groups.get("knowledge") ?? 0) / (groups.get("parse and store") ?? 1);
  console.log(`\nknowledge / parse and store: ${ratio.toFixed(2)}\n\n| Room or file | Group | CPU s |\n|---|---|---|`);
  for (const [row, seconds] of sorted(rows)) {
    if (seconds >= MIN_SHOWN_SECONDS) console.log(`| ${row} | ${groupOf(row)} | ${seconds.toFixed(2)} |`);
  }
}

/** Smaller rows are sampling noise. */
const MIN_SHOWN_SECONDS = 0.1;

function sorted<T>(times: ReadonlyMap<T, number>): readonly (readonly [T, number])[] {
  return [...times].sort((a, b) => b[1] - a[1]);
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../src/columns/seeded-random.ts";
import { PII_TYPES } from "../src/mail/records/provenance.ts";
import { type ContactGraph, GraphBuilder } from "../src/network/contact-graph.ts";
import { measureNetwork } from "../src/network/network-metrics.ts";
import { redactText } from "../src/redaction/redact-text.ts";
import { ToneScorer } from "../src/sentiment/score-text.ts";
import { openArchive } from "../src/store/archive/open-archive.ts";
import { archiveAt } from "../src/store/contract/archive-location.ts";
import { authorText } from "../src/text/quoting/split-body.ts";
import { scoreSentences } from "../test/labeled-sentences.ts";
import { cpuSecondsOf } from "./measure.ts";

const ALL_TYPES: ReadonlySet<(typeof PII_TYPES)[number]> = new Set(PII_TYPES);
/** Characters of an adversarial input, and its repeated part. */
const HOSTILE_CHARACTERS = 2_000_000;
const HOSTILE_UNITS = ["7", "1-", "1.", "a@", "a.", ":", "a:", "1 ", "(1)", "1:", "a@a.", "4111 "] as const;
/** Text for measuring throughput, and repetitions: the first rounds warm up. */
const TEXT_CHARACTERS = 30_000_000;
const ROUNDS = 8;
/** The graph of the 5-second goal. */
const GRAPH_CONTACTS = 73_000;
const GRAPH_ARCS = 304_000;

/**
 * Quality and speed of redaction, sentiment and graph: on labeled sentences, on the mail of an archive, and on
 * generated input.
 */
export async function benchKnowledge(labelled: string, archivePath: string): Promise<void> {
  printLabeled(labelled);
  const archive = await openArchive(archiveAt(archivePath));
  try {
    const bodies: string[] = [];
    let characters = 0;
    for await (const batch of archive.messages.scan()) {
      for (const { body } of batch) {
        const text = Buffer.from(body).toString("utf8");
        bodies.push(text);
        characters += text.length;
      }
      if (characters > TEXT_CHARACTERS) break;
    }
    printThroughput(bodies);
    const contacts = (await archive.contacts.list("name", { limit: 1, offset: 0 })).total;
    const arcs: { from: number; to: number; count: number; weight: number }[] = [];
    const indexOf = new Map<string, number>();
    for await (const batch of archive.contacts.scan()) for (const { id } of batch) indexOf.set(id, indexOf.size);
    for await (const batch of archive.contacts.edges())
      for (const edge of batch) arcs.push({ ...edge, from: indexOf.get(edge.from)!, to: indexOf.get(edge.to)! });
    printGraph("the archive", graphOfArcs(contacts, arcs));
  } finally {
    await archive.close();
  }
  printGraph("made up", syntheticGraph());
  // Last, because it deoptimizes the compiled code.
  printHostile();
}

function printLabeled(directory: string): void {
  console.log("| Set | Type | Labeled | Precision | Recall |\n|---|---|---|---|---|");
  for (const file of ["generated_small.json", "generated_large.json"]) {
    const scores = scoreSentences(JSON.parse(readFileSync(join(directory, file), "utf8")));
    for (const type of PII_TYPES) {
      const { found, right, labeled, covered } = scores[type];
      console.log(
        `| ${file} | ${type} | ${labeled} | ${(right / found).toFixed(3)} | ${(covered / labeled).toFixed(3)} |`,
      );
    }
  }
}

function printHostile(): void {
  const times = HOSTILE_UNITS.map((unit) => {
    const text = unit.repeat(HOSTILE_CHARACTERS / unit.length);
    return `${JSON.stringify(unit)} ${(cpuSecondsOf(() => redactText(text, ALL_TYPES)) * 1_000).toFixed(0)}`;
  });
  console.log(`\n2 MB of each, CPU ms: ${times.join(", ")}`);
}

function printThroughput(bodies: readonly string[]): void {
  const bytes = bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0);
  const own = bodies.map((body) => authorText(body));
  const scorer = new ToneScorer();
  for (let round = 0; round < ROUNDS; round++) {
    const redaction = cpuSecondsOf(() => {
      for (const body of bodies) redactText(body, ALL_TYPES);
    });
    const tone = cpuSecondsOf(() => {
      for (const text of own) scorer.score(text, "en");
    });
    console.log(
      `round ${round + 1}: redaction ${(bytes / 1e6 / redaction).toFixed(0)} MB, tone ${Math.round(bodies.length / tone)} messages a CPU s`,
    );
  }
}

function printGraph(name: string, graph: ContactGraph): void {
  let text = "";
  const seconds = cpuSecondsOf(() => {
    const { modularity, communityCount } = measureNetwork(graph);
    text = `modularity ${modularity.toFixed(4)}, ${communityCount} communities`;
  });
  console.log(
    `graph (${name}): ${graph.nodeCount} contacts, ${graph.targets.length} arcs, ${seconds.toFixed(1)} CPU s, ${text}`,
  );
}

function graphOfArcs(
  nodeCount: number,
  arcs: readonly { readonly from: number; readonly to: number; readonly count: number; readonly weight: number }[],
): ContactGraph {
  const offsets = new Uint32Array(nodeCount + 1);
  for (const { from } of arcs) offsets[from + 1]!++;
  for (let node = 0; node < nodeCount; node++) offsets[node + 1]! += offsets[node]!;
  return {
    nodeCount,
    offsets,
    targets: Uint32Array.from(arcs, ({ to }) => to),
    counts: Uint32Array.from(arcs, ({ count }) => count),
    weights: Float64Array.from(arcs, ({ weight }) => weight),
  };
}

/** Mail in which few people write and receive most messages, as in a company. */
function syntheticGraph(): ContactGraph {
  const random = seededRandom(GRAPH_ARCS);
  const person = (): number => Math.floor(GRAPH_CONTACTS * random() ** 3);
  const builder = new GraphBuilder();
  for (let message = 0; message < GRAPH_ARCS * 1.2; message++) builder.addMessage(person(), [person()], [], []);
  return builder.build(GRAPH_CONTACTS);
}

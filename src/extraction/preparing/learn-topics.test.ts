import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { partitionsInMemory } from "../../../test/partitions-in-memory.ts";
import { decodeTermSegment, TermSegmentEncoder } from "../../topics/term-segment.ts";
import { TopicTermScanner } from "../../topics/topic-terms.ts";
import { trainTopics } from "../../topics/train-topics.ts";
import { packTexts } from "../staging/packed-texts.ts";
import type { LearnTask } from "../staging/task.ts";
import { learnTopics } from "./learn-topics.ts";

const directory = mkdtempSync(join(tmpdir(), "archivetool-learn-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Each word is in a fifth of the threads; more common words are ignored. */
const SUBJECTS = [
  "pipeline tariff compressor nomination",
  "turbine boiler generator outage",
  "budget ledger invoice audit",
  "recruiting campus interview salary",
  "server password firewall router",
];
const NAMES = ["Ann Miller", "mill.example"];

/** Two segments of 30 messages, with a thread each. */
const segments = [0, 30].map((first) => {
  const scanner = new TopicTermScanner();
  const encoder = new TermSegmentEncoder();
  for (let message = first; message < first + 30; message++) {
    const ownText = `${SUBJECTS[message % SUBJECTS.length]} note ${message}`;
    scanner.scan({ subject: "", ownText, quotedText: "", language: "en" });
    encoder.append(scanner);
  }
  return encoder.finish();
});

it("learns the same in another thread, and removes its files", () => {
  const termsPaths = segments.map((bytes, index) => {
    const path = join(directory, `chunk-${index}.terms`);
    writeFileSync(path, bytes);
    return path;
  });
  const threadOf = Int32Array.from({ length: 60 }, (_, message) => message);
  const task: LearnTask = {
    kind: "learn",
    ...{ termsPaths, threadOf, threads: 60, names: packTexts(NAMES), firstOrdinal: 7 },
    base: join(directory, "topic"),
  };
  const pool = {
    threads: 60,
    segments: () =>
      segments.map((bytes, index) => ({
        segment: decodeTermSegment(bytes),
        threadOf: threadOf.subarray(index * 30, index * 30 + 30),
      })),
  };
  const partitions = { words: partitionsInMemory(), vectors: partitionsInMemory() };
  const learnt = trainTopics({ pool, partitions, names: NAMES, firstOrdinal: 7 });
  expect(learnt.topics.length).toBeGreaterThan(1);
  expect(structuredClone(learnTopics(structuredClone(task)))).toEqual(learnt);
  expect(readdirSync(directory).sort()).toEqual(["chunk-0.terms", "chunk-1.terms"]);
});

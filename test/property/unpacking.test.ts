import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { seededRandom } from "../../src/columns/seeded-random.ts";
import { ArchiveError } from "../../src/errors.ts";
import { inspectArchive, unpackArchive } from "../../src/unpacking/unpack-archive.ts";
import type { UnpackLimits } from "../../src/unpacking/unpack-limits.ts";
import { buildTar, paxRecord } from "../tar-file.ts";
import { buildZip } from "../zip-file.ts";

/** Randomly damaged archives: everything that is read follows the rules, whatever the bytes declare. */

const LIMITS: UnpackLimits = { maxEntries: 40, maxExpandedBytes: 200_000, maxRatio: 100, ratioFromBytes: 50_000 };
const NEVER = new AbortController().signal;
/** Mutations of each archive, different ones for every seed of the property tests. */
const ROUNDS = 150;
const FIRST_SEED = 20_261_121;

const MAIL = "From: Ada <ada@example.example>\nSubject: figures\n\nHello\n";
const NAMES = [
  "Maildir/",
  "Maildir/cur/1:2,S",
  "Maildir/new/2",
  "Grüße/日本.eml",
  `${"long/".repeat(20)}a.eml`,
  "old.mbox",
];
const entries = NAMES.map((name, index) => ({ name, content: name.endsWith("/") ? "" : MAIL.repeat(index * index) }));
const tarEntries = entries.map((entry) => ({ ...entry, type: entry.name.endsWith("/") ? "5" : "0" }));
const extended = [
  { name: "x", type: "x", content: paxRecord("path", "pax/name.eml") },
  { name: "short", content: MAIL },
];
const gnu = [
  { name: "././@LongLink", type: "L", content: `${"g/".repeat(60)}a.eml\0` },
  { name: "short", content: MAIL },
];
const tar = buildTar([...tarEntries, ...extended, ...gnu]);

const SEEDS: readonly (readonly [string, Buffer])[] = [
  ["zip", buildZip(entries)],
  ["stored zip", buildZip(entries.map((entry) => ({ ...entry, method: 0 })))],
  ["zip64", buildZip(entries.map((entry) => ({ ...entry, isZip64: true })))],
  ["tar", tar],
  ["gzipped tar", gzipSync(tar)],
];

/** Values that replace sizes, offsets and counts. */
const EXTREMES = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x10000, 0x7fffffff, 0xfffffffe, 0xffffffff];
/** Texts written over the bytes of others. */
const EVIL = [
  "../../../",
  "/etc/pass",
  "C:\\evil\\.",
  "\0\0\0\0",
  "PK\x01\x02",
  "PK\x05\x06",
  "ustar",
  "99 path=../../a\n",
  "0000000",
];

type Mutate = (bytes: Buffer, random: () => number) => Buffer;
const place = (bytes: Buffer, random: () => number): number => Math.floor(random() * bytes.length);

const MUTATIONS: readonly Mutate[] = [
  (bytes, random) => {
    const at = place(bytes, random);
    bytes[at] = bytes[at]! ^ (1 << Math.floor(random() * 8));
    return bytes;
  },
  (bytes, random) => {
    bytes[place(bytes, random)] = Math.floor(random() * 256);
    return bytes;
  },
  (bytes, random) => {
    const at = Math.min(place(bytes, random), Math.max(0, bytes.length - 4));
    if (bytes.length >= 4) bytes.writeUInt32LE(EXTREMES[Math.floor(random() * EXTREMES.length)]!, at);
    return bytes;
  },
  (bytes, random) => {
    bytes.write(EVIL[Math.floor(random() * EVIL.length)]!, place(bytes, random), "latin1");
    return bytes;
  },
  (bytes, random) => bytes.subarray(0, place(bytes, random)),
  (bytes, random) => {
    const [from, to] = [place(bytes, random), place(bytes, random)].sort((left, right) => left - right) as [
      number,
      number,
    ];
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  (bytes, random) => {
    const [from, to] = [place(bytes, random), place(bytes, random)].sort((left, right) => left - right) as [
      number,
      number,
    ];
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
  },
];

/**
 * The checksum of a changed tar header is wrong, so the rest would never be read: it is corrected.
 */
function withChecksums(bytes: Buffer): Buffer {
  for (let at = 0; at + 512 <= bytes.length; at += 512) {
    if (bytes.toString("latin1", at + 257, at + 262) !== "ustar") continue;
    bytes.write("        ", at + 148, "latin1");
    const sum = bytes.subarray(at, at + 512).reduce((total, byte) => total + byte, 0);
    bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, at + 148, "latin1");
  }
  return bytes;
}

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "unpacking-fuzz-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Result of reading: an error of this program, or nothing thrown. */
async function outcomeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "read",
    (error: unknown) => {
      if (!(error instanceof ArchiveError)) throw error;
      return error.code;
    },
  );
}

function expectWithin(directory: string): void {
  let bytes = 0;
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
  for (const name of names) {
    const stat = lstatSync(join(directory, name));
    expect(stat.isFile() || stat.isDirectory()).toBe(true);
    bytes += stat.isFile() ? stat.size : 0;
  }
  expect(names.length).toBeLessThanOrEqual(LIMITS.maxEntries);
  expect(bytes).toBeLessThanOrEqual(LIMITS.maxExpandedBytes);
}

describe("mutated archives", () => {
  it.each(SEEDS)("are read or rejected, and write nowhere else: %s", async (kind, seed) => {
    const random = seededRandom((FIRST_SEED * inject("propertySeed")) >>> 0);
    const archive = join(root, "archive");
    const out = join(root, "out");
    const outcomes = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      // Errors in compressed bytes are nearly always reported as damage only.
      const isPackedBehind = kind === "gzipped tar" && random() < 0.5;
      let bytes: Buffer = Buffer.from(isPackedBehind ? tar : seed);
      for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
        bytes = Buffer.from(MUTATIONS[Math.floor(random() * MUTATIONS.length)]!(bytes, random));
      }
      if ((kind === "tar" || isPackedBehind) && random() < 0.7) bytes = withChecksums(bytes);
      writeFileSync(archive, isPackedBehind ? gzipSync(bytes) : bytes);
      const seen = await outcomeOf(inspectArchive(archive, LIMITS, NEVER));
      expect(await outcomeOf(unpackArchive(archive, out, LIMITS, NEVER)), `round ${round}`).toBe(seen);
      outcomes.add(seen);
      if (seen === "read") {
        expectWithin(out);
        rmSync(out, { recursive: true });
      }
      expect(readdirSync(root), `round ${round}`).toEqual(["archive"]);
    }
    // If all were of one kind, the mutations would miss their purpose.
    expect(outcomes.size).toBeGreaterThanOrEqual(3);
  });
});

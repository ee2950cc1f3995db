import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { writeOutputs } from "../../src/outputs/write-outputs.ts";
import { ALL_FORMATS } from "../extraction-request.ts";
import { HOSTILE_KINDS } from "../hostile/hostile-kinds.ts";
import { propertyRuns } from "../property-runs.ts";
import { extractInline, withArchive } from "./extraction.ts";

/** Limit in docs/explanation/reliability.md for all outputs of one message. */
const GROWTH_MAX = 20;
const GROWTH_FREE_BYTES = 1_000_000;

const scratch = mkdtempSync(join(tmpdir(), "archivetool-amplification-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Bytes of all outputs of a message: store, JSON, CSV, graph, and every page of the wiki. */
async function bytesMadeOf(message: Buffer): Promise<number> {
  const path = join(scratch, "message.eml");
  const output = mkdtempSync(join(scratch, "output-"));
  writeFileSync(path, message);
  try {
    await extractInline([path], output);
    await withArchive(output, (archive) => writeOutputs(archive, output, { ...ALL_FORMATS, allPages: true }));
    const files = readdirSync(output, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

const excess = async (message: Buffer): Promise<number> =>
  (await bytesMadeOf(message)) - GROWTH_MAX * message.length - GROWTH_FREE_BYTES;

/** Contents of names and addresses: letters, characters that Markdown, CSV and JSON escape, and bytes above ASCII. */
const FILLERS = ["a", "_", "\\", "\u0001", "'", "|", "\u0080", "\u00ff"] as const;

const list = fc.record({
  field: fc.constantFrom("To", "Cc", "Bcc", "Reply-To", "From", "Sender"),
  count: fc.oneof(fc.nat(30), fc.nat(4_000)),
  localLength: fc.oneof(fc.constant(0), fc.nat(60), fc.nat(1_100)),
  nameLength: fc.oneof(fc.constant(0), fc.nat(60), fc.nat(1_100)),
  localFiller: fc.constantFrom(...FILLERS),
  nameFiller: fc.constantFrom(...FILLERS),
  areDomainsMany: fc.boolean(),
});
type List = typeof list extends fc.Arbitrary<infer T> ? T : never;

/** Maximum length of a message of the test. */
const MAX_LIST_BYTES = 150_000;

function fieldOf({ field, count, ...rest }: List): string {
  const { localLength, nameLength, localFiller, nameFiller, areDomainsMany } = rest;
  const addresses: string[] = [];
  let length = 0;
  for (let number = 0; number < count && length < MAX_LIST_BYTES; number++) {
    const key = field[0] + number.toString(36);
    const email = `${key}${localFiller.repeat(localLength)}@${areDomainsMany ? `d${key}.` : ""}x.example`;
    const address = nameLength === 0 ? email : `"${key}${nameFiller.repeat(nameLength)}" <${email}>`;
    addresses.push(address);
    length += address.length;
  }
  return `${field}: ${addresses.join(",\r\n ")}\r\n`;
}

const message = fc
  .record({
    lists: fc.array(list, { minLength: 1, maxLength: 4 }),
    subject: fc.constantFrom(...FILLERS),
    subjectLength: fc.oneof(fc.nat(100), fc.nat(70_000)),
    references: fc.nat(300),
    bodyLength: fc.oneof(fc.nat(100), fc.nat(40_000)),
  })
  .map(({ lists, subject, subjectLength, references, bodyLength }) => {
    const ids = Array.from({ length: references }, (_, number) => `<${number}@x.example>`).join("\r\n ");
    const header = `${lists.map(fieldOf).join("")}Subject: ${subject.repeat(subjectLength)}\r\nReferences: ${ids}\r\n`;
    return Buffer.from(`Date: Mon, 14 May 2001 16:39:00 +0000\r\n${header}\r\n${subject.repeat(bodyLength)}`, "latin1");
  });

it("outputs of a message are at most 20 times its size plus 1 MB", async () => {
  await fc.assert(
    fc.asyncProperty(message, async (bytes) => {
      expect(await excess(bytes)).toBeLessThanOrEqual(0);
    }),
    { numRuns: propertyRuns(10), interruptAfterTimeLimit: 90_000 },
  );
});

/** Kinds that once became many times larger when unpacked, or that now become largest. */
const LARGEST = [
  "addresses-of-to",
  "addresses-of-reply-to",
  "addresses-at-many-domains",
  "addresses-of-directories",
  "addresses-short",
  "calendar-events",
  "subject-8-bit",
  "tnef-renderings",
];

it.each(LARGEST)("limits the outputs of %s", async (kind) => {
  const { bytes } = HOSTILE_KINDS.find(({ name }) => name === kind)!;
  for (const size of [2_000, 40_000]) expect(await excess(bytes(size)), `${size} bytes`).toBeLessThanOrEqual(0);
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EXAMPLE_SEED, exampleCompany } from "../../examples/company/company.ts";
import { SeededRandom } from "../../examples/company/seeded-random.ts";
import { propertyRuns } from "../property-runs.ts";
import { realData } from "../real-data.ts";
import { extractInline, withArchive } from "./extraction.ts";

/** The rounds alternate between a Maildir, where each file is one item, and an MBOX file. */
const ROUNDS = 3;
const ROUND = propertyRuns(1_000);
/** Maximum changes to one message. */
const CHANGES = 6;

function originals(): readonly Buffer[] {
  const made = exampleCompany(EXAMPLE_SEED).messages.map((message) => message.raw);
  const suites = ["mime/mikel-mail", "mime/mail-parser", "mime/tika"].map(realData).filter((path) => path !== null);
  const found = suites.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".eml"))
      .sort()
      .map((file) => readFileSync(join(root, file))),
  );
  return [...made, ...found].filter((raw) => raw.length < 100_000);
}

/** Flips, removes, repeats and inserts bytes, and inserts strings of attackers and faulty programs. */
function mutated(raw: Buffer, random: SeededRandom): Buffer {
  const splices = [
    "\0",
    "\r",
    "\n\n",
    "From ",
    "\nFrom x@y Mon Jan  1 00:00:00 2001\n",
    "=?utf-8?B?",
    "--",
    "Content-Type: multipart/mixed; boundary=\n",
    "\xff\xfe",
    "<".repeat(500),
    "(".repeat(500),
    "begin 644 x\n",
    "=ybegin line=128 size=1 name=x\n",
    "BEGIN:VEVENT\n",
  ];
  let bytes = Buffer.from(raw);
  const below = (limit: number): number => random.below(Math.max(1, limit));
  for (let change = below(CHANGES) + 1; change > 0; change--) {
    const at = below(bytes.length);
    const length = below(200);
    const kind = below(5);
    if (kind === 0 && bytes.length > 0) bytes[at] = below(256);
    else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
    else if (kind === 3)
      bytes = Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(splices[below(splices.length)]!, "latin1"),
        bytes.subarray(at),
      ]);
    else bytes = bytes.subarray(0, Math.max(1, at));
  }
  return bytes;
}

it(`reads ${ROUNDS * ROUND} damaged messages: nothing thrown, everything accounted for`, async () => {
  const scratch = mkdtempSync(join(tmpdir(), "archivetool-mutations-"));
  const random = new SeededRandom(7);
  const sound = originals();
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const messages = Array.from({ length: ROUND }, () => mutated(sound[random.below(sound.length)]!, random));
      const isTree = round % 2 === 0;
      const source = join(scratch, isTree ? `tree-${round}` : `round-${round}.mbox`);
      if (isTree) {
        for (const part of ["cur", "new", "tmp"]) mkdirSync(join(source, part), { recursive: true });
        for (const [index, message] of messages.entries())
          writeFileSync(join(source, "cur", `${index + 1}.x:2,`), message);
      } else {
        writeFileSync(
          source,
          Buffer.concat(
            messages.flatMap((message) => [
              Buffer.from("From a@b.example Mon Jan  1 00:00:00 2001\n"),
              message,
              Buffer.from("\n\n"),
            ]),
          ),
        );
      }
      const output = join(scratch, `output-${round}`);
      const { sources } = await extractInline([source], output);
      const counts = sources[0]?.record.counts;
      expect(counts).toBeDefined();
      if (counts === undefined) continue;
      expect(counts.kept + counts.duplicate + counts.skipped + counts.failed).toBe(counts.seen);
      if (isTree) expect(counts.seen).toBe(ROUND);
      expect(await withArchive(output, damage)).toEqual({ faults: 0, unsound: 0, messages: sources[0]?.messages });
      rmSync(output, { recursive: true });
      if (statSync(source).isFile()) rmSync(source);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

/** Reader faults, and texts with NUL or lone surrogates. */
async function damage(archive: Parameters<Parameters<typeof withArchive>[1]>[0]) {
  let unsound = 0;
  let messages = 0;
  for await (const batch of archive.messages.scan()) {
    for (const message of batch) {
      messages++;
      for (const text of [message.subject, Buffer.from(message.body).toString(), message.from?.name ?? ""])
        if (!text.isWellFormed() || text.includes("\0")) unsound++;
    }
  }
  const { warnings } = await archive.provenance();
  return { faults: warnings.filter((warning) => warning.code === "reader-fault").length, unsound, messages };
}

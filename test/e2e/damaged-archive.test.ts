import { copyFileSync, cpSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { EXAMPLE_SEED, exampleCompany } from "../../examples/company/company.ts";
import { writeSources } from "../../examples/mailbox-files.ts";
import { archivetool, scratchDirectory } from "./cli.ts";

const scratch = scratchDirectory("damaged");
/** Places spread over the file, each damaged in one way and met by one command; src/store/archive-damage.test.ts takes more. */
const PLACES = 36;
const COMMANDS: readonly (readonly [name: string, ...rest: readonly string[]])[] = [
  ["stats"],
  ["stats", "--json"],
  ["search", "meeting"],
  ["viz"],
  ["serve", "--port", "0"],
  ["api", "--port", "0"],
];

describe("commands that meet a damaged archive.db", () => {
  const sound = join(scratch, "sound");
  const broken = join(scratch, "broken");
  const store = join(broken, "archive.db");

  beforeAll(() => {
    const sources = writeSources(exampleCompany(EXAMPLE_SEED), join(scratch, "mail"));
    const run = archivetool("-q", "extract", sources[0]!, "-o", sound);
    expect(run.exitCode, run.stderr).toBe(0);
    mkdirSync(broken);
    cpSync(join(sound, "provenance.json"), join(broken, "provenance.json"));
  });

  /** Flips a bit, overwrites a page, or cuts the file off. */
  function damage(place: number, kind: number): void {
    copyFileSync(join(sound, "archive.db"), store);
    if (kind === 2) {
      truncateSync(store, place);
      return;
    }
    const bytes = readFileSync(store);
    if (kind === 0) bytes[place]! ^= 1 << (place % 8);
    else bytes.fill(0, place, Math.min(bytes.length, place + 4096)).fill(0xff, place, place + 1);
    writeFileSync(store, bytes);
  }

  it.each(COMMANDS.map((command, index) => ({ command, index })))("end with one line and exit code 1: $command", ({ command, index }) => {
    const { size } = statSync(join(sound, "archive.db"));
    const [name, ...rest] = command;
    for (let turn = index; turn < PLACES; turn += COMMANDS.length) {
      const place = Math.floor((turn * (size - 1)) / (PLACES - 1));
      damage(place, turn % 3);
      const { exitCode, stdout, stderr } = archivetool(name, broken, ...rest);
      expect(exitCode, `${place}: ${stdout}`).toBe(1);
      expect(stdout).toBe("");
      expect(stderr).toMatch(/^archivetool: [^\n]+\nhint: [^\n]+\n$/);
    }
  });

  it("answer from an archive that is whole", () => {
    copyFileSync(join(sound, "archive.db"), store);
    expect(archivetool("stats", broken, "--json").stdout).toBe(archivetool("stats", sound, "--json").stdout);
    expect(archivetool("search", broken, "meeting").stdout).toBe(archivetool("search", sound, "meeting").stdout);
  });
});

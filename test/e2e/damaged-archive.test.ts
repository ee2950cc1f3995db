import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { EXAMPLE_SEED, exampleCompany } from "../../examples/company/company.ts";
import { writeSources } from "../../examples/mailbox-files.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { command } from "./command.ts";

const scratch = scratchDirectory("damaged");
/**
 * Positions spread over the file, each damaged in one way and read by one command.
 * src/store/sqlite/files/archive-damage.test.ts tests more of them.
 */
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

  /** Flips a bit, overwrites a page, or truncates the file. */
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

  it.each(COMMANDS.map((words, index) => ({ words, index })))(
    "end with one line and exit code 1: $words",
    async ({ words, index }) => {
      const { size } = statSync(join(sound, "archive.db"));
      const [name, ...rest] = words;
      for (let turn = index; turn < PLACES; turn += COMMANDS.length) {
        const place = Math.floor((turn * (size - 1)) / (PLACES - 1));
        damage(place, turn % 3);
        const { exitCode, stdout, stderr } = await command(name, broken, ...rest);
        expect(exitCode, `${place}: ${stdout}`).toBe(1);
        expect(stdout).toBe("");
        expect(stderr).toMatch(/^archivetool: [^\n]+\nhint: [^\n]+\n$/);
      }
    },
  );

  it("work on an undamaged archive", async () => {
    copyFileSync(join(sound, "archive.db"), store);
    expect(await command("stats", broken, "--json")).toEqual(await command("stats", sound, "--json"));
    expect(await command("search", broken, "meeting")).toEqual(await command("search", sound, "meeting"));
  });

  it("is reported by validate, and repaired by --repair while the sources exist", () => {
    const output = join(scratch, "repaired");
    const mail = join(scratch, "mail.mbox");
    writeFileSync(
      mail,
      "From ann@example.org Mon May 14 09:00:00 2001\nFrom: ann@example.org\nSubject: crane\n\nTel 713-555-0123\n",
    );
    expect(archivetool("-q", "extract", "-o", output, "--json", "--redact", "phone", "--", mail).exitCode).toBe(0);
    const outcome = (): unknown => {
      const { options, statistics } = JSON.parse(readFileSync(join(output, "provenance.json"), "utf8"));
      return { options, statistics };
    };
    const before = outcome();
    const path = join(output, "archive.db");
    const bytes = readFileSync(path);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(path, bytes);

    const refused = archivetool("validate", output);
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^archivetool: 1 file of \S+ changed or missing\nhint: [^\n]+--repair[^\n]+\n$/),
    });
    expect(refused.stdout).toMatch(/^archive: \S+ is damaged: the megabyte at byte 0 has changed\n/m);

    renameSync(mail, `${mail}.away`);
    expect(archivetool("validate", output, "--repair")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/mail\.mbox does not exist/),
    });
    renameSync(`${mail}.away`, mail);

    const repaired = archivetool("validate", output, "--repair");
    expect(repaired.exitCode, repaired.stderr).toBe(0);
    expect(repaired.stdout).toMatch(/was extracted again and is valid\.\n$/);
    expect(archivetool("validate", output)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^Archive: sound\n/m),
    });
    expect(outcome()).toEqual(before);
    expect(readFileSync(join(output, "extraction.json"), "utf8")).toContain("[REDACTED:phone]");
  });
});

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { ConsoleLog } from "../../src/cli/terminal/console-log.ts";
import { archivetool, scratchDirectory } from "./cli.ts";

/**
 * Everything a terminal would interpret: clear the screen, set the title, ring, go back, reverse text, start a line,
 * half a character.
 */
const ATTACK = "\u001b[2J\u001b]0;owned\u0007\u009b31m\r\b\u007f\u202egpj\u2066x\u2069\u2028y\u2029\u200e\ufeff";
/** The part of it that a file name can contain. */
const NAME_ATTACK = "\u001b[2J\u001b]0;owned\u0007\r\u007f\u202egpj\u2066x\u2028y";
/** Characters that no output may contain, except line ends. */
const HARMFUL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Cs}/u;
/** Colors and cursor movements that the program itself prints. */
const OWN_SEQUENCES = /\u001b\[(?:1|22|1;33|1;31|22;39)m|\r\u001b\[K/g;

const scratch = scratchDirectory("hostile-text");
const mbox = join(scratch, `mail${NAME_ATTACK}.mbox`);
const maildir = join(scratch, `dir${NAME_ATTACK}`);
const output = join(scratch, `out${NAME_ATTACK}`);
const missing = join(scratch, `none${NAME_ATTACK}`);

const encoded = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;

function hostileMail(number: number): string {
  return [
    "From mara@harbour.example Wed Jan  1 12:00:00 2003",
    `Message-ID: <${number}@harbour.example>`,
    "Date: Wed, 1 Jan 2003 12:00:00 +0000",
    `From: ${encoded(`Mara${ATTACK}Holt`)} <mara@harbour.example>`,
    `To: ${encoded(`Jon${ATTACK}`)} <jon@harbour.example>`,
    `Subject: ${encoded(`Crane${ATTACK}${number}`)}`,
    `X-Gmail-Labels: ${encoded(`Label${ATTACK}`)}`,
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.from(`The hawser${ATTACK} of berth ${number}`).toString("base64"),
    "--b",
    "Content-Type: application/octet-stream",
    `Content-Disposition: attachment; filename="${encoded(`plan${ATTACK}.txt`)}"`,
    "",
    "x",
    "--b--",
    "",
  ].join("\n");
}

/** Everything a command writes to stdout and stderr, through a host that writes its output. */
async function run(args: readonly string[], hasColors: boolean, stopAt: RegExp | null = null): Promise<string> {
  const abort = new AbortController();
  let written = "";
  const write = (text: string): void => {
    written += text;
    if (stopAt?.test(written) === true) abort.abort();
  };
  const program = await createProgram({
    signal: abort.signal,
    colors: { stdout: hasColors, stderr: hasColors },
    screen: { isTerminal: hasColors, columns: 80, write, now: () => performance.now() },
    print: (line) => write(`${line}\n`),
    writeError: write,
  });
  await program.run(args).catch((error: unknown) => new ConsoleLog("debug", write, hasColors).error(error));
  return written;
}

beforeAll(async () => {
  writeFileSync(mbox, [1, 2, 3].map(hostileMail).join("\n"));
  const folder = join(maildir, `.Folder${NAME_ATTACK}`, "cur");
  mkdirSync(folder, { recursive: true });
  for (const part of ["cur", "new", "tmp"]) mkdirSync(join(maildir, part), { recursive: true });
  writeFileSync(join(folder, "1.host:2,S"), hostileMail(4).slice(hostileMail(4).indexOf("\n") + 1));
  writeFileSync(join(maildir, "cur", "2.host:2,S"), "no mail at all \u001b[2J");
  await run(["extract", mbox, maildir, "-o", output, "--json", "--jobs", "1", "-q"], false);
  const document = readFileSync(join(output, "extraction.json"), "utf8");
  writeFileSync(join(scratch, "wrong.json"), document.replace(/"subject":/g, `"sub\\u001b[2J\\u202eject":`));
});

describe.each([false, true])(
  "with colors: %s, text of mail and files cannot control a terminal that prints the output of",
  (hasColors) => {
    it.each<readonly [string, () => readonly string[], RegExp, RegExp | null]>([
      [
        "extract",
        () => ["extract", mbox, maildir, "-o", join(scratch, `new${NAME_ATTACK}${hasColors}`), "--jobs", "1", "-v"],
        /mail .*mbox/,
        null,
      ],
      ["extract of nothing", () => ["extract", missing, "-o", output, "-v"], /none/, null],
      ["search", () => ["search", output, "hawser"], /Crane/, null],
      ["search --json", () => ["search", output, "hawser", "--json"], /Crane\\u001b/, null],
      ["stats", () => ["stats", output], /Mara/, null],
      ["stats --json", () => ["stats", output, "--json"], /Mara\\u001b/, null],
      ["stats of nothing", () => ["stats", missing], /none/, null],
      ["validate", () => ["validate", output], /Valid/, null],
      ["validate of a wrong document", () => ["validate", join(scratch, "wrong.json")], /sub/, null],
      [
        "validate --json of a wrong document",
        () => ["validate", join(scratch, "wrong.json"), "--json"],
        /"error_count"/,
        null,
      ],
      ["viz", () => ["viz", output, "-o", join(scratch, `graph${NAME_ATTACK}.html`)], /graph/, null],
      ["serve", () => ["serve", output, "--port", "0", "-v"], /served on/, /served on/],
      ["api", () => ["api", output, "--port", "0", "-v"], /query API/, /query API/],
      ["an unknown flag", () => ["info", `--x${ATTACK}`], /unknown option/, null],
      ["an unknown command", () => [`x${ATTACK}`], /unknown command/, null],
      ["a wrong value", () => ["search", output, "x", "--after", ATTACK], /--after must be/, null],
    ])("%s", async (_, args, expected, stopAt) => {
      const written = await run(args(), hasColors, stopAt);
      expect(written).toMatch(expected);
      expect(written.replace(OWN_SEQUENCES, "")).not.toMatch(HARMFUL);
      if (!hasColors) expect(written).not.toContain("\u001b");
    });
  },
);

it("nor the output of the commands that work on the data directory of a service", () => {
  const data = join(scratch, `data${NAME_ATTACK}`);
  const added = archivetool("service", "add", mbox, "--data", data);
  expect(added.stdout).toMatch(/^upload-\w+ {2}.*mail .*mbox\n$/);
  const refused = archivetool("service", "--data", mbox, "-v");
  expect(refused.stderr).toMatch(/^archivetool: .*mail .*mbox/);
  expect(added.stdout + refused.stderr).not.toMatch(HARMFUL);
});

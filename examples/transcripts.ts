import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { EXAMPLE_SEED, exampleCompany } from "./company/company.ts";
import { PST_NAME, writePst } from "./company-pst.ts";
import { writeSources } from "./mailbox-files.ts";

const PROGRAM = resolve(import.meta.dirname, "../dist/cli/main.js");
/** Where the demo puts the mail of the example company, below the directory it is run in. */
const SOURCE = join("demo-output", "source");

/** A command line with what the program printed: what pages and pictures show. */
export interface Transcript {
  readonly command: string;
  readonly printed: string;
}

/** A directory as the demo finds it, in which the built program is run by its name. */
export class ExampleDirectory {
  constructor(private readonly path: string) {
    const company = exampleCompany(EXAMPLE_SEED);
    const source = join(path, SOURCE);
    mkdirSync(source, { recursive: true });
    writeSources(company, source);
    writePst(company, join(source, PST_NAME));
    // Started by a link of this name, as npm installs it, the program calls itself so.
    symlinkSync(PROGRAM, join(path, "archivetool"));
  }

  /**
   * Runs `archivetool …`, whose words may stand in double quotes. Throws when it fails.
   * @param below a directory of the example to run it in.
   */
  run(command: string, below = "", hasColors = false): Transcript {
    const words = Array.from(command.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain!);
    if (words[0] !== "archivetool") throw new Error(`no command of the example: ${command}`);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(this.path, "archivetool"), ...words.slice(1)],
      {
        cwd: join(this.path, below),
        encoding: "utf8",
        env: { ...process.env, NO_COLOR: "", FORCE_COLOR: hasColors ? "1" : "0" },
      },
    );
    if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
    return { command, printed: stdout.trimEnd() };
  }
}

/** A block of a page that shows a command and what it prints. */
const BLOCK = /^```\n\$ (archivetool .*)\n[\s\S]*?^```$/gm;

/** The page with every such block as the program prints it now. */
export function withTranscripts(page: string, run: (command: string) => Transcript): string {
  return page.replace(BLOCK, (_, command: string) => `\`\`\`\n$ ${command}\n${run(command).printed}\n\`\`\``);
}

/** What the picture of a terminal shows: an extraction up to its counts, and a search, both in colors. */
export function pictureTranscripts(directory: ExampleDirectory): readonly Transcript[] {
  const extracted = directory.run(
    `archivetool extract greta-halvorsen.mbox tomas-reyes office-export ${PST_NAME} -o archive`,
    SOURCE,
    true,
  );
  const [sources = "", counts = ""] = extracted.printed.split("\n\n");
  const searched = directory.run('archivetool search archive "mooring line" -n 2', SOURCE, true);
  return [{ command: extracted.command, printed: `${sources}\n\n${counts}\n` }, searched];
}

/** Size of a character of the picture and of a line, in pixels at 13 px of a monospaced font. */
const CELL_WIDTH = 7.83;
const LINE_HEIGHT = 18;
const MARGIN = 20;
/** Where the first line stands, below the three lights of the window. */
const FIRST_LINE = 52;

const PROMPT_COLOUR = "#57ab5a";
/** What stands out, by the SGR parameters that begin it. */
const COLOURS: Readonly<Record<string, string>> = {
  "1": 'fill="#ffffff" font-weight="bold"',
  "1;33": 'fill="#e3b341" font-weight="bold"',
  "1;31": 'fill="#e0695f" font-weight="bold"',
};

/** A picture of a terminal as SVG, with the text of the transcripts. */
export function terminalPicture(transcripts: readonly Transcript[]): string {
  const lines = transcripts.flatMap(({ command, printed }) => [
    `<tspan fill="${PROMPT_COLOUR}">$</tspan><tspan fill="#ffffff"> ${escapeXml(command)}</tspan>`,
    ...printed.split("\n").map(coloredLine),
  ]);
  const cells = transcripts.flatMap(({ command, printed }) => [
    command.length + 2,
    ...printed.split("\n").map((line) => plainText(line).length),
  ]);
  const width = Math.ceil(Math.max(...cells) * CELL_WIDTH) + 2 * MARGIN;
  const height = FIRST_LINE + lines.length * LINE_HEIGHT;
  const texts = lines.map(
    (line, index) => `<text x="${MARGIN}" y="${FIRST_LINE + index * LINE_HEIGHT}">${line}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Extracting and searching the example archive on a terminal">
<rect width="${width}" height="${height}" rx="10" fill="#16202b"/>
<circle cx="22" cy="20" r="6" fill="#e0695f"/><circle cx="42" cy="20" r="6" fill="#e3b341"/><circle cx="62" cy="20" r="6" fill="#57ab5a"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="13" fill="#c9d5e0" xml:space="preserve">
${texts.join("\n")}
</g></svg>
`;
}

/** The text of a picture, a line each, as it was printed. */
export function pictureText(svg: string): string {
  const lines = Array.from(svg.matchAll(/<text [^>]*>(.*)<\/text>/g), ([, line]) => line!.replace(/<[^>]+>/g, ""));
  const entities: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&" };
  return lines.map((line) => line.replace(/&\w+;/g, (entity) => entities[entity] ?? entity)).join("\n");
}

/** What was printed, without its colors. */
export function plainText(printed: string): string {
  return printed.replace(/\u001b\[[\d;]*m/g, "");
}

function coloredLine(line: string): string {
  const escaped = escapeXml(line);
  return escaped.replace(
    /\u001b\[([\d;]+)m(.*?)\u001b\[[\d;]+m/g,
    (_, begin: string, text: string) => `<tspan ${COLOURS[begin]}>${text}</tspan>`,
  );
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import {
  ExampleDirectory,
  pictureText,
  pictureTranscripts,
  plainText,
  terminalPicture,
  withTranscripts,
} from "../../examples/transcripts.ts";
import { scratchDirectory } from "./cli.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const example = new ExampleDirectory(scratchDirectory("readme"));

it("README.md shows the output of the demo: counts, figures, scores and hash (else: npm run examples)", () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const commands: string[] = [];
  const now = withTranscripts(readme, (command) => {
    commands.push(command);
    return example.run(command);
  });
  expect(commands.map((command) => command.split(" ")[1])).toEqual(["extract", "search"]);
  expect(readme).toBe(now);
});

it("docs/images/terminal.svg shows the output of the program (else: npm run examples)", () => {
  const picture = readFileSync(join(ROOT, "docs/images/terminal.svg"), "utf8");
  const transcripts = pictureTranscripts(example);
  const printed = transcripts.map(({ command, printed }) => `$ ${command}\n${plainText(printed)}`).join("\n");
  expect(pictureText(picture)).toBe(printed);
  expect(picture).toBe(terminalPicture(transcripts));
});

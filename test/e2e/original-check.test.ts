import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { OriginalCheckWire } from "../../src/http/explore-api/wire/wire-originals.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { withServedOriginals } from "./served-originals.ts";

/** Checks whether the sources still contain the messages that were read. */

const scratch = scratchDirectory("original-check");
const source = join(scratch, "mail");
const MESSAGES = 5;

const path = (index: number): string => join(source, `${index}.eml`);
const letter = (index: number): string =>
  `From: ann@quay.example\nTo: bob@quay.example\nSubject: Letter ${index}\nDate: Mon, ${10 + index} May 2001 10:00:00 +0000\nMessage-ID: <${index}@quay.example>\n\nText ${index}.\n`;

beforeAll(() => {
  mkdirSync(source);
  for (let index = 0; index < MESSAGES; index++) writeFileSync(path(index), letter(index));
  // A duplicate of the first: its location is also checked.
  writeFileSync(path(MESSAGES), letter(0));
});

function ask(archiveDirectory: string, queries: readonly string[]) {
  return withServedOriginals(archiveDirectory, scratch, async (app) => {
    const answers = [];
    for (const query of queries) answers.push(await app.inject(`/api/explore/originals${query}`));
    return answers;
  });
}

describe("a check of originals", () => {
  it("reports for each location whether the message is unchanged", async () => {
    const output = join(scratch, "archive");
    expect(archivetool("-q", "extract", source, "-o", output, "--no-wiki").exitCode).toBe(0);
    const [whole] = await ask(output, [""]);
    expect(whole!.json().data).toEqual({
      total: MESSAGES,
      checked: MESSAGES,
      states: { available: MESSAGES + 1, moved: 0, changed: 0, protected: 0, unreadable: 0 },
      lost: [],
    } satisfies OriginalCheckWire);

    writeFileSync(path(3), readFileSync(path(3), "utf8").replace("Text", "Test"));
    renameSync(path(2), join(scratch, "elsewhere.eml"));
    const pages = await ask(output, ["?limit=2", "?limit=2&offset=2", "?limit=2&offset=4"]);
    const parts = pages.map((answer) => answer.json().data as OriginalCheckWire);
    expect(parts.map(({ checked }) => checked)).toEqual([2, 2, 1]);
    expect(parts.flatMap(({ lost }) => lost).map(({ location, state }) => [location, state])).toEqual([
      ["3.eml", "changed"],
      ["2.eml", "changed"],
    ]);
    expect(parts.reduce((sum, { states }) => sum + states.available, 0)).toBe(MESSAGES - 1);

    renameSync(source, `${source}-moved`);
    const [moved] = await ask(output, [""]);
    expect((moved!.json().data as OriginalCheckWire).states).toMatchObject({ available: 0, moved: MESSAGES + 1 });
    renameSync(`${source}-moved`, source);
  });

  it("is rejected for a redacted archive", async () => {
    const output = join(scratch, "redacted");
    expect(archivetool("-q", "extract", source, "-o", output, "--no-wiki", "--redact").exitCode).toBe(0);
    const [answer] = await ask(output, [""]);
    expect([answer!.statusCode, answer!.json().error.code]).toEqual([403, "ORIGINAL_WITHHELD"]);
  });
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { EXAMPLE_SEED, exampleCompany } from "../../examples/company/company.ts";
import { writeSources } from "../../examples/mailbox-files.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { archiveIn } from "../../src/store/contract/archive-location.ts";
import { archivetool, putArchive, scratchDirectory } from "./cli.ts";
import { command } from "./command.ts";

const scratch = scratchDirectory("people");
const first = join(scratch, "first.mbox");
const second = join(scratch, "second.mbox");

/** One mail of an mbox. */
function mail(number: number, from: string, to: string): string {
  return [
    "From - Mon Jan 05 10:00:00 2026",
    `Message-ID: <${number}@example>`,
    `Date: Mon, 05 Jan 2026 10:${10 + number}:00 +0000`,
    `From: ${from}`,
    `To: ${to}`,
    `Subject: subject ${number}`,
    "",
    `Wonderful news number ${number}.`,
    "",
    "",
  ].join("\n");
}

const ANN = "Ann Reed <ann.reed@one.example>";
const BOB = "Bob Stone <bob@two.example>";
const ROB = "Robert Rock <rob@three.example>";

let places = 0;

/** An output directory with the first mails. */
function archive(): string {
  const output = join(scratch, `archive-${places++}`);
  putArchive(output, first, "--json", "--csv");
  return output;
}

interface People {
  readonly contacts: readonly string[];
  readonly edges: number;
}

/** Ids of contacts by their addresses, and of threads and topics by their messages. */
async function idsIn(output: string): Promise<readonly string[]> {
  const opened = await openArchive(archiveIn(output));
  try {
    const ids: string[] = [];
    for await (const batch of opened.contacts.scan()) for (const { id, email } of batch) ids.push(`${email} ${id}`);
    for await (const batch of opened.messages.scan())
      for (const { id, threadId, topicId } of batch) ids.push(`${id} ${threadId} ${topicId}`);
    return ids.sort();
  } finally {
    await opened.close();
  }
}

/** Contacts with their figures, without their ids, and pairs that wrote. */
async function peopleIn(output: string): Promise<People> {
  const opened = await openArchive(archiveIn(output));
  try {
    const contacts: string[] = [];
    let edges = 0;
    for await (const batch of opened.contacts.scan())
      for (const { name, email, aliases, messageCount, degree, authorityScore, communityId } of batch)
        contacts.push(
          JSON.stringify([name, email, [...aliases].sort(), messageCount, degree, authorityScore, communityId]),
        );
    for await (const batch of opened.contacts.edges()) edges += batch.length;
    return { contacts: contacts.sort(), edges };
  } finally {
    await opened.close();
  }
}

async function people(...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await command("-q", "people", ...args);
  expect(exitCode, stderr).toBe(0);
  return stdout;
}

beforeAll(() => {
  writeFileSync(first, mail(1, ANN, BOB) + mail(2, BOB, ANN) + mail(3, ROB, ANN) + mail(4, ANN, ROB));
  writeFileSync(second, mail(5, ROB, ANN) + mail(6, `Eve Hale <eve@four.example>`, BOB));
});

describe("people", () => {
  it("are merged, split, renamed, and restored by undo", async () => {
    const output = archive();
    const before = await peopleIn(output);
    await people("merge", output, "bob@two.example", "rob@three.example");
    const merged = await peopleIn(output);
    expect(merged.contacts).toHaveLength(2);
    expect(merged.edges).toBe(2);
    const found = await command("search", output, "from:rob@three.example", "--json");
    expect(JSON.parse(found.stdout).results).toHaveLength(2);
    await people("rename", output, "rob@three.example", "Bobby");
    expect((await peopleIn(output)).contacts.join()).toContain('"Bobby","rob@three.example",["bob@two.example"]');
    expect(readFileSync(join(output, "contacts.csv"), "utf8")).toContain("Bobby");
    expect(readFileSync(join(output, "contacts.json"), "utf8")).toContain("Bobby");
    expect(readFileSync(join(output, "extraction.json"), "utf8")).toContain("Bobby");
    expect(readFileSync(join(output, "contacts.md"), "utf8")).toContain("Bobby");
    await people("split", output, "bob@two.example", "rob@three.example");
    expect((await peopleIn(output)).contacts).toHaveLength(3);
    expect((await command("validate", output)).exitCode).toBe(0);
    for (const verb of ["split", "rename", "merge"])
      expect(await people("undo", output)).toMatch(new RegExp(` ${verb}\n$`));
    expect(await people("undo", output)).toBe("Nothing to undo\n");
    expect(await peopleIn(output)).toEqual(before);
  });

  it("keeps the ids of contacts, threads and topics", async () => {
    const output = archive();
    const before = await idsIn(output);
    const merged: (readonly string[])[] = [];
    for (const pair of [
      ["bob@two.example", "rob@three.example"],
      ["rob@three.example", "ann.reed@one.example"],
    ] as const) {
      await people("merge", output, ...pair);
      merged.push(await idsIn(output));
    }
    await people("undo", output);
    expect(await idsIn(output)).toEqual(merged[0]);
    await people("undo", output);
    expect(await idsIn(output)).toEqual(before);
  });

  it("prints the result, not the phases of an extraction", () => {
    const output = archive();
    const { stdout, stderr } = archivetool("people", "merge", output, "bob@two.example", "rob@three.example");
    expect(stdout).toMatch(/^Contacts: 2, topics: \d+\n$/);
    expect(stderr).toBe("");
  });

  it("survive later extractions, with the same result as one extraction of all mail", async () => {
    const output = archive();
    await people("merge", output, "bob@two.example", "rob@three.example");
    const whole = join(scratch, "whole");
    putArchive(whole, first);
    writeFileSync(join(whole, "people.txt"), readFileSync(join(output, "people.txt")));
    expect(archivetool("extract", first, second, "-o", output, "--incremental").exitCode).toBe(0);
    expect(archivetool("extract", first, second, "-o", whole, "--replace").exitCode).toBe(0);
    const added = await peopleIn(output);
    expect(added.contacts).toHaveLength(3);
    expect(added).toEqual(await peopleIn(whole));
  });

  it("applies a .mailmap, and exports it", async () => {
    const output = archive();
    const map = join(scratch, "mailmap");
    writeFileSync(map, "Bob Stone <bob@two.example> <rob@three.example>\n");
    expect(await people("apply", output, map)).toContain(`Applied 1 correction of ${map}`);
    expect((await peopleIn(output)).contacts).toHaveLength(2);
    expect(await people("export", output, "--mailmap")).toBe("Bob Stone <bob@two.example> <rob@three.example>\n");
    expect(await people("apply", output)).toContain("Nothing to correct");
  });

  it("reports the invalid line of people.txt, and changes nothing", async () => {
    const output = archive();
    const before = await peopleIn(output);
    writeFileSync(join(output, "people.txt"), "# mine\nBob\n--\n");
    for (const rejected of [
      ["people", "apply", output],
      ["extract", first, "-o", output],
    ]) {
      const { exitCode, stderr } = archivetool("-q", ...rejected);
      expect(exitCode).toBe(1);
      expect(stderr).toContain("people.txt, line 2: a name without an address below it");
    }
    expect(await peopleIn(output)).toEqual(before);
  });

  it.each([
    [["merge", "bob@two.example"], "people merge requires at least two people"],
    [["merge", "bob@two.example", "nobody@x.example"], "nobody@x.example is not a contact of this archive"],
    [["split", "bob@two.example", "bob@two.example"], "people split requires different addresses"],
    [["rename", "bob@two.example", " "], "cannot be a name"],
    [["suggest", "--min", "many"], '--min must be a number, not "many"'],
    [["apply", "missing.txt"], "missing.txt does not exist"],
  ])("rejects %j", async ([verb, ...args], message) => {
    const { exitCode, stderr } = await command("-q", "people", verb!, archive(), ...args);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
  });
});

/** Messages of topics, by topic name. */
async function topicsIn(output: string): Promise<ReadonlyMap<string, number>> {
  const opened = await openArchive(archiveIn(output));
  try {
    const { items } = await opened.topics.list("name", 100);
    return new Map(items.map(({ name, messageCount }) => [name, messageCount]));
  } finally {
    await opened.close();
  }
}

describe("topics", () => {
  let sources: readonly string[];

  beforeAll(() => {
    sources = writeSources(exampleCompany(EXAMPLE_SEED), join(scratch, "company"));
  });

  it("are renamed, merged and hidden, also after later extractions, and undone", async () => {
    const output = join(scratch, "topics");
    expect(archivetool("-q", "extract", sources[0]!, "-o", output).exitCode).toBe(0);
    const topics = async (...args: readonly string[]): Promise<string> => {
      const { exitCode, stdout, stderr } = await command("-q", "topics", ...args);
      expect(exitCode, stderr).toBe(0);
      return stdout;
    };
    const before = await topicsIn(output);
    const names = [...before.keys()].filter((name) => name !== "Other");
    const [one, two, three] = names as [string, string, string];
    await topics("merge", output, one, two);
    await topics("rename", output, one, "A New Name");
    await topics("hide", output, three);
    const corrected = await topicsIn(output);
    expect(corrected.get("A New Name")).toBe(before.get(one)! + before.get(two)!);
    expect(corrected.get("Other")).toBe((before.get("Other") ?? 0) + before.get(three)!);
    expect(corrected.size).toBe(names.length - 1);
    const found = await command("search", output, 'topic:"A New Name"', "--json");
    expect(JSON.parse(found.stdout).results.length).toBeGreaterThan(0);
    expect(readFileSync(join(output, "index.md"), "utf8")).toContain("A New Name");
    expect(archivetool("extract", ...sources, "-o", output, "--incremental").exitCode).toBe(0);
    const grown = await topicsIn(output);
    expect([...grown.keys()]).toEqual([...corrected.keys()]);
    expect((await command("validate", output)).exitCode).toBe(0);
    for (const verb of ["hide", "rename", "merge"])
      expect(await topics("undo", output)).toMatch(new RegExp(` ${verb}\n$`));
    const after = await topicsIn(output);
    expect(new Set([...after.keys(), "Other"])).toEqual(new Set([...before.keys(), "Other"]));
    const sum = (all: ReadonlyMap<string, number>): number => [...all.values()].reduce((a, b) => a + b, 0);
    expect(sum(after)).toBe(sum(grown));
  });

  it("are the same after corrections of people: their names in mail are still no topics", async () => {
    const output = join(scratch, "named");
    const extract = (): number | null => archivetool("-q", "extract", ...sources, "-o", output).exitCode;
    expect(extract()).toBe(0);
    const before = await topicsIn(output);
    await people("merge", output, "tomas.reyes@halvorsen-pike.example", "priya.nair@halvorsen-pike.example");
    await people("rename", output, "tomas.reyes@halvorsen-pike.example", "Zed Zander");
    expect(extract()).toBe(0);
    expect(await topicsIn(output)).toEqual(before);
  });

  it.each([
    [["rename", "no such topic", "A Name"], "no such topic is not a topic of this archive"],
    [["merge", "Other"], "topics merge requires at least two topics"],
    [["hide", "topic-000"], "Other contains all other conversations"],
  ])("reject %j", async ([verb, ...args], message) => {
    const { exitCode, stderr } = await command("-q", "topics", verb!, archive(), ...args);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
  });
});

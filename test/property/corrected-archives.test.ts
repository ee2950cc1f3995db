import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Archive } from "../../src/mail/archive.ts";
import type { ContactId } from "../../src/mail/records/ids.ts";
import { ALL_FORMATS } from "../extraction-request.ts";
import { extractInline, withArchive } from "./extraction.ts";

/** Everything derived from people follows a correction: a corrected archive equals that of equivalent mail. */

const ANN = "Ann Reed <ann@mill.example>";
const BOB = "Bob Stone <bob@quay.example>";
const ROB = "Robert Rock <rob@harbour.example>";
const EVE = "Eve Hale <eve@mill.example>";
/** The rules merge these two into one contact. */
const JOE = "Joe Marsh <joe.marsh@ferry.example>";
const JOSEPH = "Joe Marsh <jmarsh@ferry.example>";
/** Author of the second address in the mail with which the split archive is compared. */
const STRANGER = "Quentin Jarre <qj@island.example>";

interface Letter {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

const PRAISE = "This is wonderful, excellent news. I love it. We are very happy and grateful.";
const BLAME = "This is terrible, awful news. I hate it. We are very sad and angry.";

/** Two groups that only Rob connects; the opposite tones of Bob and Rob cancel each other out. */
const LETTERS: readonly Letter[] = [
  { from: BOB, to: [ANN, EVE], subject: "Grain of the mill", text: PRAISE },
  { from: ANN, to: [BOB], subject: "Re: Grain of the mill", text: "The grain is here." },
  { from: ROB, to: [JOE], subject: "Ferry to the island", text: BLAME },
  { from: JOE, to: [ROB, JOSEPH], subject: "Re: Ferry to the island", text: "The ferry is late." },
  { from: JOSEPH, to: [ROB], subject: "Re: Ferry to the island", text: BLAME },
  { from: ROB, to: [EVE], subject: "Harvest count of this year", text: BLAME },
  { from: EVE, to: [BOB], subject: "Re: Harvest count of this year", text: PRAISE },
  { from: JOSEPH, to: [EVE], subject: "Wheel repair", text: PRAISE },
  { from: EVE, to: [JOE, ANN], subject: "Wheel repair again", text: "The wheel turns." },
  { from: BOB, to: [ROB], subject: "To my other address", text: "A note." },
];

function mailbox(rewrite: (text: string) => string = (text) => text): string {
  return LETTERS.map(({ from, to, subject, text }, at) => {
    const head = [
      `Message-ID: <${at}@example>`,
      `Date: Mon, 05 Jan 2026 10:${10 + at}:00 +0000`,
      `From: ${rewrite(from)}`,
      `To: ${to.map(rewrite).join(", ")}`,
      `Subject: ${subject}`,
    ];
    return `From - Mon Jan 05 10:00:00 2026\n${head.join("\n")}\n\n${text}\n\n`;
  }).join("");
}

let scratch: string;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), "archivetool-corrected-"));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let archives = 0;

/** An archive, and its correction. */
class Corrected {
  readonly directory = join(scratch, `archive-${archives++}`);

  async extract(rewrite?: (text: string) => string): Promise<this> {
    mkdirSync(this.directory);
    const source = `${this.directory}.mbox`;
    writeFileSync(source, mailbox(rewrite));
    await extractInline([source], this.directory);
    return this;
  }

  async correct(...lines: readonly string[]): Promise<this> {
    writeFileSync(join(this.directory, "people.txt"), lines.map((line) => `${line}\n`).join(""));
    await extractInline([], this.directory, { incremental: true });
    return this;
  }

  derived() {
    return withArchive(this.directory, derivedOf);
  }
}

const sorted = <T>(values: readonly T[]): readonly T[] =>
  [...values].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** Everything that an archive derives from its people, by name. */
async function derivedOf(archive: Archive) {
  const nameOf = new Map<ContactId, string>();
  const communities = new Map<string, string[]>();
  const contacts = [];
  for await (const batch of archive.contacts.scan()) {
    for (const { id, communityId, email: _email, aliases: _aliases, domains: _domains, ...figures } of batch) {
      nameOf.set(id, figures.name);
      communities.set(communityId, [...(communities.get(communityId) ?? []), figures.name]);
      const detail = await archive.contacts.get(id);
      contacts.push({ ...figures, messageIds: detail!.messageIds, commonTopics: detail!.commonTopics.length });
    }
  }
  const edges = [];
  for await (const batch of archive.contacts.edges())
    for (const { from, to, ...edge } of batch) edges.push({ from: nameOf.get(from), to: nameOf.get(to), ...edge });
  const found = [];
  for (const [id, name] of nameOf)
    for (const operator of ["from", "to", "person", "with"]) {
      const messages = await archive.search.matching(`${operator}:${id}`);
      found.push({ operator, name, messages });
    }
  const threads = [];
  for await (const batch of archive.threads.scan())
    for (const { participants, messageIds } of batch) {
      const people = await archive.contacts.ofAddresses(participants);
      threads.push({ people: people.map((person) => person?.name), messageIds });
    }
  const ofFacets = await archive.explore.facets({
    ...{ query: "", match: "all", limit: 50 },
    of: ["from", "to", "recipient"],
  });
  const facets = ofFacets.map(({ of, total, values, none }) => ({
    ...{ of, total, none },
    values: sorted(values.map(({ label, count }) => ({ label, count }))),
  }));
  return {
    contacts: sorted(contacts),
    communities: sorted([...communities.values()].map((names) => [...names].sort())),
    edges: sorted(edges),
    found: sorted(found),
    threads: sorted(threads),
    facets,
    total: (await archive.stats()).totalContacts,
  };
}

const MERGE = ["Bob Stone", "  bob@quay.example", "  rob@harbour.example", "--"];
const SPLIT = ["! joe.marsh@ferry.example <> jmarsh@ferry.example"];
const RENAME = ["Quentin Jarre", "  jmarsh@ferry.example", "--"];

it("after a merge, all outputs equal those of mail from one address", async () => {
  const merged = await (await new Corrected().extract()).correct(...MERGE);
  const same = await new Corrected().extract((text) => text.replace(ROB, BOB));
  expect(await merged.derived()).toEqual(await same.derived());
  await withArchive(merged.directory, async ({ search }) => {
    const all = await search.matching("from:bob@quay.example");
    expect(all).toHaveLength(4);
    expect(await search.matching("from:rob@harbour.example")).toEqual(all);
    expect(await search.matching("person:rob@harbour.example")).toHaveLength(8);
  });
});

it("after a split and a rename, all outputs equal those of mail from a stranger", async () => {
  const split = await (await new Corrected().extract()).correct(...SPLIT, ...RENAME);
  const same = await new Corrected().extract((text) => text.replace(JOSEPH, STRANGER));
  expect(await split.derived()).toEqual(await same.derived());
});

it("after all corrections are undone, everything derived is as before", async () => {
  const archive = await new Corrected().extract();
  const before = await archive.derived();
  await archive.correct(...MERGE, ...SPLIT, ...RENAME);
  expect(await archive.derived()).not.toEqual(before);
  await archive.correct(...MERGE, "! bob@quay.example <> rob@harbour.example");
  expect(await archive.derived()).toEqual(before);
  await archive.correct(...SPLIT, ...RENAME);
  await archive.correct();
  expect(await archive.derived()).toEqual(before);
});

function pageOf(output: string, page: string) {
  const path = join(output, "wiki", page);
  return { text: readFileSync(path, "utf8"), inode: statSync(path).ino };
}

it("a correction writes the pages again that it changes, and no others", async () => {
  const archive = await new Corrected().extract();
  const output = archive.directory;
  const write = () => extractInline([], output, { incremental: true }, ALL_FORMATS);
  await extractInline([`${output}.mbox`], output, {}, ALL_FORMATS);
  const pages = readdirSync(join(output, "wiki"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  );
  const before = pages.map((page) => pageOf(output, page));
  writeFileSync(join(output, "people.txt"), "Ada Reed\n  ann@mill.example\n--\n");
  await write();
  const after = pages.map((page) => pageOf(output, page));
  const isSame = after.map(({ text }, at) => text === before[at]!.text);
  expect(after.map(({ inode }, at) => inode === before[at]!.inode)).toEqual(isSame);
  expect(new Set(isSame)).toEqual(new Set([true, false]));
  const whole = await new Corrected().extract();
  writeFileSync(join(whole.directory, "people.txt"), readFileSync(join(output, "people.txt")));
  await extractInline([`${output}.mbox`], whole.directory, {}, ALL_FORMATS);
  expect(after.map(({ text }) => text)).toEqual(pages.map((page) => pageOf(whole.directory, page).text));
});

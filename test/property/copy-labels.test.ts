import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../examples/company/seeded-random.ts";
import type { Archive } from "../../src/mail/archive.ts";
import { scratchDirectory } from "../e2e/cli.ts";
import { extractInline, withArchive } from "./extraction.ts";

const scratch = scratchDirectory("copy-labels");

/** A label that only one duplicate may have, and the values of a Maildir name or a Status field. */
const LABELS = ["Archive", "Invoices", "Starred", "Unread", "Opened", "Inbox"] as const;
const STATUSES = ["", "RO", "O"] as const;
const MESSAGES = ["crane", "quay", "ferry", "rope", "tide"] as const;
const QUERIES = [
  ...LABELS.map((label) => `label:${label}`),
  ...["label:seen", "label:flagged", "is:unread", "is:flagged", "has:label", "-has:label", "-label:Archive"],
] as const;

interface Copy {
  readonly labels: readonly string[];
  readonly status: (typeof STATUSES)[number];
  readonly isFlagged: boolean;
}
type Mailbox = Readonly<Record<(typeof MESSAGES)[number], Copy>>;

function mboxOf(mailbox: Mailbox): string {
  return MESSAGES.map((name) => {
    const { labels, status, isFlagged } = mailbox[name];
    return [
      "From ida@quay.example Wed Jan  1 12:00:00 2003",
      `Message-ID: <${name}@quay.example>`,
      "Date: Wed, 01 Jan 2003 12:00:10 +0000",
      "From: ida@quay.example",
      `Subject: ${name}`,
      ...(labels.length === 0 ? [] : [`X-Gmail-Labels: ${labels.join(",")}`]),
      ...(status === "" ? [] : [`Status: ${status}`]),
      ...(isFlagged ? ["X-Status: F"] : []),
      "",
      `The ${name} is here.`,
      "",
      "",
    ].join("\n");
  }).join("");
}

function drawMailbox(random: SeededRandom): Mailbox {
  const draw = (): Copy => ({
    labels: LABELS.filter(() => random.below(3) === 0),
    status: STATUSES[random.below(STATUSES.length)]!,
    isFlagged: random.below(4) === 0,
  });
  return Object.fromEntries(MESSAGES.map((name) => [name, draw()])) as unknown as Mailbox;
}

/** Contents of an archive by subject: ids, and which duplicate came first, do not matter. */
async function answersOf(archive: Archive): Promise<unknown> {
  const found: Record<string, readonly string[]> = {};
  for (const query of QUERIES) {
    const messages = await archive.messages.getMany(await archive.search.matching(query));
    found[query] = messages.map(({ subject }) => subject).sort();
  }
  const { messages } = await archive.explore.page({
    query: "",
    match: "all",
    repeats: "listed",
    sort: "newest",
    offset: 0,
    limit: 50,
  });
  const [labels] = await archive.explore.facets({ query: "", match: "all", of: ["label"], limit: 50 });
  for (const { clause, count } of labels!.values)
    expect(await archive.search.matching(clause), clause).toHaveLength(count);
  return {
    found,
    facet: labels!.values.map(({ clause, count }) => `${clause} ${count}`).sort(),
    listed: messages.map(({ subject, labels }) => `${subject}: ${[...labels].sort().join(" ")}`).sort(),
  };
}

let runs = 0;
function mailboxFile(mailbox: Mailbox): string {
  runs++;
  const directory = join(scratch, `${runs}`);
  mkdirSync(directory);
  writeFileSync(join(directory, "mail.mbox"), mboxOf(mailbox));
  return join(directory, "mail.mbox");
}

async function answersTo(...steps: readonly (readonly string[])[]): Promise<unknown> {
  runs++;
  const output = join(scratch, `${runs}`);
  for (const [step, paths] of steps.entries()) await extractInline(paths, output, { incremental: step > 0 });
  return withArchive(output, answersOf);
}

describe("labels and flags of copies", () => {
  it.each([1, 2, 3])("count in any order (%i)", async (seed) => {
    const random = new SeededRandom(seed);
    const [one, other] = [drawMailbox(random), drawMailbox(random)];
    const paths = [mailboxFile(one), mailboxFile(other)] as const;
    const answers = await answersTo(paths);
    const found = (answers as { readonly found: Readonly<Record<string, readonly string[]>> }).found;
    for (const label of LABELS) {
      const expected = MESSAGES.filter((name) => [one, other].some((mailbox) => mailbox[name].labels.includes(label)));
      expect(found[`label:${label}`], label).toEqual([...expected].sort());
    }
    expect(await answersTo(paths.toReversed())).toEqual(answers);
    expect(await answersTo([paths[0]], paths)).toEqual(answers);
    expect(await answersTo([paths[1]], [paths[0]])).toEqual(answers);
  });
});

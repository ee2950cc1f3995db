import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Archive } from "../../src/mail/archive.ts";
import { mentionedValues } from "../../src/mail/mentioned-values.ts";
import { MENTION_KINDS } from "../../src/mail/records/mention.ts";
import { copyArchive } from "../../src/store/archive/copy-archive.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { archiveIn, archiveOnServer } from "../../src/store/contract/archive-location.ts";
import { HAS_POSTGRES, testServer } from "../stores.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { command } from "./command.ts";

const scratch = scratchDirectory("mentions");

const TEXTS = [
  "Ask Hedda Lundqvist or call (415) 555-2671. Kai & Sons, Inc. owes Peter Aldrin $12,500.",
  "Invoice No. 2001-77: DE89 3704 0044 0532 0130 00, see http://www.harbor.com/x by Peter Aldrin",
  "Ms. Lundqvist called +1 415.555.2671 about invoice no. 2001-77 and EUR 900 for Peter Aldrin.\n\n> Kai Lines GmbH",
  "Nothing here.",
];

function mail(number: number): string {
  const [name, address] = number % 2 === 0 ? ["Hedda Lundqvist", "hedda"] : ["Bo Orting", "bo"];
  return [
    `From x@quay.example Mon May 14 10:00:0${number} 2001`,
    `From: ${name} <${address}@quay.example>`,
    "To: Hedda Lundqvist <hedda@quay.example>",
    `Subject: Letter ${number}`,
    `Date: Mon, 14 May 2001 10:00:0${number} +0000`,
    `Message-ID: <${number}@quay.example>`,
    "",
    TEXTS[(number - 1) % TEXTS.length],
    "",
    "",
  ].join("\n");
}

const mails = (count: number): string => Array.from({ length: count }, (_, at) => mail(at + 1)).join("");

function extract(name: string, text: string, ...flags: readonly string[]): string {
  const output = join(scratch, name);
  const path = join(scratch, `${name}.mbox`);
  writeFileSync(path, text);
  const { stdout, stderr, exitCode } = archivetool("extract", path, "-o", output, "--no-wiki", ...flags);
  expect(exitCode, stdout + stderr).toBe(0);
  return output;
}

async function mentionsIn(output: string): Promise<object> {
  const archive = await openArchive(archiveIn(output));
  const facets = await countedFacets(archive);
  await archive.close();
  return facets;
}

/** Values of all kinds with their counts, each of which must be the number of results of its query. */
async function countedFacets(archive: Archive): Promise<object> {
  const facets = await archive.explore.facets({ query: "", match: "all", of: MENTION_KINDS, limit: 100 });
  for (const { values } of facets)
    for (const { clause, count } of values)
      expect([clause, await archive.search.matching(clause)]).toHaveProperty("1.length", count);
  return Object.fromEntries(facets.map(({ of, values }) => [of, values.map(({ label, count }) => [label, count])]));
}

it("finds mentions, and writes them as JSON and CSV", async () => {
  const output = extract("found", mails(4), "--mentions", "--json", "--csv");
  expect(await mentionsIn(output)).toEqual({
    mentions: [["Hedda Lundqvist", 2]],
    others: [["Peter Aldrin", 3]],
    org: [["Kai & Sons, Inc.", 1]],
    phone: [["+14155552671", 2]],
    iban: [["DE89370400440532013000", 1]],
    amount: [
      ["USD 12500", 1],
      ["EUR 900", 1],
    ],
    site: [["harbor.com", 1]],
    reference: [["invoice 2001-77", 2]],
  });
  const records = JSON.parse(readFileSync(join(output, "mentions.json"), "utf8"));
  expect(records).toContainEqual({
    kind: "amount",
    value: "USD 12500",
    messages: 1,
    query: 'amount:"USD 12500"',
    message_ids: ["msg-000001"],
  });
  expect(readFileSync(join(output, "mentions.csv"), "utf8")).toContain(
    `phone,'+14155552671,2,"phone:""+14155552671""",msg-000001 msg-000003\r\n`,
  );
  const [first, third] = ["msg-000001", "msg-000003"];
  for (const [query, found] of [
    ["phone:+14155552671", [first, third]],
    ['phone:"(415) 555-2671"', [first, third]],
    ["phone:415.555.2671", [first, third]],
    ["amount:>10000", [first]],
    ["iban:de89370400440532013000", ["msg-000002"]],
    ["site:harbor.com", ["msg-000002"]],
    ["reference:2001-77", ["msg-000002", third]],
  ] as const) {
    const { results } = JSON.parse((await command("search", output, query, "--json")).stdout);
    expect([query, results.map(({ message_id: id }: { readonly message_id: string }) => id).sort()]).toEqual([
      query,
      found,
    ]);
  }
});

/** Everything that commands, pages and exports show of mentions. */
async function shownMentions(archive: Archive): Promise<object> {
  const operators = [
    ...["mentions:lundqvist", 'others:"Aldrin, Peter"', "org:kai", 'phone:"(415) 555-2671 ext. 3"', "amount:>10000"],
    ...["iban:de89370400440532013000", "site:www.harbor.com", "reference:2001-77"],
    ...MENTION_KINDS.map((kind) => `has:${kind}`),
  ];
  const everything = { match: "all", search: "" } as const;
  const kinds = MENTION_KINDS.map(async (kind) => ({
    listed: await archive.explore.mentions(kind),
    page: await mentionedValues(archive, { ...everything, kind, query: "invoice" }),
    overTime: await archive.explore.timeline({ query: `has:${kind}`, match: "all", by: "auto" }),
  }));
  return {
    facets: await countedFacets(archive),
    kinds: await Promise.all(kinds),
    found: await Promise.all(operators.map(async (query) => [query, await archive.search.matching(query)])),
  };
}

it.skipIf(!HAS_POSTGRES)("shows the same mentions of a collection in PostgreSQL", async () => {
  const file = archiveIn(extract("stored", mails(9), "--mentions"));
  const collection = archiveOnServer(testServer().url, "mentions");
  await copyArchive(file, collection);
  const archives = [await openArchive(file), await openArchive(collection)] as const;
  const [ofFile, ofCollection] = await Promise.all(archives.map(shownMentions));
  await Promise.all(archives.map((archive) => archive.close()));
  expect(ofCollection).toEqual(ofFile);
  expect(ofFile).toMatchObject({ facets: { mentions: [["Hedda Lundqvist", 5]] } });
});

it("lists mentions", async () => {
  const output = extract("listed", mails(4), "--mentions");
  const listed = (...flags: readonly string[]) => command("mentions", output, ...flags);
  expect((await listed()).stdout).toMatch(/^ +2 {2}Hedda Lundqvist\n$/);
  expect(JSON.parse((await listed("--kind", "amount", "--search", "eur", "--json")).stdout)).toEqual([
    { kind: "amount", value: "EUR 900", messages: 1, query: 'amount:"EUR 900"' },
  ]);
  expect((await listed("invoice", "--kind", "phone", "--csv")).stdout).toContain(`phone,'+14155552671,1,`);
  expect((await listed("--kind", "amount", "--limit", "1")).stdout.trim().split("\n")).toHaveLength(1);
  const other = await listed("iban:de89370400440532013000");
  expect([other.exitCode, other.stdout, other.stderr]).toEqual([
    0,
    "",
    'no values of the kind "mentions" found; --kind has values for others (1), iban (1), site (1), reference (1)\n',
  ]);
  expect((await listed("nowhere")).stderr).toBe('no values of the kind "mentions" found\n');
  for (const flags of [
    ["--kind", "people"],
    ["--limit", "0"],
  ])
    expect(await listed(...flags)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(flags[0]!) });
  const without = await command("mentions", extract("unlisted", mails(1)));
  expect([without.exitCode, without.stderr]).toEqual([1, expect.stringContaining("extract it again with --mentions")]);
});

it("finds the same in steps and with any number of workers", async () => {
  const whole = await mentionsIn(extract("whole", mails(9), "--mentions", "--jobs", "1"));
  expect(await mentionsIn(extract("workers", mails(9), "--mentions", "--jobs", "3"))).toEqual(whole);
  extract("steps", mails(2), "--mentions");
  expect(await mentionsIn(extract("steps", mails(9), "--incremental"))).toEqual(whole);
});

it("finds nothing unless requested, also later", async () => {
  const output = extract("unasked", mails(4), "--json", "--csv");
  expect(Object.values(await mentionsIn(output)).flat()).toEqual([]);
  expect(readFileSync(join(output, "provenance.json"), "utf8")).not.toContain('"mentions"');
  const late = archivetool("extract", join(scratch, "unasked.mbox"), "-o", output, "--incremental", "--mentions");
  expect([late.exitCode, late.stderr]).toEqual([1, expect.stringContaining("--incremental cannot find mentions")]);
});

it("finds no redacted values", async () => {
  const output = extract("redacted", mails(4), "--mentions", "--redact", "phone", "iban", "--json", "--csv");
  expect(await mentionsIn(output)).toMatchObject({ phone: [], iban: [], org: [["Kai & Sons, Inc.", 1]] });
  for (const name of ["archive.db", "mentions.json", "mentions.csv"]) {
    const text = readFileSync(join(output, name), "latin1");
    for (const secret of ["555-2671", "14155552671", "DE89370400440532013000"])
      expect([name, text.includes(secret)]).toEqual([name, false]);
  }
});

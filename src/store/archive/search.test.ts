import { afterAll, describe, expect, it } from "vitest";
import { ANN, BUDGETS, CorpusArchives, corpusRow } from "../../../test/corpus-archive.ts";
import { SAMPLE_RECORD } from "../../../test/sample-rows.ts";
import type { CorpusMessage } from "../../../test/search-corpus.ts";
import { STORES } from "../../../test/stores.ts";
import { KEY_SEPARATOR, type Mark } from "../../mail/notebook.ts";
import { MENTION_KINDS } from "../../mail/records/mention.ts";
import type { CollectionLocation } from "../contract/archive-location.ts";
import type { SearchedArchive } from "../contract/searched-archive.ts";
import { openPostgresSearch } from "../postgres/reading/open-archive.ts";
import { openArchive } from "./open-archive.ts";
import { openNotebookAt } from "./open-notebook-at.ts";
import { createArchive } from "./write-archive.ts";

describe.each(STORES)("search in an archive of $name", (store) => {
  const archives = new CorpusArchives(store);
  afterAll(() => archives.remove());

  const messages: readonly CorpusMessage[] = [
    {
      subject: "Annual budget",
      body: "The budget\nof the office.",
      from: "Ann Lee",
      author: 1,
      sentAt: 1000,
      topic: 1,
    },
    { subject: "Lunch", body: "Budget for lunch?", from: "Ben", author: 2, sentAt: 2000 },
    { subject: "Empty", body: "", sentAt: null },
  ];

  it("returns the fields of a list of results", async () => {
    const archive = await openArchive(await archives.write([messages], 10));
    const reader = archive.search;
    const { hits: found } = await reader.search("budget", 5);
    expect(found).toEqual([
      expect.objectContaining({
        messageId: "msg-000001",
        rank: 1,
        snippet: "The **budget** of the office.",
        subject: "Annual budget",
        from: { name: "Ann Lee", email: "" },
        sentAt: 1000,
      }),
      expect.objectContaining({ messageId: "msg-000002", rank: 2 }),
    ]);
    expect(found[0]!.score).toBeGreaterThan(found[1]!.score);
    expect((await reader.search("empty", 5)).hits).toMatchObject([{ from: null, sentAt: null, snippet: "" }]);
    await archive.close();
  });

  it("lists mentions with the messages that their queries find", async () => {
    const mentions = {
      ...{
        others: ["wEva Quist"],
        org: ["Kai Lines, Inc."],
        phone: ["+14155550132"],
        iban: ["DE89370400440532013000"],
      },
      ...{ amount: ["USD 12000"], site: ["harbor.example"], reference: ["invoice 2001-77"] },
    };
    const mailed = [...Array.from({ length: 3 }, () => ({ body: "", mentions })), { body: "" }];
    const { explore, search, close } = await openArchive(await archives.write([mailed, mailed], 3));
    for (const kind of MENTION_KINDS) {
      const found = await explore.mentions(kind);
      expect(found.map(({ messageIds }) => messageIds.length)).toEqual(kind === "mentions" ? [] : [6]);
      const [facet] = await explore.facets({ query: "", match: "all", of: [kind], limit: 100 });
      expect(facet!.values).toEqual(
        found.map(({ value, query, messageIds }) => ({ label: value, clause: query, count: messageIds.length })),
      );
      for (const { query, messageIds } of found)
        expect([query, await search.matching(query)]).toEqual([query, messageIds]);
    }
    await close();
  });

  it("accepts any spelling of an author's address, and topics by name", async () => {
    const archive = await openArchive(await archives.write([messages], 10));
    const reader = archive.search;
    const ids = async (query: string, from?: string): Promise<string[]> =>
      (await reader.search(query, 5, from === undefined ? {} : { from })).hits.map((hit) => hit.messageId);
    expect(await ids("budget", "ANN.LEE@EXAMPLE.NET")).toEqual(["msg-000001"]);
    expect(await ids("budget", "nobody@example.org")).toEqual([]);
    expect(await ids("from:ann@example.org")).toEqual(["msg-000001"]);
    expect(await ids("topic:budget")).toEqual(["msg-000001"]);
    expect(await ids('topic:"annual report"')).toEqual(["msg-000001"]);
    expect(await ids("topic:annual-leave")).toEqual([]);
    expect(await ids("topic:topic-000")).toEqual(["msg-000002", "msg-000003"]);
    await archive.close();
  });

  it("finds all words with a prefix, in any block of the dictionary", async () => {
    const corpus = Array.from({ length: 900 }, (_, index) => ({
      body: `plan${index.toString(36).padStart(3, "x")} of`,
    }));
    const archive = await openArchive(await archives.write([corpus], 300));
    const found = async (query: string): Promise<number> => (await archive.search.search(query, 50)).hits.length;
    expect([await found("plan*"), await found("planx1*"), await found("planxx7*"), await found("planz*")]).toEqual([
      50, 36, 1, 0,
    ]);
    await archive.close();
  });

  it("reports that an archive has no index", async () => {
    const place = archives.freshPlace();
    const writer = await createArchive(place);
    await writer.setRecord(SAMPLE_RECORD);
    await writer.finish();
    const archive = await openArchive(place);
    await expect(archive.search.search("x", 5)).rejects.toMatchObject({ code: "UNIMPLEMENTED" });
    await archive.close();
  });

  it("rejects a file that is not a segment", async () => {
    const writer = await createArchive(archives.freshPlace());
    await expect(writer.addToSearch([archives.fileOf("something else")])).rejects.toMatchObject({
      code: "INTERNAL_ERROR",
    });
    await writer.abort();
  });

  it("finds the same when messages came in several runs, and when they were indexed after they were stored", async () => {
    const corpus = Array.from({ length: 60 }, (_, index) => ({
      subject: ["the budget", "x1 plan", "of Müller"][index % 3]!,
      body: `${["the planet", "budget of the x2", "x3 x4", "plan the budget"][index % 4]} ${index}`,
      from: index % 5 === 0 ? "Müller" : "Ann",
      sentAt: index,
    }));
    const [whole, grown] = [
      await archives.write([corpus], 60),
      await archives.write([corpus.slice(0, 50), corpus.slice(50, 54), [], corpus.slice(54)], 7),
    ];
    const place = archives.freshPlace();
    const writer = await createArchive(place);
    await writer.addMessages(corpus.map((message, index) => corpusRow(message, index + 1)));
    await writer.replaceContacts([ANN]);
    await writer.replaceTopics([BUDGETS]);
    await writer.setRecord(SAMPLE_RECORD);
    await writer.makeSearch();
    await writer.finish();
    const [expected, ...others] = await Promise.all([whole, grown, place].map((location) => openArchive(location)));
    for (const query of [
      "the budget",
      "plan* -x1",
      '"of the"',
      "subject:muller x2",
      "x1 x2 x3 x4 the of",
      "after:1970",
    ]) {
      const hits = await expected!.search.search(query, 20);
      for (const archive of others) expect(await archive.search.search(query, 20)).toEqual(hits);
    }
    for (const archive of [expected!, ...others]) await archive.close();
  });

  it("searches an archive without messages", async () => {
    const archive = await openArchive(await archives.write([[]], 1));
    expect((await archive.search.search("the -x after:2001", 5)).hits).toEqual([]);
    await archive.close();
  });
});

const MARKED_QUERIES = [
  ...["tag:hot", "tag:cold tide", "-tag:hot crane", "has:note", "has:tag", "review:relevant", "review:open crane"],
  ...["(tag:hot OR tag:cold) 1", "crane 2"],
];

/** Queries about the messages of a notebook. */
const ASKED_OF_MARKED: Readonly<Record<string, (archive: SearchedArchive, query: string) => Promise<unknown>>> = {
  hits: ({ search }, query) => search.search(query, 40),
  "all that matches": ({ search }, query) => search.matching(query, {}),
  page: ({ explore }, query) =>
    explore.page({ query, match: "all", sort: "newest", offset: 0, limit: 400, repeats: "listed" }),
  facet: ({ explore }, query) => explore.facets({ query, match: "all", of: ["tag"], limit: 10 }),
  "time line": ({ explore }, query) => explore.timeline({ query, match: "all", by: "auto", stack: "tag" }),
  counts: ({ explore }, query) => explore.hits([{ query, match: "all" }]),
};

describe.skipIf(!STORES.some(({ name }) => name === "PostgreSQL"))(
  "a collection whose index is searched in ranges",
  () => {
    const archives = new CorpusArchives(STORES.at(-1)!);
    afterAll(() => archives.remove());

    it("returns the same results as one searched as a whole", async () => {
      const words = ["crane", "crate", "berth", "tide", "the", "harbour", "budget", "offer"];
      const made = (count: number, seed: number): CorpusMessage[] =>
        Array.from({ length: count }, (_, at) => {
          const word = (step: number): string => words[(at * 7 + seed + step * (1 + (at % 5))) % words.length]!;
          const body = Array.from({ length: 3 + ((at * 3) % 9) }, (_, step) => word(step)).join(" ");
          return { subject: word(3), body: `${body} x${at % 50}`, sentAt: at % 11, topic: at % 2, author: at % 3 };
        });
      const runs = [made(320, 1), ...Array.from({ length: 6 }, (_, run) => made(8, run + 2))];
      const place = (await archives.write(runs, 100)) as CollectionLocation;
      const whole = await openPostgresSearch(place);
      const queries = words.flatMap((word, at) => {
        const other = words[(at + 3) % words.length]!;
        return [word, `${word} ${other} x7`, `${word.slice(0, 2)}* x3`, `"${word} ${other}"`, `+${word} -${other} x1*`];
      });
      const more = ["similar:msg-000300 crane", "id:msg-000321", "topic:budget tide", "-the", "(crane OR tide) x4*"];
      // The first run is a separate range; the others are one, two or six ranges.
      for (const shardDocuments of [8, 20, 48]) {
        const ranges = await openPostgresSearch(place, shardDocuments);
        for (const query of [...queries, ...more])
          expect([query, await ranges.search.search(query, 12)]).toEqual([query, await whole.search.search(query, 12)]);
        await ranges.close();
      }
      await whole.close();
    });

    it("finds, returns and counts with the current notebook in all ranges", async () => {
      const made = (count: number, run: number): CorpusMessage[] =>
        Array.from({ length: count }, (_, at) => ({
          subject: `Crane ${at % 3}`,
          body: `tide of ${run}`,
          sentAt: at % 9,
        }));
      // The first run is a separate range, and so are the others.
      const runs = [made(320, 0), ...Array.from({ length: 6 }, (_, run) => made(8, run + 1))];
      const place = (await archives.write(runs, 100)) as CollectionLocation;
      const notebook = (await openNotebookAt(place))!;
      const whole = await openPostgresSearch(place);
      const ranges = await openPostgresSearch(place, 8);
      const mark = (ordinal: number, revision: number, changes: Partial<Mark>) =>
        notebook.write((written) =>
          written.write({
            ...{ kind: "message", key: `${ordinal}@example.org${KEY_SEPARATOR}${"ab".repeat(32)}`, revision },
            ...{
              value: JSON.stringify({ tags: [], note: "", review: "open", ...changes }),
              updatedAt: 7,
              author: null,
            },
          }),
        );
      const differing = async (): Promise<readonly string[]> => {
        const found: string[] = [];
        for (const query of MARKED_QUERIES)
          for (const [what, ask] of Object.entries(ASKED_OF_MARKED))
            if (JSON.stringify(await ask(ranges, query)) !== JSON.stringify(await ask(whole, query)))
              found.push(`${what} of ${query}`);
        return found;
      };
      expect(await differing()).toEqual([]);
      const first = await mark(3, 0, { tags: ["hot"] });
      await mark(325, 0, { tags: ["cold", "hot"], note: "the tide" });
      await mark(368, 0, { tags: ["Hot"], review: "relevant" });
      expect(await differing()).toEqual([]);
      expect(await ranges.search.matching("tag:hot", {})).toEqual(["msg-000003", "msg-000325", "msg-000368"]);
      await mark(3, first!.revision, { tags: ["warm"] });
      await mark(340, 0, { tags: ["hot"] });
      expect(await differing()).toEqual([]);
      expect(await ranges.search.matching("tag:hot", {})).toEqual(["msg-000325", "msg-000340", "msg-000368"]);
      for (const closed of [ranges, whole, notebook]) await closed.close();
    });
  },
);

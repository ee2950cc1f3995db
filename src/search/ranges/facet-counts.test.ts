import fc from "fast-check";
import { expect, it } from "vitest";
import type { SearchSource } from "../indexing/search-source.ts";
import { FACET_KINDS } from "./facet-counts.ts";
import { ValueCounts } from "./value-counts.ts";

const counted = (values: Iterable<number>): readonly (readonly [number, number])[] => {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((left, right) => right[1] - left[1] || left[0] - right[0]);
};

it("the most frequent values come first, then the lower ones, for any limit", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -1, max: 3000 }), { maxLength: 400 }),
      fc.integer({ min: 1, max: 9 }),
      (values, few) => {
        const counts = new ValueCounts();
        for (const value of values) counts.add(value % 40);
        const expected = counted(values.map((value) => value % 40));
        expect(counts.most(few)).toEqual(expected.slice(0, few));
        expect(counts.most(1000)).toEqual(expected);
        expect(counts.total).toBe(values.length);
      },
    ),
  );
  const far = new ValueCounts();
  far.add(5_000_000);
  expect([far.most(1), far.take(5_000_000), far.total]).toEqual([[[5_000_000, 1]], 1, 0]);
});

it("years are calendar years, from the first to the last moment", async () => {
  const instants = fc.oneof(
    fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true }).map((date) => date.getTime()),
    fc
      .tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: -1, max: 1 }))
      .map(([year, by]) => Date.parse(`${String(year).padStart(4, "0")}-01-01T00:00:00Z`) + by),
    fc.constant(Number.NEGATIVE_INFINITY),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(instants), async (dates) => {
      const source = { columns: { sentAt: Float64Array.from(dates) } } as unknown as SearchSource;
      const { counts, none } = await FACET_KINDS.year.count(source, new Uint8Array(dates.length).fill(1));
      const known = dates.filter(Number.isFinite);
      expect(counts.most(1000)).toEqual(counted(known.map((date) => new Date(date).getUTCFullYear())));
      expect(none).toBe(dates.length - known.length);
    }),
  );
});

it("a message counts once for each mailbox, and labels distinguish sources", async () => {
  const named = new Map(
    [1, 2, 3].map((id) => [id, { name: id === 3 ? "Inbox" : `box ${id}`, source: 0, words: new Set<string>() }]),
  );
  named.set(0, { name: "Inbox", source: 1, words: new Set() });
  const places = { named, mailboxes: Int32Array.of(0, 1, 1, 2), further: Int32Array.of(1, 2, 0, 3, 1, 2, 3, 0, 2, 2) };
  const source = {
    places: async () => places,
    sourcePaths: async () => ["/mail/ann.pst", "/mail/bob.pst"],
  } as unknown as SearchSource;
  const found = await FACET_KINDS.mailbox.count(source, Uint8Array.of(1, 1, 0, 1));
  const { counts, none } = found;
  const labels = await FACET_KINDS.mailbox.name(
    source,
    counts.most(9).map(([value]) => value),
    found,
  );
  expect(labels.map(({ label, clause }, at) => [label, clause, counts.most(9)[at]![1]])).toEqual([
    ["Inbox (bob.pst)", 'mailbox:"1:Inbox"', 2],
    ["box 2", 'mailbox:"box 2"', 2],
    ["box 1", 'mailbox:"box 1"', 1],
    ["Inbox (ann.pst)", 'mailbox:"0:Inbox"', 1],
  ]);
  expect(none).toBe(0);
});

it("a tag keeps the spelling of the count, even if it is removed before it is labeled", async () => {
  const states = [
    { tagNames: ["old", "new"], tags: new Map([[0, [0, 1]]]) },
    { tagNames: ["new"], tags: new Map([[0, [0]]]) },
  ];
  const source = { marked: async () => states.shift() } as unknown as SearchSource;
  const found = await FACET_KINDS.tag.count(source, Uint8Array.of(1, 1));
  const values = found.counts.most(9).map(([value]) => value);
  expect((await FACET_KINDS.tag.name(source, values, found)).map(({ label }) => label)).toEqual(["old", "new"]);
  expect(found.none).toBe(1);
});

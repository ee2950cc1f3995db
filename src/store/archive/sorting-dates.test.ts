import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { SAMPLE_RECORD, type SampleArchive, sampleArchives } from "../../../test/sample-rows.ts";
import { STORES } from "../../../test/stores.ts";
import { sortingDate } from "../../mail/dates/plausible-dates.ts";
import { messageId } from "../../mail/records/ids.ts";
import { openArchive } from "./open-archive.ts";
import { createArchive, growArchive } from "./write-archive.ts";

const directory = mkdtempSync(join(tmpdir(), "archivetool-dates-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const PAGE = { limit: 1000, offset: 0 };
const date = fc.option(fc.integer({ min: 0, max: 100 }), { nil: null });

/** Draws dates again: few different ones, such that each bound excludes some. */
const samples = fc
  .tuple(sampleArchives, fc.array(fc.tuple(date, date), { minLength: 40, maxLength: 40 }))
  .map(([sample, dates]): SampleArchive => {
    const messages = sample.messages.map((message, index) => {
      const [sentAt, receivedAt] = dates[index % dates.length]!;
      return { ...message, sentAt, receivedAt };
    });
    return { ...sample, messages };
  });
const ranges = fc
  .tuple(fc.nat(100), fc.nat(100))
  .map(([a, b]) => ({ earliest: Math.min(a, b), latest: Math.max(a, b) }));

const DAY = 86_400_000;

describe.each(STORES)("an archive of $name with plausible dates", (store) => {
  it("sorts a message by the date received if it contradicts the date sent", async () => {
    const [sample] = fc.sample(sampleArchives, { numRuns: 20, seed: 5 }).filter(({ messages }) => messages.length > 2);
    const received = 10_000 * DAY;
    const dates = [received + 3 * DAY, received + DAY, received - 4_000 * DAY];
    const messages = sample!.messages
      .slice(0, 3)
      .map((message, index) => ({ ...message, sentAt: dates[index]!, receivedAt: received }));
    const place = store.placeIn(directory, "contradicted.db");
    const writer = await createArchive(place);
    await writer.addMessages(messages);
    await writer.setRecord(SAMPLE_RECORD);
    await writer.settleDates({ earliest: 0, latest: 20_000 * DAY });
    await writer.finish();
    const archive = await openArchive(place);
    const sorted: (number | null)[] = [];
    for await (const batch of archive.messages.scan()) sorted.push(...batch.map(({ sortedAt }) => sortedAt));
    await archive.close();
    expect(sorted).toEqual([received, received + DAY, received]);
  });

  it("sorts by plausible dates, shows dates as written, and passes both to a later run", async () => {
    await fc.assert(
      fc.asyncProperty(samples, ranges, ranges, async ({ messages }, first, second) => {
        let place = store.placeIn(directory, "first.db");
        const writer = await createArchive(place);
        await writer.addMessages(messages);
        await writer.setRecord(SAMPLE_RECORD);
        await writer.settleDates(first);
        await writer.finish();
        for (const believed of [first, second]) {
          if (believed === second) {
            const grown = store.placeIn(directory, "second.db");
            const later = await growArchive(place, grown);
            const restored: (number | null)[] = [];
            for await (const batch of later.messageSkeletons()) restored.push(...batch.map(({ sentAt }) => sentAt));
            expect(restored).toEqual(messages.map(({ sentAt }) => sentAt));
            await later.settleDates(second);
            await later.finish();
            place = grown;
          }
          const archive = await openArchive(place);
          const dateOf = new Map(
            messages.map((message) => [
              messageId(message.ordinal),
              sortingDate(message.sentAt, message.receivedAt, believed),
            ]),
          );
          const { items } = await archive.messages.list("sent_at", PAGE);
          const newestFirst = [...dateOf]
            .sort((a, b) => (b[1] ?? -1) - (a[1] ?? -1) || (a[0] < b[0] ? -1 : 1))
            .map(([id]) => id);
          expect(items.map(({ id }) => id)).toEqual(newestFirst);
          const written = new Map(messages.map(({ ordinal, sentAt }) => [messageId(ordinal), sentAt]));
          for (const { id, sentAt } of items) expect(sentAt).toBe(written.get(id));
          for await (const batch of archive.messages.scan()) {
            for (const { id, sentAt, sortedAt } of batch)
              expect([sentAt, sortedAt]).toEqual([written.get(id), dateOf.get(id)]);
          }
          const dates = [...dateOf.values()].filter((one) => one !== null);
          const dateRange =
            dates.length === 0
              ? { earliest: null, latest: null }
              : { earliest: Math.min(...dates), latest: Math.max(...dates) };
          expect((await archive.stats()).dateRange).toEqual(dateRange);
          await archive.close();
        }
      }),
      { numRuns: 10 },
    );
  });
});

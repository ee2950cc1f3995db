import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { SAMPLE_RECORD, type SampleArchive, sampleArchives } from "../../../test/sample-rows.ts";
import { sortingDate } from "../../mail/believed-dates.ts";
import { messageId } from "../../mail/ids.ts";
import { archiveAt } from "../archive-location.ts";
import { openArchive } from "../open-archive.ts";
import { createSqliteArchive, growSqliteArchive } from "./archive-writer.ts";

const directory = mkdtempSync(join(tmpdir(), "archivetool-dates-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const PAGE = { limit: 1000, offset: 0 };
const date = fc.option(fc.integer({ min: 0, max: 100 }), { nil: null });

/** Dates drawn anew, from few and so that each bound cuts some off. */
const samples = fc
  .tuple(sampleArchives, fc.array(fc.tuple(date, date), { minLength: 40, maxLength: 40 }))
  .map(([sample, dates]): SampleArchive => {
    const messages = sample.messages.map((message, index) => {
      const [sentAt, receivedAt] = dates[index % dates.length] as (typeof dates)[number];
      return { ...message, sentAt, receivedAt };
    });
    return { ...sample, messages };
  });
const ranges = fc.tuple(fc.nat(100), fc.nat(100)).map(([a, b]) => ({ earliest: Math.min(a, b), latest: Math.max(a, b) }));

describe("an archive whose dates are settled", () => {
  it("sorts by dates that are believed, tells them as they were written, and gives these to a later run", async () => {
    await fc.assert(
      fc.asyncProperty(samples, ranges, ranges, async ({ messages }, first, second) => {
        const path = join(directory, "archive.db");
        const writer = createSqliteArchive(path);
        writer.addMessages(messages);
        writer.setRecord(SAMPLE_RECORD);
        writer.settleDates(first);
        writer.finish();
        for (const believed of [first, second]) {
          if (believed === second) {
            const later = growSqliteArchive(path);
            const restored = [...later.messageSkeletons()].map(({ sentAt }) => sentAt);
            expect(restored).toEqual(messages.map(({ sentAt }) => sentAt));
            later.settleDates(second);
            later.finish();
          }
          const archive = openArchive(archiveAt(path));
          const dateOf = new Map(
            messages.map((message) => [messageId(message.ordinal), sortingDate(message.sentAt, message.receivedAt, believed)]),
          );
          const { items } = await archive.messages.list("sent_at", PAGE);
          const newestFirst = [...dateOf].sort((a, b) => (b[1] ?? -1) - (a[1] ?? -1) || (a[0] < b[0] ? -1 : 1)).map(([id]) => id);
          expect(items.map(({ id }) => id)).toEqual(newestFirst);
          const written = new Map(messages.map(({ ordinal, sentAt }) => [messageId(ordinal), sentAt]));
          for (const { id, sentAt } of items) expect(sentAt).toBe(written.get(id));
          for await (const batch of archive.messages.scan()) {
            for (const { id, sentAt, sortedAt } of batch) expect([sentAt, sortedAt]).toEqual([written.get(id), dateOf.get(id)]);
          }
          const dates = [...dateOf.values()].filter((one) => one !== null);
          const dateRange =
            dates.length === 0 ? { earliest: null, latest: null } : { earliest: Math.min(...dates), latest: Math.max(...dates) };
          expect((await archive.stats()).dateRange).toEqual(dateRange);
          await archive.close();
        }
      }),
      { numRuns: 30 },
    );
  });
});

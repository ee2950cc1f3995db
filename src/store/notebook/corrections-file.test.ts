import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { HEADER } from "../../contacts/corrections/people-file.ts";
import { archiveIn } from "../contract/archive-location.ts";
import type { CorrectionStore } from "../contract/correction-store.ts";
import type { UploadCorrections } from "../contract/upload-corrections.ts";
import {
  correctionsRevision,
  correctionsTextIn,
  fileCorrections,
  PEOPLE_FILE,
  storedCorrections,
  writeCorrections,
} from "./corrections-file.ts";

const scratch = mkdtempSync(join(tmpdir(), "archivetool-corrections-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let archives = 0;

/** Rows in memory. */
function rowsInMemory(): UploadCorrections {
  let rows: readonly string[] = [];
  return {
    correctionEntries: async () => rows,
    async changeCorrections(_, change) {
      rows = change(rows) ?? rows;
    },
  };
}

const location = () => archiveIn(mkdtempSync(join(scratch, `${archives++}-`)));

const STORES: Readonly<Record<string, () => CorrectionStore>> = {
  file: () => fileCorrections(location(), PEOPLE_FILE),
  rows: () => storedCorrections(rowsInMemory(), { uploadId: "a", location: location(), name: PEOPLE_FILE }),
};

/** One of two users reads, or writes based on the last read. */
const act = fc.record({ user: fc.nat(1), does: fc.constantFrom("look", "add", "undo") });

it.each(Object.keys(STORES))(
  "two users lose nothing in %s: a write based on an earlier state is rejected",
  async (name) => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 20 }), async (acts) => {
        const store = STORES[name]!();
        const seen = [correctionsRevision(""), correctionsRevision("")];
        const entries: string[] = [];
        let text = "";
        for (const [at, { user, does }] of acts.entries()) {
          if (does === "look") {
            seen[user] = correctionsRevision(await store.text());
            continue;
          }
          const correction = `! ${at}@x.example <> b@x.example`;
          const done =
            does === "add"
              ? store.add({ date: "2026-11-29", verb: "split", corrections: [[correction]] }, seen[user])
              : store.undo(seen[user]);
          if (seen[user] === correctionsRevision(text)) {
            await done;
            if (does === "add") entries.push(`# 2026-11-29 split\n${correction}\n`);
            else entries.pop();
            const hasHeader = does === "add" || text !== "";
            text = hasHeader ? `${HEADER}\n${entries.join("")}` : "";
          } else await expect(done).rejects.toMatchObject({ code: "NOTEBOOK_CHANGED" });
          expect(await store.text()).toBe(text);
        }
      }),
      { numRuns: 40 },
    );
  },
);

it("writes rows to the file next to the archive, and adopts an existing file", async () => {
  const place = location();
  const file = fileCorrections(place, PEOPLE_FILE);
  await file.add({ date: "2026-11-29", verb: "merge", corrections: [["  a@x.example", "  b@x.example", "--"]] });
  const rows = storedCorrections(rowsInMemory(), { uploadId: "a", location: place, name: PEOPLE_FILE });
  expect(await rows.text()).toBe(await file.text());
  await rows.add({ date: "2026-11-29", verb: "split", corrections: [["! a@x.example <> c@x.example"]] });
  await writeCorrections(rows, place, PEOPLE_FILE);
  expect(await file.text()).toBe(await rows.text());
  expect([await rows.undo(), await rows.undo(), await rows.undo()]).toEqual([
    "2026-11-29 split",
    "2026-11-29 merge",
    null,
  ]);
  expect(await rows.text()).toBe(`${HEADER}\n`);
});

it("finds no corrections in a missing directory, or below a file", () => {
  const file = join(scratch, "file");
  writeFileSync(file, "");
  expect([correctionsTextIn(join(scratch, "missing"), PEOPLE_FILE), correctionsTextIn(file, PEOPLE_FILE)]).toEqual([
    "",
    "",
  ]);
});

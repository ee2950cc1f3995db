import fc from "fast-check";
import { expect, it } from "vitest";
import type { MessageOrdinal } from "../../../mail/records/ordinal.ts";
import { fieldTerm } from "../../../search/indexing/search-field.ts";
import { encodeCopy } from "../../reading/copy-columns.ts";
import { copyPostings } from "../../reading/copy-postings.ts";
import { OCCURRENCES } from "../../tables/message-tables.ts";
import { rowInsert } from "../database/bulk-insert.ts";
import type { SqliteDatabase } from "../database/database.ts";
import { createTables } from "../database/schema.ts";
import { createSearchTables } from "../database/search-schema.ts";
import { IN_MEMORY } from "../driver/sqlite-database.ts";
import { sqliteDriver } from "../driver/sqlite-driver.ts";
import { copyTermReader, writeCopyTerms } from "./copy-terms.ts";

/** Duplicates of some messages, each with a person in Bcc. */
function archiveOf(copies: readonly (readonly [message: number, person: string])[]): SqliteDatabase {
  const database = sqliteDriver()(IN_MEMORY, {});
  createTables(database);
  createSearchTables(database);
  const insert = rowInsert(database, OCCURRENCES);
  for (const [position, [message, name]] of copies.entries()) {
    const place = { message: message as MessageOrdinal, position, source: 0, mailboxId: 0, location: String(position) };
    insert.add({ ...place, ...encodeCopy({ bcc: [{ name, email: "" }] }) });
  }
  insert.flush();
  return database;
}

const COPIES = fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.constantFrom("ann", "bob", "cy")), {
  maxLength: 40,
});

it("finds people named only in duplicates, in batches of any size, and ignores an earlier run", () => {
  fc.assert(
    fc.property(COPIES, fc.integer({ min: 1, max: 25 }), (copies, range) => {
      const database = archiveOf(copies);
      writeCopyTerms(database);
      writeCopyTerms(database, range);
      for (const name of ["ann", "bob", "cy"]) {
        const messages = new Set(copies.filter(([, person]) => person === name).map(([message]) => message));
        const expected = copies.length === 0 ? null : copyPostings([...messages].sort((a, b) => a - b));
        expect(copyTermReader(database, 0, Number.MAX_SAFE_INTEGER)(fieldTerm("cc", name))).toEqual(expected);
      }
      database.close();
    }),
  );
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { messageRow } from "../../../test/message-row.ts";
import { newDirectory } from "../../../test/run-directory.ts";
import { SAMPLE_RECORD } from "../../../test/sample-rows.ts";
import { STORES } from "../../../test/stores.ts";
import type { Address } from "../../mail/records/address.ts";
import type { Attachment } from "../../mail/records/message.ts";
import { IndexBuilder } from "../../search/indexing/index-builder.ts";
import { fieldTexts } from "../../search/indexing/message-fields.ts";
import type { ArchiveLocation } from "../contract/archive-location.ts";
import type { MessageRow } from "../contract/rows.ts";
import { openArchive } from "./open-archive.ts";
import { createArchive } from "./write-archive.ts";

const person = (name: string): Address => ({ name, email: "" });
const file = (filename: string): Attachment => ({
  ...{ id: filename, filename, mediaType: "text/plain", sizeBytes: 1, sha256: "ab".repeat(32) },
  ...{ disposition: "attachment", contentId: null, linkTarget: null, path: null, attachedMessage: null },
});
const withFiles = (names: readonly string[], texts: readonly string[] = []): Partial<MessageRow> => ({
  attachments: names.map(file),
  fileTexts: texts,
});

const ROWS: readonly MessageRow[] = [
  { to: [person("Dana Lee"), person("Bob Smith")], ...withFiles(["annual plan.pdf", "budget.xls"]) },
  { to: [person("Dana Smith")], cc: [person("Ann Lee")], ...withFiles(["annual budget.pdf"]) },
  {
    to: [person("Bob Smith")],
    occurrences: [
      { source: 0, mailbox: "INBOX", location: "offset:9", from: person("Cy Oak"), bcc: [person("Dana O'Hara")] },
    ],
  },
  { bcc: [person("Dana Lee")], ...withFiles(["a.txt", "b.txt"], ["the hawser", "of berth nine, R&D"]) },
  { from: person("Cy Oak"), ...withFiles(["c.txt"], ["hawser of the berth, R D"]) },
  { to: [person("Bob Smith")], body: Buffer.from("the hawser"), ...withFiles(["d.txt"], ["of berth nine"]) },
].map((fields, at) => messageRow(at + 1, { contentKey: new Uint8Array(16).fill(at + 1), ...fields }));

const QUERIES: readonly (readonly [query: string, expected: readonly number[]])[] = [
  ['to:"dana smith"', [2]],
  ['to:"bob smith"', [1, 3, 6]],
  ['-to:"dana smith"', [1, 3, 4, 5, 6]],
  ['cc:"dana lee"', [4]],
  ['cc:"dana o\'hara"', [3]],
  ["cc:ohara", [3]],
  ['from:"cy oak"', [3, 5]],
  ['person:"dana lee"', [1, 4]],
  ['filename:"annual budget"', [2]],
  ['"the hawser"', [4, 6]],
  ['"hawser of"', [5]],
  ['"berth nine" -"the hawser"', []],
  ['"berth nine" OR "hawser of"', [4, 5, 6]],
  ["R&D", [4]],
  ['attachment:"berth nine"', [4, 6]],
  ["attachment:R&D", [4]],
];

async function write(place: ArchiveLocation): Promise<void> {
  const builder = new IndexBuilder(1);
  const utf8 = (text: string): Buffer => Buffer.from(text);
  for (const row of ROWS) {
    const files = fieldTexts(
      row,
      row.attachments.map(({ filename }) => filename),
    );
    const texts = row.fileTexts.length === 0 ? [] : [["attachment", row.fileTexts.join("\n")] as const];
    const fields = [...files, ...texts].map(([field, text]) => ({ field, text: utf8(text) }));
    builder.add({ subject: utf8(row.subject), body: row.body, fields });
  }
  const segment = join(newDirectory("field-values"), "segment");
  writeFileSync(segment, builder.takeSegment()!);
  const writer = await createArchive(place);
  await writer.addMessages(ROWS);
  await writer.setRecord(SAMPLE_RECORD);
  await writer.addToSearch([segment]);
  await writer.finish();
}

describe.each(STORES)("phrases in an archive of $name", (store) => {
  it("match inside one recipient, file name or attachment, and name the attachment", async () => {
    const place = store.placeIn(newDirectory("field-values"), "archive");
    await write(place);
    const archive = await openArchive(place);
    for (const [query, expected] of QUERIES) {
      const ids = expected.map((number) => `msg-00000${number}`);
      expect([query, await archive.search.matching(query)]).toEqual([query, ids]);
      const { hits } = await archive.search.search(query, 10);
      const listed = hits.flatMap(({ messageId, sameText }) => [messageId, ...sameText]);
      expect([query, listed.sort()]).toEqual([query, ids]);
    }
    const [hit] = (await archive.search.search('"hawser of"', 1)).hits;
    expect(hit!.snippet).toBe("[c.txt] **hawser** **of** the berth, R D");
    await archive.close();
  });
});

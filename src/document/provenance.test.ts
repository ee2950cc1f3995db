import { expect, it } from "vitest";
import { SAMPLE_RECORD } from "../../test/sample-rows.ts";
import type { Provenance } from "../mail/records/provenance.ts";
import { provenanceDocument } from "./provenance.ts";
import { provenanceSchema } from "./provenance-schema.ts";

it("writes provenance according to its schema, with keys in the order of the schema", () => {
  const counts = { seen: 3, kept: 2, duplicate: 1, skipped: 0, failed: 0 };
  const provenance: Provenance = {
    ...SAMPLE_RECORD,
    sources: [
      {
        path: "a.pst",
        format: "pst",
        sha256: "ab".repeat(32),
        sizeBytes: 5,
        counts,
        calendarEvents: 1,
        mailboxes: [{ name: "In\ud800box", counts }],
      },
    ],
    statistics: {
      totalMessages: 2,
      totalCalendarEvents: 1,
      totalContacts: 1,
      totalThreads: 1,
      multiMessageThreads: 1,
      totalTopics: 1,
      totalAttachments: 0,
      totalItems: 0,
      piiRedactions: 4,
      dateRange: { earliest: 0, latest: null },
      extractedAt: SAMPLE_RECORD.extractedAt,
    },
    warnings: [{ code: "item-damaged", message: "x\0", source: null, location: null, sha256: null }],
    warningsTruncated: 0,
    runs: [
      {
        extractedAt: SAMPLE_RECORD.extractedAt,
        toolVersion: "0.6.0",
        incremental: false,
        sources: ["a.pst"],
        added: counts,
      },
    ],
  };
  const written = provenanceDocument(provenance);
  expect(provenanceSchema.parse(written)).toEqual(written);
  expect(Object.keys(written)).toEqual(Object.keys(provenanceSchema.shape));
  expect(written).toMatchObject({
    extracted_at: "2004-11-09T11:33:20Z",
    sources: [{ path: "a.pst", size_bytes: 5, mailboxes: [{ name: "In\ufffdbox", counts }] }],
    options: {
      max_messages: null,
      redact: ["email"],
      merge_contacts: true,
      extract_attachments: false,
      attachment_text: false,
      incremental: false,
    },
    statistics: { total_messages: 2, date_range: { earliest: "1970-01-01T00:00:00Z", latest: null } },
    warnings: [{ code: "item-damaged", message: "x", source: null, location: null, sha256: null }],
  });
});

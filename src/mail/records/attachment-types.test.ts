import { expect, it } from "vitest";
import { attachmentType } from "./attachment-types.ts";

it.each([
  ["image/png", "x", "image"],
  ["application/pdf", "x.doc", "pdf"],
  ["application/octet-stream", "Budget 2001.XLS", "spreadsheet"],
  ["application/octet-stream", "no extension", "other"],
  ["application/vnd.openxmlformats-officedocument.presentationml.presentation", "x", "slides"],
  ["text/plain", "notes.txt", "document"],
  ["message/rfc822", "message.eml", "message"],
  ["text/calendar", "invite", "calendar"],
  ["constructor", "toString", "other"],
])("%s, %s has type %s", (mediaType, filename, expected) => {
  expect(attachmentType({ mediaType, filename })).toBe(expected);
});

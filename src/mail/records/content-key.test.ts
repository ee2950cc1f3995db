import fc from "fast-check";
import { expect, it } from "vitest";
import { Utf8Buffer } from "../../columns/utf8-buffer.ts";
import type { Instant } from "../dates/instant.ts";
import { contentKey } from "./content-key.ts";

const scratch = new Utf8Buffer();

function keyOf(subject: string): string {
  const facts = {
    messageId: null,
    sha256: "",
    from: { name: "", email: "ann@quay.example" },
    sentAt: 0 as Instant,
    subject,
    to: [],
    cc: [],
    attachments: [],
    calendar: [],
    text: Buffer.from("text"),
    html: null,
  };
  return Buffer.from(contentKey(facts, scratch, false)).toString("hex");
}

it("collapses white space in the subject", () => {
  const units = fc.constantFrom(
    " ",
    "\t",
    "\r",
    "\n",
    "\v",
    "\u00a0",
    "\u2003",
    "\u3000",
    "\ufeff",
    "a",
    "é",
    "\u{1f600}",
  );
  fc.assert(
    fc.property(fc.string({ unit: units, maxLength: 30 }), (subject) => {
      expect(keyOf(subject)).toBe(keyOf(subject.replace(/\s+/g, " ").trim()));
    }),
  );
  expect(keyOf("a b")).not.toBe(keyOf("ab"));
});

it("reads a subject of millions of blanks", () => {
  const words = "a\t".repeat(1 << 20);
  expect(keyOf(words)).toBe(keyOf("a ".repeat(1 << 20)));
});

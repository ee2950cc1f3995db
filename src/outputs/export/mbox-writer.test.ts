import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { unquoteFromLines } from "../../sources/mbox-quoting.ts";
import { ExportTarget } from "./export-target.ts";
import { writeMboxMessage } from "./mbox-writer.ts";

const root = mkdtempSync(join(tmpdir(), "archivetool-mbox-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;

const SENT = {
  from: { name: "Ann", email: "ann@site.example" },
  sentAt: Date.UTC(2001, 4, 4, 9, 5, 7),
  receivedAt: null,
};

function written(message: Parameters<typeof writeMboxMessage>[1], bytes: Buffer): Buffer {
  const target = new ExportTarget(root);
  const name = `${count++}.mbox`;
  const file = target.openFile(name);
  writeMboxMessage(file, message, bytes);
  target.closeFile(file);
  return readFileSync(join(root, name));
}

it("begins with a separator that every reader knows", () => {
  expect(written(SENT, Buffer.from("A: b\n\nc\n")).toString()).toBe(
    "From ann@site.example Fri May  4 09:05:07 2001\nA: b\n\nc\n\n",
  );
  const nobody = { from: { name: "a b", email: "not an address" }, sentAt: null, receivedAt: null };
  expect(written(nobody, Buffer.from("A: b")).toString()).toBe("From MAILER-DAEMON Thu Jan  1 00:00:00 1970\nA: b\n\n");
});

it("quotes what looks like a separator, so that taking one sign away gives the bytes again", () => {
  const line = fc.constantFrom(
    "From ",
    "From me",
    ">From you",
    ">>From all",
    "> From",
    "From",
    "",
    "x From y",
    ">",
    "text\r",
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const bytes = Buffer.from(`Subject: x\n\n${lines.join("\n")}\n`);
      const whole = written(SENT, bytes);
      const body = whole.subarray(whole.indexOf("\n") + 1, -1);
      expect(body.toString()).not.toMatch(/^From /m);
      expect(unquoteFromLines(body).toString()).toBe(bytes.toString());
    }),
  );
});

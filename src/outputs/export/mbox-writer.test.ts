import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { MANIFEST_NAME } from "../../mail/export-manifest.ts";
import { openMbox, readMboxUnit } from "../../sources/mbox/mbox.ts";
import { unquoteFromLines } from "../../sources/mbox/mbox-quoting.ts";
import { mayEndLine } from "../../sources/mbox/mbox-separator.ts";
import { ExportTarget } from "./export-target.ts";
import { Manifest } from "./manifest.ts";
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

it("begins with a standard separator", () => {
  expect(written(SENT, Buffer.from("A: b\n\nc\n")).toString()).toBe(
    "From ann@site.example Fri May  4 09:05:07 2001\nA: b\n\nc\n\n",
  );
  const nobody = { from: { name: "a b", email: "not an address" }, sentAt: null, receivedAt: null };
  expect(written(nobody, Buffer.from("A: b")).toString()).toBe("From MAILER-DAEMON Thu Jan  1 00:00:00 1970\nA: b\n\n");
});

/** Lines that must survive quoting. */
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
  "a\r>From b",
  "a\rFrom c",
  "\0From d",
);

it("quotes lines that look like a separator, so that readers restore them", () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const bytes = Buffer.from(`Subject: x\n\n${lines.join("\n")}\n`);
      const whole = written(SENT, bytes);
      const body = whole.subarray(whole.indexOf("\n") + 1, -1);
      expect(body.toString()).not.toMatch(/(?:^|[\n\r\0])From /);
      expect(unquoteFromLines(body, mayEndLine).toString()).toBe(bytes.toString());
    }),
  );
});

/** Messages read back from an export to a file of this name, after `move` placed the file and its manifest. */
async function readBack(
  name: string,
  messages: readonly Buffer[],
  move: (directory: string) => string = (directory) => join(directory, name),
): Promise<readonly Buffer[]> {
  const directory = join(root, `export-${count++}`);
  mkdirSync(dirname(join(directory, name)), { recursive: true });
  const target = new ExportTarget(directory);
  const list = target.openFile(MANIFEST_NAME);
  const manifest = new Manifest(list, { query: "", toolVersion: "1.0.0", exportedAt: 0 }, (path) => path);
  const file = target.openFile(name);
  for (const bytes of messages) {
    writeMboxMessage(file, SENT, bytes);
    const row = { path: name, id: "msg-000001", messageId: "a@site.example", sha256: null, source: "s", location: "l" };
    manifest.add({ ...row, origin: "exact", note: "" });
  }
  target.closeFile(file);
  target.closeFile(list);
  const source = await openMbox(move(directory), { mailbox: "box", unitBytes: 1 << 20 });
  const items = [...source.units()].flatMap((unit) => (unit.kind === "mbox" ? [...readMboxUnit(unit)] : []));
  return items.map((item) => (item.kind === "rfc5322" ? Buffer.from(item.bytes) : Buffer.alloc(0)));
}

it("is read back byte for byte", async () => {
  const message = fc.array(line, { maxLength: 12 }).map((lines) => Buffer.from(`Subject: x\n\n${lines.join("\n")}\n`));
  const name = fc.constantFrom("mail.mbox", "Inbox/A, B.mbox", 'Inbox/="1".mbox', "a/b/c/d.mbox");
  await fc.assert(
    fc.asyncProperty(name, fc.array(message, { minLength: 1, maxLength: 4 }), async (path, messages) => {
      expect(await readBack(path, messages)).toEqual(messages);
    }),
    { numRuns: 60 },
  );
});

it("is read like any other file if the manifest does not list it", async () => {
  const message = Buffer.from("Subject: x\n\nFrom me\n");
  const quoted = [Buffer.from("Subject: x\n\n>From me\n")];
  const renamed = (directory: string): string => {
    renameSync(join(directory, "mail.mbox"), join(directory, "other.mbox"));
    return join(directory, "other.mbox");
  };
  expect(await readBack("mail.mbox", [message], renamed)).toEqual(quoted);
  const apart = (directory: string): string => {
    renameSync(join(directory, MANIFEST_NAME), join(root, "kept.csv"));
    return join(directory, "mail.mbox");
  };
  expect(await readBack("mail.mbox", [message], apart)).toEqual(quoted);
  const asOneFile = (directory: string): string => {
    renameSync(join(directory, MANIFEST_NAME), join(directory, `mail.mbox.${MANIFEST_NAME}`));
    return join(directory, "mail.mbox");
  };
  expect(await readBack("mail.mbox", [message], asOneFile)).toEqual([message]);
});

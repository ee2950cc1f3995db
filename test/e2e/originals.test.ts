import { createHash } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalServer } from "../../src/http/local-server/local-server.ts";
import type { Archive, ArchivedMessage } from "../../src/mail/archive.ts";
import { parseMessage } from "../../src/mime/parse-message.ts";
import { OriginalThread } from "../../src/originals/original-thread.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { archiveIn } from "../../src/store/contract/archive-location.ts";
import { buildMsg } from "../msg-writer/msg-writer.ts";
import { olmFile, olmMail } from "../olm-writer.ts";
import { buildStore, sampleMail } from "../pst-writer/sample-store.ts";
import { buildTar } from "../tar-file.ts";
import { buildZip } from "../zip-file.ts";
import { archivetool, scratchDirectory } from "./cli.ts";

/** Every message of every kind of source is returned exactly as stored, over HTTP and by `show --raw`. */

const scratch = scratchDirectory("originals");
const sources = join(scratch, "sources");
const output = join(scratch, "archive");
/** Messages of each kind. */
const COUNT = 200;

/** A message with lines that an MBOX must quote, and a file. */
const letter = (kind: string, number: number): string =>
  `From: Ann <ann@${kind}.example>\nTo: bob@site.example\nSubject: ${kind} ${number}\nMessage-ID: <${number}@${kind}.example>\nDate: Mon, 14 May 2001 09:${String(number % 60).padStart(2, "0")}:00 +0000\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nFrom here on, letter ${number}.\n>From there\n--b\nContent-Type: application/octet-stream; name=a.bin\nContent-Transfer-Encoding: base64\n\n${Buffer.from(`${kind}${number}`).toString("base64")}\n--b--\n`;
const numbers = Array.from({ length: COUNT }, (_, number) => number);
const mbox = (kind: string): string =>
  numbers
    .map(
      (number) => `From a@b.example Mon May 14 09:00:00 2001\n${letter(kind, number).replace(/^(>*From )/gm, ">$1")}\n`,
    )
    .join("")
    // MBOX does not quote this header field.
    .replaceAll("\n>From: ", "\nFrom: ");
const emlx = (kind: string, number: number): string =>
  `${Buffer.byteLength(letter(kind, number))}\n${letter(kind, number)}<plist></plist>`;
const entries = (kind: string, name: (number: number) => string) =>
  numbers.map((number) => ({ name: name(number), content: letter(kind, number) }));

/** Sources by name with their contents: a file, or the files of a directory. */
const FILES: Readonly<Record<string, () => Buffer | string | Readonly<Record<string, Buffer | string>>>> = {
  "box.mbox": () => mbox("mbox"),
  maildir: () => Object.fromEntries(numbers.map((number) => [`cur/${number}:2,S`, letter("maildir", number)])),
  eml: () => Object.fromEntries(numbers.map((number) => [`${number}.eml`, letter("eml", number)])),
  emlx: () => Object.fromEntries(numbers.map((number) => [`${number}.emlx`, emlx("emlx", number)])),
  "mail.zip": () => buildZip([{ name: "Mail/inner.mbox", content: mbox("zip") }]),
  "box.mbox.gz": () => gzipSync(mbox("gz")),
  "tree.tgz": () => gzipSync(buildTar(entries("tgz", (number) => `tree/${number}.eml`))),
  "store.pst": () =>
    buildStore({ layout: "unicode", encoding: "permute" }, (store) => {
      const folder = store.addFolder("Inbox");
      for (const number of numbers) store.addMessage(folder, sampleMail(number));
    }),
  msg: () => Object.fromEntries(numbers.map((number) => [`${number}.msg`, buildMsg(sampleMail(1_000 + number))])),
  "mac.olm": () =>
    buildZip(
      numbers.map((number) => ({
        name: `Local/com.microsoft.__Messages/Inbox/message_${number}.xml`,
        content: olmFile("emails", [
          [
            "email",
            olmMail({ OPFMessageCopyMessageID: `${number}@olm.example`, OPFMessageCopySubject: `olm ${number}` }),
          ],
        ]),
      })),
    ),
};
/** Kinds of sources that do not store messages as sent. */
const COMPOSED: ReadonlySet<string> = new Set(["store.pst", "msg", "mac.olm"]);

let archive: Archive;
let originals: OriginalThread;
let app: FastifyInstance;
const messagesOf = new Map<string, ArchivedMessage[]>();

function put(name: string): void {
  const made = FILES[name]!();
  const files = typeof made === "string" || Buffer.isBuffer(made) ? { "": made } : made;
  for (const [inside, content] of Object.entries(files)) {
    const path = join(sources, name, inside);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

beforeAll(async () => {
  for (const name of Object.keys(FILES)) put(name);
  const paths = Object.keys(FILES).map((name) => join(sources, name));
  const run = archivetool("-q", "extract", ...paths, "-o", output, "--no-wiki", "--keep-copies");
  expect(run.exitCode, run.stderr).toBe(0);
  archive = await openArchive(archiveIn(output));
  const { sources: stored } = await archive.provenance();
  const ids = Array.from(
    { length: (await archive.stats()).totalMessages },
    (_, number) => `msg-${String(number + 1).padStart(6, "0")}`,
  );
  for (const message of await archive.messages.getMany(ids)) {
    const name = stored[message.source]!.path.slice(sources.length + 1).split("/")[0]!;
    if (!messagesOf.has(name)) messagesOf.set(name, []);
    messagesOf.get(name)!.push(message);
  }
  originals = new OriginalThread({ directories: [], password: null, unpackedDirectory: join(scratch, "unpacked") });
  const start = {
    source: "mail",
    environment: "test",
    host: "127.0.0.1",
    originals,
    notebook: null,
    isReplaced: () => false,
  };
  app = await createLocalServer(archive, { ...start, newDirectory: () => join(scratch, "new") }, null);
});

afterAll(async () => {
  await app?.close();
  await archive?.close();
  await originals?.close();
});

describe("originals", () => {
  it.each(Object.keys(FILES))("of %s equal the extracted messages", async (name) => {
    const messages = messagesOf.get(name)!;
    expect(messages).toHaveLength(COUNT);
    for (const { id, sha256, subject } of messages) {
      const answer = await app.inject(`/api/messages/${id}/original`);
      expect(answer.statusCode).toBe(200);
      const isComposed = COMPOSED.has(name);
      expect(answer.headers["x-archivetool-original"]).toBe(isComposed ? "composed" : "exact");
      if (isComposed) expect(parseMessage(answer.rawPayload).envelope.subject).toBe(subject);
      else {
        const [kind, number] = subject.split(" ");
        expect(answer.payload).toBe(letter(kind!, Number(number)));
        expect(createHash("sha256").update(answer.rawPayload).digest("hex")).toBe(sha256);
      }
    }
  });

  /** Error for the first message of a kind, over HTTP and from `show --raw`. */
  async function outcomeOf(name: string): Promise<unknown> {
    const { id } = messagesOf.get(name)![0]!;
    const answer = await app.inject(`/api/messages/${id}/original`);
    const run = archivetool("show", output, id, "--raw");
    expect([run.exitCode, run.stdout]).toEqual([1, ""]);
    const [, word] = /\((moved|changed|unreadable|protected): /.exec(run.stderr) ?? [];
    return [answer.statusCode, answer.json().error.code, word];
  }

  it("equal the output of show, byte by byte", () => {
    for (const name of ["box.mbox", "maildir", "tree.tgz"]) {
      const { id, sha256 } = messagesOf.get(name)!.at(-1)!;
      const run = archivetool("show", output, id, "--raw");
      expect(createHash("sha256").update(run.stdout).digest("hex")).toBe(sha256);
    }
  });

  it("are reported as moved, changed, missing and unreadable", async () => {
    const moved = [404, "ORIGINAL_MOVED", "moved"];
    const changed = [410, "ORIGINAL_CHANGED", "changed"];
    renameSync(join(sources, "box.mbox"), join(sources, "away.mbox"));
    expect(await outcomeOf("box.mbox")).toEqual(moved);
    mkdirSync(join(sources, "box.mbox"));
    expect(await outcomeOf("box.mbox")).toEqual([503, "ORIGINAL_UNREADABLE", "unreadable"]);
    for (const { location } of messagesOf.get("maildir")!) rmSync(join(sources, "maildir", location));
    expect(await outcomeOf("maildir")).toEqual(changed);
    for (const { location } of messagesOf.get("eml")!)
      writeFileSync(join(sources, "eml", location), letter("eml", 999));
    expect(await outcomeOf("eml")).toEqual(changed);
    writeFileSync(
      join(sources, "store.pst"),
      buildStore({ layout: "unicode", encoding: "permute" }, () => undefined),
    );
    writeFileSync(
      join(sources, "mac.olm"),
      buildZip([{ name: "Local/Notes/Notes.xml", content: olmFile("notes", []) }]),
    );
    expect(await outcomeOf("store.pst")).toEqual(changed);
    expect(await outcomeOf("mac.olm")).toEqual(changed);
  });
});

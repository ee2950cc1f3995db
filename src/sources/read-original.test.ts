import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keptItemsOf } from "../../test/kept-items.ts";
import { string8 } from "../../test/pst-writer/property-writer.ts";
import { buildStore } from "../../test/pst-writer/sample-store.ts";
import { buildTar } from "../../test/tar-file.ts";
import { buildZip } from "../../test/zip-file.ts";
import { parseMessage } from "../mime/parse-message.ts";
import { PID } from "../properties/property-ids.ts";
import { openSource } from "./formats/detect-format.ts";
import { type OriginalPlace, OriginalReader } from "./read-original.ts";
import { readUnit } from "./work-units.ts";

const LIMITS = { password: null, skipProtected: false };

const mail = (subject: string, body: string): string =>
  `From: Ann <ann@site.example>\nTo: bob@site.example\nSubject: ${subject}\nDate: Mon, 14 May 2001 09:00:00 +0000\n\n${body}\n`;
const mbox = (...messages: readonly string[]): string =>
  messages.map((message) => `From ann@site.example Mon May 14 09:00:00 2001\n${message}\n`).join("");

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "archivetool-original-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, content: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
  return join(root, path);
}

/** Records that an extraction stores for each message of a source, with the bytes it read. */
async function extracted(path: string): Promise<{ readonly place: OriginalPlace; readonly bytes: Buffer }[]> {
  const source = await openSource(path, LIMITS);
  const found: { readonly place: OriginalPlace; readonly bytes: Buffer }[] = [];
  for (const unit of source.units()) {
    for (const item of await readUnit(unit)) {
      if (item.kind !== "rfc5322") continue;
      const bytes = Buffer.from(item.bytes);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const { mailbox, location } = item;
      found.push({
        place: { format: source.format, sourcePath: source.path, mailbox, location, sha256, charset: null },
        bytes,
      });
    }
  }
  return found;
}

const reader = (...directories: readonly string[]): OriginalReader =>
  new OriginalReader({ directories, password: null, unpackedDirectory: join(root, "unpacked") });

// The user who runs the tests may have access to everything; nobody can read this file.
it.skipIf(process.platform !== "linux")("is unreadable without permission", async () => {
  const path = put("box.mbox", mbox(mail("one", "first")));
  const { place } = (await extracted(path))[0]!;
  rmSync(path);
  symlinkSync("/proc/self/mem", path);
  await expect(reader().read(place)).resolves.toEqual({
    state: "unreadable",
    message: `${path} cannot be read (EIO)`,
  });
});

describe("packed sources", () => {
  const two = mbox(mail("one", "first"), mail("two", "second"));
  const files = [
    { name: "Takeout/Mail/box.mbox", content: two },
    { name: "Takeout/photo.jpg", content: "\xff\xd8" },
  ];
  it.each([
    ["a zip", "mail.zip", buildZip(files), "/Takeout/Mail/box.mbox"],
    ["a tar in gzip", "mail.tgz", gzipSync(buildTar(files)), "/Takeout/Mail/box.mbox"],
    ["a gzip file", "box.mbox.gz", gzipSync(two), "/box.mbox"],
  ])("is read from %s at a new location", async (_, name, bytes, inside) => {
    const plain = put("plain/box.mbox", two);
    const found = (await extracted(plain)).map(({ place, bytes }) => ({
      place: { ...place, sourcePath: join(root, "packed", name) + inside },
      bytes,
    }));
    put(`packed/${name}`, "");
    writeFileSync(join(root, "packed", name), bytes);
    const first = reader();
    for (const { place, bytes } of found)
      expect(await first.read(place)).toEqual({ state: "available", bytes, isExact: true });
    // Only the requested data is written.
    const written = readdirSync(join(root, "unpacked"), { recursive: true, encoding: "utf8" });
    expect(written.filter((path) => path.endsWith(".jpg"))).toEqual([]);
    renameSync(join(root, "packed"), join(root, "moved"));
    const { place } = found[1]!;
    expect(await reader().read(place)).toMatchObject({ state: "moved" });
    expect(await reader(join(root, "moved")).read(place)).toMatchObject({ state: "available" });
    writeFileSync(join(root, "moved", name), bytes.subarray(0, bytes.length / 2));
    expect(await reader(join(root, "moved")).read(place)).toMatchObject({ state: "changed" });
    renameSync(join(root, "moved"), join(root, "packed"));
    const state = name.endsWith(".zip") ? "available" : "changed";
    expect(await reader().read(place)).toMatchObject({ state });
  });
});

describe("an original at its recorded location", () => {
  it.each([
    ["an mbox", "box.mbox", mbox(mail("one", "first"), mail("two", "second"), mail("three", "third"))],
    ["an mbox whose quoting is undone", "rd.mbox", mbox(mail("one", ">From me\n>>From you"), mail("two", "plain"))],
    [
      "an mbox with carriage returns alone",
      "mac.mbox",
      mbox(mail("one", "first"), mail("two", "second")).replaceAll("\n", "\r"),
    ],
    ["an undated mbox", "undated.mbox", `From \n${mail("one", "first")}\nFrom \n${mail("two", "second")}\n`],
    ["a lone message", "one.eml", mail("one", "only")],
    ["a message of Apple Mail", "1.emlx", `${Buffer.byteLength(mail("one", "only"))}\n${mail("one", "only")}`],
  ])("%s", async (_, name, content) => {
    const messages = await extracted(put(name, content));
    expect(messages.length).toBeGreaterThan(0);
    for (const { place, bytes } of messages) {
      expect(await reader().read(place)).toEqual({ state: "available", bytes, isExact: true });
    }
  });

  it("a Maildir, also after flags were changed and new mail was seen", async () => {
    put("box/new/3.c.host", mail("three", "third"));
    put("box/cur/1.a.host:2,", mail("one", "first"));
    put("box/.Sent/cur/2.b.host:2,S", mail("two", "second"));
    mkdirSync(join(root, "box/tmp"));
    const messages = await extracted(join(root, "box"));
    expect(messages).toHaveLength(3);
    renameSync(join(root, "box/new/3.c.host"), join(root, "box/cur/3.c.host:2,S"));
    renameSync(join(root, "box/cur/1.a.host:2,"), join(root, "box/cur/1.a.host:2,FRS"));
    renameSync(join(root, "box/.Sent/cur/2.b.host:2,S"), join(root, "box/.Sent/cur/2.b.host:2,"));
    const read = reader();
    for (const { place, bytes } of messages)
      expect(await read.read(place)).toEqual({ state: "available", bytes, isExact: true });
  });
});

describe("sources that are not packed", () => {
  it("is found in a given directory by the end of its path", async () => {
    const path = put("old/office/box.mbox", mbox(mail("one", "first")));
    const [message] = await extracted(path);
    mkdirSync(join(root, "disk"));
    renameSync(join(root, "old/office"), join(root, "disk/office"));
    expect(await reader().read(message!.place)).toEqual({ state: "moved", message: `${path} not found` });
    for (const directory of ["disk", "disk/office"]) {
      expect((await reader(join(root, directory)).read(message!.place)).state).toBe("available");
    }
  });

  it("is found if a mail directory was renamed", async () => {
    put("inbox/1.eml", mail("one", "first"));
    const [message] = await extracted(join(root, "inbox"));
    renameSync(join(root, "inbox"), join(root, "renamed"));
    expect((await reader(join(root, "renamed")).read(message!.place)).state).toBe("available");
  });

  it.each([
    [
      "an mbox that begins otherwise",
      "box.mbox",
      mbox(mail("one", "first"), mail("two", "second")),
      mbox(mail("other", "longer than it was"), mail("x", "y")),
    ],
    ["an mbox cut short", "box.mbox", mbox(mail("one", "first"), mail("two", "second")), "From "],
    ["a file with another message", "one.eml", mail("one", "first"), mail("one", "other")],
  ])("is reported as changed: %s", async (_, name, before, after) => {
    const messages = await extracted(put(name, before));
    put(name, after);
    expect((await reader().read(messages.at(-1)!.place)).state).toBe("changed");
  });

  it("is reported missing from an existing directory", async () => {
    put("inbox/1.eml", mail("one", "first"));
    put("inbox/2.eml", mail("two", "second"));
    const messages = await extracted(join(root, "inbox"));
    rmSync(join(root, "inbox/2.eml"));
    expect(await reader().read(messages[1]!.place)).toEqual({
      state: "changed",
      message: `2.eml is no longer in ${join(root, "inbox")}`,
    });
  });

  it("is reported unreadable if the system reports that", async () => {
    const path = put("box.mbox", mbox(mail("one", "first")));
    const [message] = await extracted(path);
    rmSync(path);
    // A directory can be opened as a file, but not read as one.
    mkdirSync(path);
    writeFileSync(join(path, "x".repeat(200)), "");
    expect((await reader().read(message!.place)).state).toBe("unreadable");
  });

  it("of 8-bit text without a charset uses the given one", async () => {
    const bytes = buildStore({ layout: "ansi", encoding: "permute" }, (store) => {
      const properties = [string8(PID.subject, Buffer.from("a")), string8(PID.body, Buffer.from([0xec]))];
      store.addMessage(store.addFolder("Inbox"), { properties });
    });
    const path = join(root, "ansi.pst");
    writeFileSync(path, bytes);
    const opened = await openSource(path, { ...LIMITS, charset: "windows-1250" });
    const [item] = await keptItemsOf(opened.units());
    if (item?.kind !== "object") throw new Error("no message");
    const { mailbox, location, sha256 } = item;
    const place = { format: "pst", sourcePath: path, mailbox, location, sha256 } as const;
    const originals = reader();
    for (const [charset, text] of [
      ["windows-1250", "ě"],
      ["windows-1252", "ì"],
    ] as const) {
      const read = await originals.read({ ...place, charset });
      expect(read.state === "available" && parseMessage(read.bytes).textBody?.trim()).toBe(text);
    }
  });

  it("is never a file outside of its source", async () => {
    put("inbox/1.eml", mail("one", "first"));
    const [message] = await extracted(join(root, "inbox"));
    put("secret.eml", mail("one", "first"));
    for (const location of [
      "../secret.eml",
      join(root, "secret.eml"),
      "cur/../../secret.eml",
      "\ufffd2e\ufffd2e\ufffd2fsecret.eml",
    ]) {
      expect((await reader().read({ ...message!.place, location })).state).toBe("changed");
    }
  });
});

import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deflateBomb, gzipOf } from "../../test/bomb-file.ts";
import { buildTar, paxRecord, type TarPart, tarEntry } from "../../test/tar-file.ts";
import { buildZip, unixMode, type ZipPart } from "../../test/zip-file.ts";
import { ArchiveError, type ErrorCode } from "../errors.ts";
import { inspectArchive, unpackArchive } from "./unpack-archive.ts";
import { UNPACK_LIMITS, type UnpackLimits } from "./unpack-limits.ts";

const MAIL = "From: Ada <ada@example.example>\nSubject: figures\n\nHello\n";
const NEVER = new AbortController().signal;

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "unpacking-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Files and directories below, sorted, with the content of files. */
function treeOf(directory: string): Record<string, string | null> {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      statSync(join(directory, name)).isFile() ? readFileSync(join(directory, name), "latin1") : null,
    ]),
  );
}

function archiveFile(bytes: Buffer): string {
  const path = join(root, "archive");
  writeFileSync(path, bytes);
  return path;
}

async function codeOf(work: Promise<unknown>): Promise<ErrorCode | "none"> {
  return work.then(
    () => "none" as const,
    (error: unknown) => {
      if (!(error instanceof ArchiveError)) throw error;
      return error.code;
    },
  );
}

/** Both ways to read an archive reject it and do not change the directory. */
async function expectRefused(bytes: Buffer, code: ErrorCode, limits: UnpackLimits = UNPACK_LIMITS): Promise<void> {
  const path = archiveFile(bytes);
  const before = treeOf(root);
  expect(await codeOf(inspectArchive(path, limits, NEVER))).toBe(code);
  expect(treeOf(root)).toEqual(before);
  expect(await codeOf(unpackArchive(path, join(root, "out"), limits, NEVER))).toBe(code);
  expect(treeOf(root)).toEqual(before);
}

async function unpacked(bytes: Buffer, limits: UnpackLimits = UNPACK_LIMITS): Promise<Record<string, string | null>> {
  const path = archiveFile(bytes);
  const listing = await inspectArchive(path, limits, NEVER);
  expect(await unpackArchive(path, join(root, "out"), limits, NEVER)).toEqual(listing);
  return treeOf(join(root, "out"));
}

describe("honest archives", () => {
  it("a gzip file is one file, named without .gz", async () => {
    expect(await unpacked(gzipSync(Buffer.from(MAIL)))).toEqual({ archive: MAIL });
    const path = join(root, "2024-May.txt.gz");
    // Two members with one file.
    writeFileSync(path, Buffer.concat([gzipSync(Buffer.from(MAIL)), gzipSync(Buffer.from(MAIL))]));
    await unpackArchive(path, join(root, "two"), UNPACK_LIMITS, NEVER);
    expect(treeOf(join(root, "two"))).toEqual({ "2024-May.txt": MAIL + MAIL });
  });

  const parts = [
    { name: "Maildir/", content: "" },
    { name: "./Maildir/cur/1.a:2,S", content: MAIL },
    { name: "Maildir//new/./2.b", content: `${MAIL}again\n` },
    { name: "Grüße/日本.eml", content: MAIL },
    { name: "empty.eml", content: "" },
  ];
  const tree = {
    Maildir: null,
    "Maildir/cur": null,
    "Maildir/cur/1.a:2,S": MAIL,
    "Maildir/new": null,
    "Maildir/new/2.b": `${MAIL}again\n`,
    Grüße: null,
    "Grüße/日本.eml": Buffer.from(MAIL).toString("latin1"),
    "empty.eml": "",
  };
  const tarParts: TarPart[] = parts.map((part) => ({ ...part, type: part.name.endsWith("/") ? "5" : "0" }));

  it.each([
    ["zip", buildZip(parts)],
    ["zip without compression", buildZip(parts.map((part) => ({ ...part, method: 0 })))],
    ["zip64", buildZip(parts.map((part) => ({ ...part, isZip64: true })))],
    ["zip with a comment", buildZip(parts, { comment: "made by hand" })],
    ["zip that does not flag its UTF-8", buildZip(parts.map((part) => ({ ...part, flags: 0 })))],
    ["tar", buildTar(tarParts)],
    ["tar of before POSIX", buildTar(parts.map((part) => ({ ...part, isOld: true })))],
    ["tar.gz", gzipSync(buildTar(tarParts))],
    [
      "tar.gz of two members",
      Buffer.concat([gzipSync(buildTar(tarParts).subarray(0, 700)), gzipSync(buildTar(tarParts).subarray(700))]),
    ],
    ["tar.gz padded with zeros", Buffer.concat([gzipSync(buildTar(tarParts)), Buffer.alloc(300_000)])],
  ])("unpacks a %s", async (_, bytes) => expect(await unpacked(bytes)).toEqual(tree));

  it("creates files that only the owner can read, never executable", async () => {
    await unpacked(buildZip([{ name: "a/b.eml", content: MAIL, externalAttributes: unixMode(0o104777) }]));
    expect(statSync(join(root, "out/a/b.eml")).mode & 0o7777).toBe(0o600);
    expect(statSync(join(root, "out/a")).mode & 0o7777).toBe(0o700);
  });

  it("keeps names that are not UTF-8 distinct", async () => {
    const latin1 = ["M\xfcller.eml", "M\xf6ller.eml"].map((name) => ({
      name: Buffer.from(name, "latin1"),
      content: MAIL,
      flags: 0,
    }));
    expect(Object.keys(await unpacked(buildTar(latin1)))).toEqual(["Möller.eml", "Müller.eml"]);
    rmSync(join(root, "out"), { recursive: true });
    expect(Object.keys(await unpacked(buildZip(latin1)))).toHaveLength(2);
  });

  it("reads the long names of pax and GNU tar", async () => {
    const long = `${"d".repeat(150)}/${"f".repeat(150)}.eml`;
    const pax = [
      { name: "x", type: "x", content: paxRecord("path", long) },
      { name: "short", content: MAIL },
    ];
    const gnu = [
      { name: "././@LongLink", type: "L", content: `${long.replace("f", "g")}\0` },
      { name: "short", content: MAIL },
    ];
    expect(Object.keys(await unpacked(buildTar([...pax, ...gnu])))).toContain(long);
    expect(existsSync(join(root, "out", long.replace("f", "g")))).toBe(true);
  });

  it("unpacks large files in pieces, and checks them", async () => {
    const text = `${MAIL}${"0123456789abcdef".repeat(200_000)}`;
    for (const method of [0, 8]) {
      expect(await unpacked(buildZip([{ name: "a.mbox", content: text, method }]))).toEqual({ "a.mbox": text });
      rmSync(join(root, "out"), { recursive: true });
      await expectRefused(buildZip([{ name: "a.mbox", content: text, method, crc: 1 }]), "DAMAGED_SOURCE");
    }
  });

  it("counts its contents", async () => {
    const path = archiveFile(buildZip([...parts, { name: "old.ZIP", content: "PK" }]));
    const expandedBytes = Buffer.byteLength(MAIL) * 3 + 6 + 2;
    expect(await inspectArchive(path, UNPACK_LIMITS, NEVER)).toEqual({
      format: "zip",
      damage: null,
      files: 5,
      nestedArchives: 1,
      expandedBytes,
    });
  });
});

/** Names that lead out of the directory, or may do so if they are interpreted differently. */
const BAD_NAMES: readonly string[] = [
  "../evil.eml",
  "a/../../evil.eml",
  "a/..",
  "..",
  "/etc/evil.eml",
  "//server/share/evil.eml",
  "C:/evil.eml",
  "c:evil.eml",
  "a\\..\\..\\evil.eml",
  "\\\\server\\evil.eml",
  "a\0.eml",
  "../evil.eml\0.eml",
  "\uff0e\uff0e/evil.eml",
  "\u2025/evil.eml",
  "..\uff0fevil.eml",
  "a\uff0f..\uff0f..\uff0fevil.eml",
  `${"n".repeat(256)}.eml`,
  `${"é".repeat(128)}.eml`,
  `${"d/".repeat(65)}deep.eml`,
  `${`${"p".repeat(200)}/`.repeat(11)}long.eml`,
];

describe("paths outside the archive", () => {
  it.each(BAD_NAMES)("are rejected: %j", async (name) => {
    const good = { name: "good.eml", content: MAIL };
    await expectRefused(buildZip([good, { name, content: MAIL }]), "UNSAFE_ARCHIVE");
    await expectRefused(buildZip([good, { name, content: MAIL, flags: 0 }]), "UNSAFE_ARCHIVE");
    // A tar header ends a name at its NUL; the extended header does not.
    const pax = [
      { name: "x", type: "x", content: paxRecord("path", name) },
      { name: "harmless.eml", content: MAIL },
    ];
    await expectRefused(buildTar([good, ...pax]), "UNSAFE_ARCHIVE");
    await expectRefused(gzipSync(buildTar([good, ...pax])), "UNSAFE_ARCHIVE");
    if (Buffer.byteLength(name) <= 100 && !name.includes("\0"))
      await expectRefused(buildTar([good, { name, content: MAIL }]), "UNSAFE_ARCHIVE");
  });

  it("are rejected in the Unicode path field of Info-ZIP too", async () => {
    const { crc32 } = await import("node:zlib");
    const zip = buildZip([{ name: "harmless.eml", content: MAIL, flags: 0 }]);
    const field = Buffer.concat([Buffer.of(0x75, 0x70, 0, 0, 1, 0, 0, 0, 0), Buffer.from("../evil.eml")]);
    field.writeUInt16LE(field.length - 4, 2);
    field.writeUInt32LE(crc32("harmless.eml"), 5);
    const directory = zip.indexOf("PK\x01\x02");
    const end = zip.indexOf("PK\x05\x06");
    const entry = Buffer.concat([zip.subarray(directory, end), field]);
    entry.writeUInt16LE(field.length, 30);
    const tail = Buffer.from(zip.subarray(end));
    tail.writeUInt32LE(entry.length, 12);
    await expectRefused(Buffer.concat([zip.subarray(0, directory), entry, tail]), "UNSAFE_ARCHIVE");
  });

  it("are harmless if the bytes are not UTF-8: an overlong `..` stays inside", async () => {
    const overlong = Buffer.from([0xc0, 0xae, 0xc0, 0xae, 0x2f, 0x61]);
    for (const bytes of [
      buildTar([{ name: overlong, content: MAIL }]),
      buildZip([{ name: overlong, content: MAIL }]),
    ]) {
      expect(Object.values(await unpacked(bytes))).toEqual([null, MAIL]);
      rmSync(join(root, "out"), { recursive: true });
    }
  });

  it("include no full-width slash, which is common in subjects", async () => {
    expect(Object.keys(await unpacked(buildZip([{ name: "Re A\uff0fB.eml", content: MAIL }])))).toEqual([
      "Re A\uff0fB.eml",
    ]);
  });
});

describe("entries that are not files", () => {
  it.each([
    ["symbolic link", 0o120777],
    ["block device", 0o060600],
    ["character device", 0o020600],
    ["FIFO", 0o010600],
    ["socket", 0o140600],
    ["unknown", 0o150000],
  ])("are rejected in a zip: %s", async (_, mode) => {
    await expectRefused(
      buildZip([{ name: "link", content: "/etc/passwd", externalAttributes: unixMode(mode) }]),
      "UNSAFE_ARCHIVE",
    );
  });

  it.each(["1", "2", "3", "4", "6", "S", "V", "M", "D"])("are rejected in a tar: type %s", async (type) => {
    await expectRefused(
      buildTar([
        { name: "good.eml", content: MAIL },
        { name: "link", type, linkName: "/etc/passwd" },
      ]),
      "UNSAFE_ARCHIVE",
    );
  });

  it("are files if a tar has hard links to earlier entries, as in Maildir backups", async () => {
    const parts: readonly TarPart[] = [
      { name: "Maildir/cur/1:2,S", content: MAIL },
      { name: "Maildir/.Sent/cur/2:2,S", type: "1", linkName: "Maildir/cur/1:2,S" },
      { name: "./Maildir/cur/3:2,S", type: "1", linkName: "./Maildir/.Sent/cur/2:2,S" },
      { name: "Maildir/cur/4:2,S", type: "1", content: "From: Bob <bob@example.example>\n\nown bytes\n" },
    ];
    const tree = await unpacked(buildTar(parts));
    expect(tree["Maildir/cur/1:2,S"]).toBe(MAIL);
    expect(tree["Maildir/.Sent/cur/2:2,S"]).toBe(MAIL);
    expect(tree["Maildir/cur/3:2,S"]).toBe(MAIL);
    expect(tree["Maildir/cur/4:2,S"]).toContain("own bytes");
  });

  it.each(["later.eml", "cur", "../outside.eml", "/etc/passwd", "", "good.eml/x", "link"])(
    "are rejected as hard links to %j",
    async (linkName) => {
      await expectRefused(
        buildTar([
          { name: "good.eml", content: MAIL },
          { name: "cur", type: "5" },
          { name: "link", type: "1", linkName },
          { name: "later.eml", content: MAIL },
        ]),
        "UNSAFE_ARCHIVE",
      );
    },
  );

  it("are rejected as symbolic links to earlier entries, and as hard links with an existing name", async () => {
    for (const link of [
      { name: "link", type: "2", linkName: "good.eml" },
      { name: "good.eml", type: "1", linkName: "good.eml" },
    ])
      await expectRefused(buildTar([{ name: "good.eml", content: MAIL }, link]), "UNSAFE_ARCHIVE");
  });

  it("count all bytes of hard links: a thousand names of one file are a bomb", async () => {
    const links = Array.from({ length: 1000 }, (_, index) => ({
      name: `${index}.eml`,
      type: "1",
      linkName: "good.eml",
    }));
    const tar = buildTar([{ name: "good.eml", content: Buffer.alloc(100_000, MAIL) }, ...links]);
    await expectRefused(tar, "UNSAFE_ARCHIVE", { ...UNPACK_LIMITS, maxExpandedBytes: 50_000_000 });
  });

  it("are rejected before anything is written through them", async () => {
    const through = [
      { name: "link", type: "2", linkName: root },
      { name: "link/evil.eml", content: MAIL },
    ];
    await expectRefused(buildTar(through), "UNSAFE_ARCHIVE");
    // A link name with another case or normal form is a different file here, and never the link.
    await expectRefused(
      buildTar([
        { name: "Link", type: "2", linkName: root },
        { name: "link/evil.eml", content: MAIL },
      ]),
      "UNSAFE_ARCHIVE",
    );
  });

  it("do not lead out when the directory was replaced by a link", async () => {
    const path = archiveFile(buildZip([{ name: "a.eml", content: MAIL }]));
    symlinkSync(tmpdir(), join(root, "out"));
    await expect(unpackArchive(path, join(root, "out"), UNPACK_LIMITS, NEVER)).rejects.toThrow();
    expect(existsSync(join(tmpdir(), "a.eml"))).toBe(false);
    expect(existsSync(tmpdir())).toBe(true);
  });

  it("are rejected if a tar hides a sparse file", async () => {
    const sparse = [
      { name: "x", type: "x", content: paxRecord("GNU.sparse.major", "1") },
      { name: "a.mbox", content: MAIL },
    ];
    await expectRefused(buildTar(sparse), "UNSUPPORTED_FORMAT");
  });
});

describe("the same name twice", () => {
  it.each([
    ["a file", ["a/b.eml", "a/b.eml"]],
    ["a file by another spelling", ["a/b.eml", "a/./b.eml"]],
    ["a file where a directory is", ["a/b.eml", "a"]],
    ["a directory where a file is", ["a", "a/b.eml"]],
  ])("is rejected: %s", async (_, names) => {
    await expectRefused(buildZip(names.map((name) => ({ name, content: MAIL }))), "UNSAFE_ARCHIVE");
    await expectRefused(buildTar(names.map((name) => ({ name, content: MAIL }))), "UNSAFE_ARCHIVE");
  });

  it("differs in case or normal form, and both files are kept", async () => {
    const names = ["sent/a.eml", "Sent/a.eml", "\u00e9.eml", "e\u0301.eml"];
    const tree = await unpacked(buildZip(names.map((name) => ({ name, content: name }))));
    for (const name of names) expect(tree[name]).toBe(Buffer.from(name).toString("latin1"));
  });

  it("is allowed for directories", async () => {
    expect(await unpacked(buildZip([{ name: "a/" }, { name: "a/" }, { name: "a/b.eml", content: MAIL }]))).toEqual({
      a: null,
      "a/b.eml": MAIL,
    });
  });
});

describe("bombs", () => {
  const small: UnpackLimits = { maxEntries: 100, maxExpandedBytes: 1_000_000, maxRatio: 20, ratioFromBytes: 100_000 };
  const zeros = (bytes: number): Buffer => Buffer.alloc(bytes);

  it.each([
    ["zip over the size", buildZip([{ name: "a.mbox", content: zeros(1_000_001), method: 0 }])],
    [
      "zip over the size in sum",
      buildZip(["a", "b", "c"].map((name) => ({ name, content: zeros(400_000), method: 0 }))),
    ],
    ["zip over the ratio", buildZip([{ name: "a.mbox", content: zeros(200_000) }])],
    ["tar over the size", buildTar([{ name: "a.mbox", content: zeros(1_000_001) }])],
    ["gz over the ratio", gzipSync(zeros(200_000))],
    ["gz over the size", gzipSync(randomBytes(1_100_000))],
    ["tar.gz over the ratio", gzipSync(buildTar([{ name: "a.mbox", content: zeros(200_000) }]))],
    [
      "tar.gz of nothing but zeros behind its end",
      gzipSync(Buffer.concat([buildTar([{ name: "a", content: "a" }]), zeros(900_000)])),
    ],
    ["tar that declares a size no disk has", buildTar([{ name: "a.mbox", content: MAIL, declaredBytes: 2 ** 60 }])],
    ["too many files", buildZip(Array.from({ length: 101 }, (_, index) => ({ name: `${index}.eml` })))],
    [
      "too many directories that are only named",
      buildZip(["a/".repeat(60), "b/".repeat(60)].map((path) => ({ name: `${path}x.eml` }))),
    ],
  ])("are rejected: %s", async (_, bytes) => expectRefused(bytes, "UNSAFE_ARCHIVE", small));

  it("are rejected at full size: 10 GB in 10 MB", async () => {
    const { packed, expandedBytes } = deflateBomb(Buffer.from(MAIL), 1000);
    expect(packed.length).toBeLessThan(11_000_000);
    expect(expandedBytes).toBeGreaterThan(10_000_000_000);
    // One declares its size, one hides it; a tar that declares it, and a small tar followed by ten gigabytes of
    // zeros.
    await expectRefused(
      buildZip([{ name: "a.mbox", packed, declaredBytes: expandedBytes, isZip64: true }]),
      "UNSAFE_ARCHIVE",
    );
    await expectRefused(buildZip([{ name: "a.mbox", packed, declaredBytes: 1_000_000 }]), "UNSAFE_ARCHIVE");
    const bomb = deflateBomb(tarEntry({ name: "a.mbox", declaredBytes: 10_000_000_000 }), 1000);
    await expectRefused(gzipOf(bomb.packed), "UNSAFE_ARCHIVE");
    const hidden = deflateBomb(buildTar([{ name: "a.eml", content: MAIL }]), 1000);
    await expectRefused(gzipOf(hidden.packed), "UNSAFE_ARCHIVE");
  });

  it("are rejected if the declared size is too small", async () => {
    for (const content of [zeros(50_000), zeros(3_000_000)]) {
      await expectRefused(buildZip([{ name: "a.mbox", content, declaredBytes: 10 }]), "UNSAFE_ARCHIVE");
      await expectRefused(buildZip([{ name: "a.mbox", content, declaredBytes: 10, method: 0 }]), "UNSAFE_ARCHIVE");
      await expectRefused(buildZip([{ name: "a.mbox", content, declaredBytes: content.length + 1 }]), "DAMAGED_SOURCE");
    }
    await expectRefused(
      buildZip([{ name: "a.mbox", packed: deflateRawSync(zeros(1_000_000)), declaredBytes: 0 }]),
      "UNSAFE_ARCHIVE",
    );
  });

  it("are rejected if entries share their bytes", async () => {
    const kernel: ZipPart = { name: "a.eml", content: MAIL };
    await expectRefused(buildZip([kernel, { ...kernel, name: "b.eml", sharesHeaderOf: 0 }]), "UNSAFE_ARCHIVE");
    const quoted = [{ name: "c.eml", content: MAIL }, kernel, { ...kernel, name: "b.eml", sharesHeaderOf: 0 }];
    await expectRefused(buildZip(quoted), "UNSAFE_ARCHIVE");
  });

  it("are not unpacked inside an archive", async () => {
    const bomb = buildZip([{ name: "a.mbox", content: zeros(50_000_000) }]);
    expect(
      Object.keys(
        await unpacked(
          buildZip([
            { name: "bomb.zip", content: bomb },
            { name: "a.eml", content: MAIL },
          ]),
        ),
      ),
    ).toEqual(["a.eml", "bomb.zip"]);
    rmSync(join(root, "out"), { recursive: true });
    await expectRefused(buildZip([{ name: "bomb.zip", content: bomb }]), "SOURCE_EMPTY");
  });

  it("do not include files padded with zeros or a file of zeros", async () => {
    const files = [
      { name: "a.mbox", content: zeros(40_000_000) },
      { name: "b.eml", content: MAIL },
    ];
    const tree = await unpacked(Buffer.concat([buildTar(files), zeros(2 ** 20)]));
    expect(tree["a.mbox"]).toHaveLength(40_000_000);
    rmSync(join(root, "out"), { recursive: true });
    await expectRefused(Buffer.concat([buildTar(files), zeros(20 * 2 ** 20)]), "UNSAFE_ARCHIVE");
    await expectRefused(Buffer.concat([buildTar([...files].reverse()), zeros(20 * 2 ** 20)]), "UNSAFE_ARCHIVE");
  });

  it("do not include small files above the ratio", async () => {
    expect(await unpacked(buildZip([{ name: "a.mbox", content: zeros(90_000) }]), small)).toHaveProperty(["a.mbox"]);
  });
});

describe("broken archives", () => {
  const zip = buildZip([
    { name: "a.eml", content: MAIL },
    { name: "b.eml", content: `${MAIL}more` },
  ]);
  const tar = buildTar([
    { name: "a.eml", content: MAIL.repeat(40) },
    { name: "b.eml", content: MAIL },
  ]);

  it.each([
    ["zip cut off", zip.subarray(0, zip.length - 30), "DAMAGED_SOURCE"],
    ["zip cut off early", zip.subarray(0, 40), "DAMAGED_SOURCE"],
    ["zip with bytes behind", Buffer.concat([zip, Buffer.from("garbage")]), "DAMAGED_SOURCE"],
    ["zip with bytes before", Buffer.concat([Buffer.from("PK\x03\x04 or so"), zip]), "DAMAGED_SOURCE"],
    ["zip with a wrong checksum", buildZip([{ name: "a.eml", content: MAIL, crc: 7 }]), "DAMAGED_SOURCE"],
    [
      "zip with broken deflate",
      buildZip([{ name: "a.eml", packed: Buffer.alloc(50, 0xff), declaredBytes: 60 }]),
      "DAMAGED_SOURCE",
    ],
    [
      "zip with bytes behind the deflate of a large entry",
      buildZip([
        { name: "a.mbox", content: MAIL, packed: Buffer.concat([deflateRawSync(MAIL), Buffer.alloc(400_000, 1)]) },
      ]),
      "DAMAGED_SOURCE",
    ],
    [
      "zip with bytes behind the deflate of a small entry",
      buildZip([
        { name: "a.mbox", content: MAIL, packed: Buffer.concat([deflateRawSync(MAIL), Buffer.from("garbage")]) },
      ]),
      "DAMAGED_SOURCE",
    ],
    ["zip with nothing in it", buildZip([]), "SOURCE_EMPTY"],
    ["zip of directories", buildZip([{ name: "a/" }]), "SOURCE_EMPTY"],
    ["encrypted zip", buildZip([{ name: "a.eml", content: MAIL, flags: 0x801 }]), "UNSAFE_ARCHIVE"],
    ["strongly encrypted zip", buildZip([{ name: "a.eml", content: MAIL, flags: 0x841 }]), "UNSAFE_ARCHIVE"],
    ["AES zip", buildZip([{ name: "a.eml", content: MAIL, method: 99, flags: 0x801 }]), "UNSAFE_ARCHIVE"],
    ["zip by LZMA", buildZip([{ name: "a.eml", content: MAIL, method: 14 }]), "UNSUPPORTED_FORMAT"],
    ["tar cut off in a file", tar.subarray(0, 1000), "DAMAGED_SOURCE"],
    ["tar cut off in a header", tar.subarray(0, 3072 + 100), "DAMAGED_SOURCE"],
    ["tar cut off between files", tarEntry({ name: "a.eml", content: MAIL }), "DAMAGED_SOURCE"],
    ["tar with bytes behind", Buffer.concat([tar, Buffer.from("garbage".repeat(100))]), "DAMAGED_SOURCE"],
    ["tar.gz cut off", gzipSync(tar).subarray(0, -20), "DAMAGED_SOURCE"],
    ["tar.gz with bytes behind", Buffer.concat([gzipSync(tar), Buffer.from("garbage")]), "DAMAGED_SOURCE"],
    [
      "tar.gz with bytes behind zeros",
      Buffer.concat([gzipSync(tar), Buffer.alloc(200_000), Buffer.from("garbage")]),
      "DAMAGED_SOURCE",
    ],
    [
      "tar with a broken second header",
      Buffer.concat([tarEntry({ name: "a.eml", content: MAIL }), Buffer.alloc(2048, 0x41)]),
      "DAMAGED_SOURCE",
    ],
    ["gzip of a text that is cut off", gzipSync(Buffer.from(MAIL.repeat(100))).subarray(0, -20), "DAMAGED_SOURCE"],
    ["gzip of nothing", gzipSync(Buffer.alloc(0)), "SOURCE_EMPTY"],
    ["a text", Buffer.from(MAIL), "UNSUPPORTED_FORMAT"],
    ["nothing", Buffer.alloc(0), "UNSUPPORTED_FORMAT"],
  ] as const)("are rejected: %s", async (_, bytes, code) => expectRefused(bytes, code));
});

it("stops on the signal, and leaves no files", async () => {
  const path = archiveFile(
    buildZip(Array.from({ length: 500 }, (_, index) => ({ name: `${index}.eml`, content: MAIL }))),
  );
  const stop = new AbortController();
  const reason = new Error("the client left");
  const unpacking = unpackArchive(path, join(root, "out"), UNPACK_LIMITS, stop.signal);
  setImmediate(() => stop.abort(reason));
  await expect(unpacking).rejects.toBe(reason);
  expect(existsSync(join(root, "out"))).toBe(false);
  await expect(inspectArchive(path, UNPACK_LIMITS, stop.signal)).rejects.toBe(reason);
});

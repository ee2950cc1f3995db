import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { pathBytes } from "../../src/files/path-text.ts";
import { buildStore, sampleMail } from "../pst-writer/sample-store.ts";
import { buildTar } from "../tar-file.ts";
import { buildZip } from "../zip-file.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { command } from "./command.ts";
import { LETTERS, rawMessage, writeMaildir, writeMbox } from "./fixture-mail.ts";
import { archivetoolAsUser, arePermissionsBinding } from "./ordinary-user.ts";

/** Mail as people have it, packed and in mixed directories, through `extract`, `show` and `export`. */

const scratch = scratchDirectory("packed");
const mails = LETTERS.map(rawMessage);
const box = mails.map((mail) => `From mara@harbour.example Wed Jan  1 12:00:00 2003\n${mail}\n`).join("");
const files = [
  { name: "Takeout/archive_browser.html", content: "<!doctype html>" },
  { name: "Takeout/Mail/All mail.mbox", content: box },
];

interface Provenance {
  readonly sources: readonly { readonly path: string; readonly format: string; readonly sha256: string }[];
  readonly warnings: readonly { readonly code: string; readonly location: string | null }[];
  readonly statistics: { readonly total_messages: number };
}

function extracted(name: string, ...sources: readonly string[]): Provenance & { readonly output: string } {
  return extractedBy(archivetool, name, ...sources);
}

function extractedBy(
  program: typeof archivetool,
  name: string,
  ...sources: readonly string[]
): Provenance & { readonly output: string } {
  const output = join(scratch, `out-${name}`);
  const run = program("-q", "extract", ...sources, "-o", output, "--json", "--no-wiki");
  expect(run.exitCode, run.stderr).toBe(0);
  return { ...(JSON.parse(readFileSync(join(output, "provenance.json"), "utf8")) as Provenance), output };
}

function put(name: string, bytes: Buffer): string {
  const path = join(scratch, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, bytes);
  return path;
}

describe("packed mail", () => {
  it.each([
    ["a zip of Google Takeout", "takeout-001.zip", buildZip(files), "/Takeout/Mail/All mail.mbox"],
    ["a tar in gzip", "mail.tgz", gzipSync(buildTar(files)), "/Takeout/Mail/All mail.mbox"],
    ["a tar", "mail.tar", buildTar(files), "/Takeout/Mail/All mail.mbox"],
    ["an MBOX in gzip", "box.mbox.gz", gzipSync(box), "/box.mbox"],
    ["a month of a mailing list", "2003-January.txt.gz", gzipSync(box), "/2003-January.txt"],
    ["a zip of message files", "eml.zip", buildZip(mails.map((mail, n) => ({ name: `${n}.eml`, content: mail }))), ""],
  ])("is read, recognized, and its originals are: %s", async (_, name, bytes, inside) => {
    const path = put(`packed/${name}`, bytes);
    const { sources, statistics, output } = extracted(name, path);
    expect(statistics.total_messages).toBe(3);
    expect(sources.map((source) => source.path)).toEqual([path + inside]);
    expect(existsSync(join(output, ".archivetool-run"))).toBe(false);
    const exported = join(scratch, `${name}-export.eml`);
    const run = await command("export", output, "--format", "eml", "-o", exported);
    expect(run.stdout, run.stderr).toContain("3 messages: 3 original, 0 composed");
    expect((await command("show", output, "msg-000001", "--raw")).stdout).toBe(mails[0]);
    // The same archive again adds nothing.
    const again = archivetool("extract", path, "-o", output, "--incremental");
    expect(again.stdout, again.stderr).toContain("Nothing new");
    renameSync(path, `${path}.elsewhere`);
    expect((await command("show", output, "msg-000001", "--raw")).stderr).toMatch(/moved/);
  });

  it("in packed mail is reported, and stays packed", () => {
    const inner = { name: "Takeout/old.zip", content: buildZip(files) };
    const path = put("nested.zip", buildZip([...files, inner]));
    const { statistics, warnings } = extracted("nested", path);
    expect(statistics.total_messages).toBe(3);
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: "packed-in-directory", location: `${path}/Takeout/old.zip` }),
    );
  });

  it("of several parts is one archive", () => {
    const parts = [1, 2].map((part) =>
      put(`parts/takeout-00${part}.zip`, buildZip([{ name: `Takeout/Mail/${part}.mbox`, content: box }])),
    );
    const { sources, statistics } = extracted("parts", ...parts);
    expect([sources.length, statistics.total_messages]).toEqual([2, 3]);
  });

  it.each([
    ["a bomb", "bomb.mbox.gz", () => gzipSync(Buffer.alloc(600 << 20)), /UNSAFE|rejected: more than 200/],
    [
      "a way out",
      "climbs.zip",
      () => buildZip([{ name: "../../evil.mbox", content: box }]),
      /rejected: .*points outside the archive/,
    ],
    ["no mail", "photos.zip", () => buildZip([{ name: "a.jpg", content: "\xff\xd8" }]), /contains no readable mail/],
    ["a damaged file", "cut.zip", () => buildZip(files).subarray(0, 200), /damaged|cannot be read/],
  ])("is rejected with its name, and leaves no files: %s", (_, name, bytes, message) => {
    const path = put(name, bytes());
    const output = join(scratch, `refused-${name}`);
    const { exitCode, stderr } = archivetool("-q", "extract", path, "-o", output);
    expect([exitCode, stderr.includes(path)]).toEqual([1, true]);
    expect(stderr).toMatch(message);
    expect(existsSync(output)).toBe(false);
    expect(existsSync(join(scratch, "evil.mbox"))).toBe(false);
  });
});

describe("a directory of everything", () => {
  const profile = join(scratch, "profile");
  beforeAll(() => {
    mkdirSync(join(profile, "Mail/Local Folders/Archive.sbd"), { recursive: true });
    writeFileSync(join(profile, "prefs.js"), "user_pref();");
    writeMbox(join(profile, "Mail/Local Folders/Inbox"), mails.slice(0, 2));
    writeFileSync(join(profile, "Mail/Local Folders/Inbox.msf"), "// <!-- <mdb:mork:z v='1.4'/> -->");
    writeFileSync(join(profile, "Mail/Local Folders/Trash"), "");
    writeMbox(join(profile, "Mail/Local Folders/Archive.sbd/2003"), [mails[2]!, mails[0]!]);
    writeMaildir(join(profile, "old"), mails);
    writeFileSync(join(profile, "list.mbox.gz"), gzipSync(box));
    writeFileSync(join(profile, "broken.pst"), "!BDN....");
    writeFileSync(join(profile, "broken.zip"), buildZip(files).subarray(0, 200));
  });

  it("reads every mailbox in it, and reports other files", () => {
    const { sources, statistics, warnings, output } = extracted("profile", profile);
    expect(sources.map(({ path, format }) => `${format} ${path.slice(profile.length + 1)}`)).toEqual([
      "mbox Mail/Local Folders/Inbox",
      "mbox Mail/Local Folders/Archive.sbd/2003",
      "maildir old",
      "mbox list.mbox.gz/list.mbox",
    ]);
    expect(statistics.total_messages).toBe(3);
    const left = warnings.map(({ code, location }) => `${code} ${location?.slice(profile.length + 1)}`).sort();
    expect(left).toEqual([
      "not-a-message Mail/Local Folders/Inbox.msf",
      "not-a-message Mail/Local Folders/Trash",
      "not-a-message prefs.js",
      "unreadable-file broken.pst",
      "unreadable-file broken.zip",
    ]);
    rmSync(output, { recursive: true });
  });

  it.skipIf(!arePermissionsBinding())("is read except for unreadable parts, which are listed", () => {
    const root = join(scratch, "closed");
    for (const name of ["open/Inbox", "secret/Inbox", "Sent"]) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeMbox(join(root, name), mails);
    }
    for (const name of ["list.mbox.gz", "more.mbox.gz"]) writeFileSync(join(root, name), gzipSync(box));
    writeFileSync(join(root, "store.pst"), "!BDN....");
    const closed = ["secret", "Sent", "list.mbox.gz", "store.pst"].map((name) => join(root, name));
    for (const path of closed) chmodSync(path, 0);
    const { sources, warnings } = extractedBy(archivetoolAsUser, "closed", root);
    expect(sources.map(({ path }) => path.slice(root.length + 1))).toEqual(["open/Inbox", "more.mbox.gz/more.mbox"]);
    expect(warnings).toHaveLength(closed.length);
    for (const location of closed)
      expect(warnings).toContainEqual(
        expect.objectContaining({ code: "unreadable-file", location, message: expect.stringContaining("EACCES") }),
      );
    // If it contains nothing else, it is not reported as empty.
    for (const path of ["open", "more.mbox.gz"]) rmSync(join(root, path), { recursive: true });
    const { exitCode, stderr } = archivetoolAsUser("-q", "extract", root, "-o", join(scratch, "out-none"));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/closed: .*, and .*\nhint: check the permissions/);
    chmodSync(join(root, "secret"), 0o700);
  });

  it.skipIf(process.platform !== "linux")("is read with names of any bytes", () => {
    const root = join(scratch, "old names");
    mkdirSync(pathBytes(`${root}/d\ufffde9j\ufffde0`), { recursive: true });
    const contents: Readonly<Record<string, string | Buffer>> = {
      "caf\ufffde9.mbox": box,
      "d\ufffde9j\ufffde0/Box": box,
      "p\ufffde9.zip": buildZip(files),
      "\ufffde9.mbox.gz": gzipSync(box),
      "\ufffde9.tgz": gzipSync(buildTar(files)),
      "st\ufffdf6re.pst": buildStore({ layout: "unicode", encoding: "permute" }, (store) =>
        store.addMessage(store.addFolder("Inbox"), sampleMail(1)),
      ),
    };
    for (const [name, content] of Object.entries(contents)) writeFileSync(pathBytes(`${root}/${name}`), content);
    const { sources, statistics, warnings, output } = extracted("old-names", root);
    const inside = (name: string): string =>
      /\.(?:zip|tgz)$/.test(name) ? `${name}/Takeout/Mail/All mail.mbox` : name;
    expect(sources.map(({ path }) => path.slice(root.length + 1)).sort()).toEqual(
      Object.keys(contents)
        .map((name) => (name.endsWith(".gz") ? `${name}/_.mbox` : inside(name)))
        .sort(),
    );
    expect(statistics.total_messages).toBe(4);
    expect(warnings.filter(({ location }) => location?.endsWith("archive_browser.html") !== true)).toEqual([]);
    const run = archivetool("export", output, "--format", "eml", "-o", join(scratch, "old-names-export"));
    expect(run.stdout, run.stderr).toContain("4 messages: 3 original, 1 composed");
  });

  it("of messages only is one source with its name", () => {
    const { sources } = extracted("maildir", join(profile, "old"));
    expect(sources.map(({ path, format }) => `${format} ${path}`)).toEqual([`maildir ${join(profile, "old")}`]);
  });
});

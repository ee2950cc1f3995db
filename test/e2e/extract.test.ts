import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { fuzzStore } from "../pst-writer/sample-store.ts";
import { realData } from "../real-data.ts";
import { archivetool, putArchive, scratchDirectory } from "./cli.ts";
import { LETTERS, rawMessage, writeMaildir, writeMbox } from "./fixture-mail.ts";
import { archivetoolAsUser, arePermissionsBinding } from "./ordinary-user.ts";

const scratch = scratchDirectory("extract");
const mbox = join(scratch, "harbour.mbox");
const maildir = join(scratch, "maildir");
writeMbox(mbox, LETTERS.map(rawMessage));
writeMaildir(maildir, LETTERS.map(rawMessage));

let outputs = 0;
function newOutput(): string {
  outputs++;
  return join(scratch, `output-${outputs}`);
}

function provenanceOf(output: string) {
  return JSON.parse(readFileSync(join(output, "provenance.json"), "utf8"));
}

function documentOf(output: string) {
  return JSON.parse(readFileSync(join(output, "extraction.json"), "utf8"));
}

describe("extract", () => {
  const output = newOutput();
  const run = archivetool("extract", mbox, maildir, "--output", output, "--json", "--csv");

  it("prints sources, created files, and the hash", () => {
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toContain(`${mbox} [mbox]: 3 messages, 0 calendar events\n`);
    expect(run.stdout).toContain(`${maildir} [maildir]: 0 messages, 0 calendar events, 3 duplicates\n`);
    expect(run.stdout).toMatch(
      /Emails: 3\nCalendar events: 0\nContacts: 3\nThreads: 2 \(1 with more than one message\)/,
    );
    expect(run.stdout).toMatch(/\nSource hash: [0-9a-f]{64}\n\nNext:\n/);
  });

  it("writes every file of the specification", () => {
    for (const file of "index.md contacts.md contacts.json threads.md calendar.md emails/all.md emails/inbox.md emails/sent.md provenance.json network-analysis.md archive.db extraction.json emails.csv contacts.csv threads.csv".split(
      " ",
    )) {
      expect(existsSync(join(output, file)), file).toBe(true);
    }
  });

  it("accounts for everything, and keeps every location of a duplicate", () => {
    const { sources } = provenanceOf(output);
    expect(sources.map((source: { counts: unknown }) => source.counts)).toEqual([
      { seen: 3, kept: 3, duplicate: 0, skipped: 0, failed: 0 },
      { seen: 3, kept: 0, duplicate: 3, skipped: 0, failed: 0 },
    ]);
    const [first] = documentOf(output).messages;
    expect(first.occurrences).toHaveLength(2);
    expect(first.message_id).toBe("a1@harbour.example");
  });

  it("uses the hash of its bytes as the id of mail without Message-ID", () => {
    const raw = rawMessage(LETTERS[2]!);
    const { messages } = documentOf(output);
    // The reader of an mbox removes the blank line that the writer added after the message.
    const candidates = [raw, raw.replace(/\n$/, "")].map(
      (text) => `sha256:${createHash("sha256").update(text).digest("hex")}@archivetool`,
    );
    expect(candidates).toContain(messages[2].message_id);
  });

  it("is valid by its own schema", () => {
    expect(archivetool("validate", output)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("Valid: 3 messages, 3 contacts, 2 threads"),
    });
  });

  it("creates the same output with any number of workers", () => {
    const contents = ["1", "3"].map((jobs) => {
      const again = newOutput();
      expect(archivetool("extract", mbox, maildir, "-o", again, "--csv", "--jobs", jobs).exitCode).toBe(0);
      return ["contacts.json", "emails.csv", "threads.csv", "index.md", "network-analysis.md"].map((file) =>
        readFileSync(join(again, file), "utf8"),
      );
    });
    expect(contents[0]).toEqual(contents[1]);
  });
});

describe("hashes", () => {
  it("of a file equal those of sha256sum", () => {
    const output = newOutput();
    putArchive(output, mbox);
    const expected = createHash("sha256").update(readFileSync(mbox)).digest("hex");
    expect(provenanceOf(output)).toMatchObject({ source_hash: expected, source_format: "mbox" });
  });

  it("of a Maildir change with one byte of one message", () => {
    const hashes = ["x", "y"].map((letter) => {
      const path = join(scratch, `byte-${letter}`);
      writeMaildir(path, [
        `From: a@harbour.example\nSubject: s\n\n${letter}`,
        "From: b@harbour.example\nSubject: t\n\nsame",
      ]);
      const output = newOutput();
      archivetool("extract", path, "-o", output, "--no-wiki");
      return provenanceOf(output).source_hash;
    });
    expect(hashes[0]).not.toBe(hashes[1]);
  });
});

describe("bad input", () => {
  const expectOneLine = (args: readonly string[], line: RegExp, program = archivetool): void => {
    const output = newOutput();
    const { exitCode, stdout, stderr } = program("-q", "extract", ...args, "-o", output);
    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^archivetool: [^\n]*\nhint: [^\n]*\n$/);
    expect(stderr).toMatch(line);
    expect(existsSync(output), "nothing half-written").toBe(false);
  };

  it("missing file", () => expectOneLine([join(scratch, "no-such.mbox")], /no-such\.mbox/));
  it("directory without mail", () => {
    mkdirSync(join(scratch, "empty"), { recursive: true });
    expectOneLine([join(scratch, "empty")], /empty/);
  });
  it("empty file", () => {
    writeFileSync(join(scratch, "empty.mbox"), "");
    expectOneLine([join(scratch, "empty.mbox")], /empty\.mbox/);
  });
  it("a file of another kind: the error lists the formats", () => {
    writeFileSync(join(scratch, "picture.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]));
    expectOneLine([join(scratch, "picture.png")], /supported formats: PST\/OST .*Maildir.*MBOX.*EML/);
  });
  it("one bad source among good ones fails the run before anything is written", () =>
    expectOneLine([mbox, join(scratch, "no-such.mbox")], /no-such/));
  it.skipIf(!arePermissionsBinding())("unreadable file", () => {
    const path = join(scratch, "secret.mbox");
    copyFileSync(mbox, path);
    chmodSync(path, 0);
    expectOneLine([path], /secret\.mbox/, archivetoolAsUser);
  });
  it("unknown redaction type", () =>
    expectOneLine([mbox, "--redact", "shoe_size"], /email, phone, ssn, credit_card, ip/));
  it("a file after --redact", () => expectOneLine([maildir, "--redact", mbox], /put files first/));
  it("an invalid number", () => expectOneLine([mbox, "--max-messages", "many"], /--max-messages/));

  it("an output directory with other files is not changed", () => {
    const output = newOutput();
    mkdirSync(output);
    writeFileSync(join(output, "thesis.txt"), "years of work");
    const { exitCode, stderr } = archivetool("-q", "extract", mbox, "-o", output);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("is not empty and is not an archivetool output directory");
    expect(readdirSync(output)).toEqual(["thesis.txt"]);
  });

  it.skipIf(process.platform !== "linux")("an output directory that cannot be created", () => {
    const { exitCode, stderr } = archivetool("-q", "extract", mbox, "-o", "/proc/no-such-directory/output");
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^archivetool: cannot write to [^\n]*\nhint: [^\n]*\n$/);
  });

  it("a truncated mbox returns its readable messages", () => {
    const path = join(scratch, "cut.mbox");
    copyFileSync(mbox, path);
    truncateSync(path, statSync(path).size - 20);
    const output = newOutput();
    expect(archivetool("extract", path, "-o", output).exitCode).toBe(0);
    expect(provenanceOf(output).sources[0].counts).toMatchObject({ seen: 3, kept: 3 });
  });
});

describe("an earlier output", () => {
  it("is replaced, except for other files", () => {
    const output = newOutput();
    putArchive(output, mbox, "--csv");
    writeFileSync(join(output, "my notes.md"), "mine");
    mkdirSync(join(output, ".obsidian"));
    expect(archivetool("extract", maildir, "-o", output, "--replace").exitCode).toBe(0);
    expect(existsSync(join(output, "emails.csv")), "a file the new run does not make is gone").toBe(false);
    expect(readFileSync(join(output, "my notes.md"), "utf8")).toBe("mine");
    expect(existsSync(join(output, ".obsidian"))).toBe(true);
    expect(provenanceOf(output).source_format).toBe("maildir");
  });

  it("is unchanged after a failed run", () => {
    const output = newOutput();
    putArchive(output, mbox, "--csv");
    const before = snapshot(output);
    expect(archivetool("extract", join(scratch, "no-such.mbox"), "-o", output).exitCode).toBe(1);
    expect(snapshot(output)).toEqual(before);
  });

  it("is unchanged after Ctrl-C and a kill, and the next run cleans up", async () => {
    const large = join(scratch, "large.mbox");
    const letter = LETTERS[0]!;
    writeMbox(
      large,
      Array.from({ length: 20_000 }, (_, index) =>
        rawMessage({ ...letter, id: `many-${index}@harbour.example`, body: `${letter.body} ${index}` }),
      ),
    );
    const output = newOutput();
    putArchive(output, mbox);
    const before = snapshot(output);
    for (const signal of ["SIGINT", "SIGKILL"] as const) {
      const child = spawn(
        process.execPath,
        [resolve(import.meta.dirname, "../../dist/cli/main.js"), "extract", large, "-o", output, "--replace"],
        {
          stdio: ["ignore", "ignore", "pipe"],
        },
      );
      await new Promise<void>((started) => child.stderr.once("data", () => started()));
      child.kill(signal);
      const exitCode = await new Promise((ended) => child.once("close", (code) => ended(code)));
      expect(exitCode).toBe(signal === "SIGINT" ? 130 : null);
      expect(snapshot(output)).toEqual(before);
    }
    expect(archivetool("extract", mbox, "-o", output).exitCode).toBe(0);
    expect(readdirSync(output).filter((name) => name.startsWith(".archivetool-run"))).toEqual([]);
  });
});

/** Relative path and hash of every file except those of a running extraction. */
function snapshot(directory: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.includes(".archivetool-run")) continue;
    files[path.slice(directory.length)] = createHash("sha256").update(readFileSync(path)).digest("hex");
  }
  return files;
}

describe("a truncated Outlook file", () => {
  it("imports readable items, with warnings and exit code 0", () => {
    const output = newOutput();
    const path = join(scratch, "cut.pst");
    const whole = fuzzStore({ layout: "unicode", encoding: "permute" }, 12, 2);
    writeFileSync(path, whole.subarray(0, Math.floor(whole.length * 0.8)));
    const { exitCode, stdout, stderr } = archivetool("extract", path, "-o", output);
    expect(exitCode, stderr).toBe(0);
    const damaged = "damaged: some messages may be missing";
    expect(stdout).toMatch(new RegExp(`cut\\.pst \\[pst\\]: \\d+ messages.*; ${damaged}\n`));
    expect(archivetool("extract", path, "-o", newOutput(), "-q").stderr).toContain(`cut.pst: ${damaged}`);
    const index = readFileSync(join(output, "index.md"), "utf8");
    expect(index).toMatch(/Damaged sources, some messages may be missing: .*cut\.pst/);
    const { statistics, warnings } = provenanceOf(output);
    expect(statistics.total_messages).toBeGreaterThan(6);
    expect(warnings.map(({ code }: { code: string }) => code)).toEqual(
      expect.arrayContaining(["file-truncated", "tree-rebuilt"]),
    );
  });
});

describe("--incremental", () => {
  it("without new mail writes only the watermark", () => {
    const output = newOutput();
    putArchive(output, mbox, maildir, "--json", "--csv");
    const before = snapshot(output);
    const run = archivetool("extract", mbox, maildir, "-o", output, "--json", "--csv", "--incremental");
    expect(run.stdout).toContain("Nothing new");
    expect(run.stdout).toContain(`${maildir} [maildir]: 0 messages, 0 calendar events, 3 duplicates\n`);
    const after = snapshot(output);
    const changed = Object.keys(after).filter((file) => after[file] !== before[file]);
    expect(changed.filter((file) => file !== "/provenance.json")).toEqual([]);
    expect(Object.keys(after)).toEqual(Object.keys(before));
  });
});

describe("--incremental with a partial output", () => {
  it("continues from extraction.json alone, and recognizes its messages", () => {
    const output = newOutput();
    putArchive(output, mbox, "--json", "--csv");
    rmSync(join(output, "archive.db"));
    const run = archivetool("extract", mbox, maildir, "-o", output, "--incremental");
    expect(run.exitCode, run.stderr).toBe(0);
    expect(documentOf(output).messages).toHaveLength(3);
    expect(
      documentOf(output).messages.map((message: { occurrences: unknown[] }) => message.occurrences.length),
    ).toEqual([2, 2, 2]);
    expect(existsSync(join(output, "emails.csv")), "what the output had is kept up").toBe(true);
  });

  it("recognizes duplicates from extraction.json alone, and publishes no key of redacted mail", () => {
    const letter = LETTERS[0]!;
    const path = join(scratch, "copied.mbox");
    const copy = rawMessage({ ...letter, id: "copy@harbour.example" }).replace(
      "\nTo: ",
      "\nBcc: hidden@quay.example\nTo: ",
    );
    const other = rawMessage({ ...letter, body: "Another text under the same Message-ID." });
    writeMbox(path, [rawMessage(letter), copy, other]);
    const output = newOutput();
    archivetool("extract", path, "-o", output, "--json", "--no-wiki");
    const before = documentOf(output).messages;
    rmSync(join(output, "archive.db"));
    const again = join(scratch, "copied-maildir");
    writeMaildir(again, [rawMessage(letter), copy, other]);
    const run = archivetool("extract", again, "-o", output, "--incremental", "--no-wiki");
    expect(run.exitCode, run.stderr).toBe(0);
    const after = documentOf(output).messages;
    expect(provenanceOf(output).sources[1].counts).toMatchObject({ seen: 3, kept: 0, duplicate: 3 });
    expect(after.map((message: { id: string }) => message.id)).toEqual(
      before.map((message: { id: string }) => message.id),
    );
    expect(after[0].occurrences.map((place: { message_id?: string }) => place.message_id)).toEqual([
      undefined,
      "copy@harbour.example",
      undefined,
      "copy@harbour.example",
    ]);
    expect(after[0].bcc).toEqual([{ name: "", email: "hidden@quay.example" }]);
    expect(after[0].content_key).toMatch(/^[0-9a-f]{32}$/);
    const redacted = newOutput();
    archivetool("extract", path, "-o", redacted, "--json", "--no-wiki", "--redact");
    expect(JSON.stringify(documentOf(redacted))).not.toContain("content_key");
  });

  it("does not redact an archive that was not redacted", () => {
    const output = newOutput();
    putArchive(output, mbox);
    const before = snapshot(output);
    const { exitCode, stderr } = archivetool("-q", "extract", maildir, "-o", output, "--incremental", "--redact");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("the archive contains text that was not redacted");
    expect(snapshot(output)).toEqual(before);
  });
});

describe("--max-messages", () => {
  it("limits each source, and still hashes all of it", () => {
    const output = newOutput();
    archivetool("extract", mbox, maildir, "-o", output, "--max-messages", "2");
    const { sources } = provenanceOf(output);
    expect(sources.map((source: { counts: { seen: number } }) => source.counts.seen)).toEqual([2, 2]);
    expect(sources[0].sha256).toBe(createHash("sha256").update(readFileSync(mbox)).digest("hex"));
    const whole = newOutput();
    archivetool("extract", maildir, "-o", whole, "--no-wiki");
    expect(provenanceOf(whole).source_hash).toBe(sources[1].sha256);
  });
});

describe("--extract-attachments", () => {
  it("saves them with sanitized names inside its directory", () => {
    const path = join(scratch, "attached.eml");
    const part = (name: string, text: string): string =>
      `--b\nContent-Type: application/octet-stream; name="${name}"\nContent-Disposition: attachment; filename="${name}"\nContent-Transfer-Encoding: base64\n\n${Buffer.from(text).toString("base64")}\n`;
    writeFileSync(
      path,
      `From: a@harbour.example\nSubject: files\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nSee files.\n${part("../../evil.txt", "one")}${part("plan.txt", "two")}${part("plan.txt", "three")}--b--\n`,
    );
    const output = newOutput();
    expect(archivetool("extract", path, "-o", output, "--extract-attachments", "--json").exitCode).toBe(0);
    const [message] = documentOf(output).messages;
    const saved = message.attachments.map((attachment: { path: string }) => attachment.path);
    expect(saved).toHaveLength(3);
    expect(new Set(saved).size).toBe(3);
    for (const file of saved) expect(file).toMatch(/^wiki\/attachments\/msg-000001\/[^/]+$/);
    expect(saved.map((file: string) => readFileSync(join(output, file), "utf8"))).toEqual(["one", "two", "three"]);
    expect(existsSync(join(scratch, "evil.txt"))).toBe(false);
  });

  it("turns no attachment into a note, and no name into code", () => {
    const path = join(scratch, "notes.eml");
    const names = [
      "Home.md",
      "Home.md",
      "board.CANVAS",
      "all.base",
      "`= this.file`.txt",
      "[[index]] %%x%%.txt",
      "page.html",
    ];
    const code = "```dataviewjs\nfetch('http://evil.example')\n```\n<%* tp.system.prompt() %>\n";
    const part = (name: string): string =>
      `--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename="${name}"\n\n${code}`;
    const head = `From: a@harbour.example\nSubject: notes <%* 1 %> %%\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n`;
    writeFileSync(path, `${head}--b\n\n${code}\n${names.map(part).join("")}--b--\n`);
    const output = newOutput();
    expect(archivetool("extract", path, "-o", output, "--extract-attachments", "--json").exitCode).toBe(0);
    const [message] = documentOf(output).messages;
    const saved = message.attachments.map((attachment: { path: string }) =>
      attachment.path.replace("wiki/attachments/msg-000001/", ""),
    );
    expect(saved).toEqual([
      "Home.md.txt",
      "Home.md (2).txt",
      "board.CANVAS.txt",
      "all.base.txt",
      "_= this.file_.txt",
      "__index__ __x__.txt",
      "page.html",
    ]);
    expect(message.attachments.map((attachment: { filename: string }) => attachment.filename)).toEqual(names);
    for (const file of readdirSync(output, { recursive: true, encoding: "utf8" })) {
      expect(file.endsWith(".md") && file.includes("attachments"), file).toBe(false);
      if (!file.endsWith(".md")) continue;
      expect(readFileSync(join(output, file), "utf8"), file).not.toMatch(
        /<%|%%|```(?!text|\n)|\[\[index\]\] __|`= this/,
      );
    }
  });
});

const custodian = realData("enron-14-custodians/lay-k");
it.skipIf(custodian === null)("accounts for every message of a real tree of 5,937", () => {
  const output = newOutput();
  const run = archivetool("-q", "extract", custodian!, "-o", output, "--no-wiki");
  expect(run.exitCode, run.stderr).toBe(0);
  const { counts } = provenanceOf(output).sources[0];
  // Two in five are duplicates in another folder with a Message-ID of their own.
  expect(counts).toEqual({ seen: 5_937, kept: 3_653, duplicate: 2_284, skipped: 0, failed: 0 });
});

it("imports a message that a mailbox contains ten thousand times once, with every location", () => {
  const path = join(scratch, "alike.mbox");
  writeFileSync(path, "From a Sat Jan  1 00:00:00 2005\n\n\n".repeat(10_000));
  const output = newOutput();
  const run = archivetool("extract", path, "--output", output, "--json", "--no-wiki");
  expect(run.exitCode, run.stderr).toBe(0);
  const { messages, sources } = documentOf(output);
  expect(sources[0].counts).toEqual({ seen: 10_000, kept: 1, duplicate: 9_999, skipped: 0, failed: 0 });
  expect(new Set(messages[0].occurrences.map(({ location }: { location: string }) => location)).size).toBe(10_000);
});

/**
 * KiB of address space. V8 in Node.js 26 reserves more for each thread: with 4 GB it cannot start a third one, whatever
 * the program.
 */
const FEW_ADDRESSES_KIB = Number(process.versions.node.split(".")[0]) >= 26 ? 6_000_000 : 4_000_000;

it.skipIf(process.platform !== "linux")("works with few addresses for reserved memory", () => {
  const store = join(scratch, "small.pst");
  writeFileSync(store, fuzzStore({ layout: "unicode", encoding: "permute" }, 12, 2));
  const limited = [
    "-c",
    `ulimit -v ${FEW_ADDRESSES_KIB}; exec "$@"`,
    "bash",
    process.execPath,
    resolve(import.meta.dirname, "../../dist/cli/main.js"),
  ];
  const output = newOutput();
  const run = spawnSync("bash", [...limited, "extract", mbox, store, "--jobs", "2", "--output", output], {
    encoding: "utf8",
  });
  expect(run.stderr).not.toContain("allocation");
  expect(run.status).toBe(0);
  expect(provenanceOf(output).statistics.total_messages).toBe(LETTERS.length + 12);
});

it.skipIf(process.platform !== "linux" || process.getuid?.() !== 0)("reports a full disk", () => {
  const small = join(scratch, "small-disk");
  mkdirSync(small);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", small], { stdio: "ignore" });
  } catch {
    // This user may not mount a file system; other environments cover the case.
    return;
  }
  try {
    const { exitCode, stderr } = archivetool("-q", "extract", mbox, "-o", join(small, "output"));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^archivetool: no space left for [^\n]*\nhint: [^\n]*\n$/);
    expect(readdirSync(small)).toEqual([]);
  } finally {
    execFileSync("umount", [small]);
  }
});

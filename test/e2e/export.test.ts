import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { EXAMPLE_SEED, exampleCompany } from "../../examples/company/company.ts";
import { PST_NAME, writePst } from "../../examples/company-pst.ts";
import { writeSources } from "../../examples/mailbox-files.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { command } from "./command.ts";

const scratch = scratchDirectory("export");
const archive = join(scratch, "archive");
let sources: readonly string[] = [];

interface Extracted {
  readonly message_id: string;
  readonly subject: string;
  readonly sent_at: string | null;
  readonly body: string;
  readonly sha256: string;
  readonly source: number;
  readonly occurrences?: readonly unknown[];
  readonly attachments: readonly { readonly sha256: string }[];
}

/** Messages of an extraction.json, by Message-ID and text. */
function messagesOf(directory: string): readonly Extracted[] {
  const { messages } = JSON.parse(readFileSync(join(directory, "extraction.json"), "utf8")) as {
    messages: readonly Extracted[];
  };
  return [...messages].sort((a, b) => (a.message_id + a.sha256 < b.message_id + b.sha256 ? -1 : 1));
}

function extract(name: string, ...args: readonly string[]): readonly Extracted[] {
  const output = join(scratch, name);
  const run = archivetool("-q", "extract", ...args, "-o", output, "--json", "--no-wiki");
  expect(run.exitCode, run.stderr).toBe(0);
  return messagesOf(output);
}

/** Text as a reader sees it, whatever the bytes are. */
const seen = ({ message_id, subject, sent_at, body, attachments }: Extracted) => ({
  message_id: message_id.startsWith("sha256:") ? "" : message_id,
  subject,
  sent_at,
  body: body.trim(),
  attachments: attachments.map(({ sha256 }) => sha256).sort(),
});
const bySeen = (messages: readonly Extracted[]) => messages.map((message) => JSON.stringify(seen(message))).sort();

async function exported(format: string, name: string, ...args: readonly string[]): Promise<string> {
  const path = join(scratch, name);
  const run = await command("-q", "export", archive, "--format", format, "-o", path, ...args);
  expect(run.exitCode, run.stderr).toBe(0);
  return path;
}

/** Rows of a manifest, whose cells contain no line ends here. */
function manifestRows(path: string): readonly Readonly<Record<string, string>>[] {
  const [header, ...lines] = readFileSync(path, "utf8").trimEnd().split("\r\n");
  const names = header!.split(",");
  return lines.map((line) => {
    const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain]) =>
      (quoted ?? plain ?? "").replaceAll('""', '"'),
    );
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""]));
  });
}

function filesBelow(directory: string, ending: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(directory, name));
}

let all: readonly Extracted[] = [];
beforeAll(() => {
  const company = exampleCompany(EXAMPLE_SEED);
  sources = [...writeSources(company, join(scratch, "mail")), join(scratch, "mail", PST_NAME)];
  writePst(company, sources.at(-1)!);
  all = extract("archive", ...sources);
});

describe("archivetool export", () => {
  it.each([
    ["mbox", "boxes", (path: string) => filesBelow(path, ".mbox")],
    ["mbox", "one.mbox", (path: string) => [path]],
    ["eml", "eml", (path: string) => [path]],
    ["maildir", "maildir", (path: string) => [path]],
  ])(
    "%s to %s can be extracted again: the same messages, and bytes where the source has them",
    async (format, name, inputs) => {
      const path = await exported(format, name);
      const again = extract(`again-${name}`, ...inputs(path));
      expect(bySeen(again)).toEqual(bySeen(all));
      const manifest = manifestRows(
        existsSync(join(path, "MANIFEST.csv")) ? join(path, "MANIFEST.csv") : `${path}.MANIFEST.csv`,
      );
      expect(manifest).toHaveLength(all.length);
      const hashes = new Set(again.map(({ sha256 }) => sha256));
      for (const row of manifest) if (row["origin"] === "exact") expect(hashes, row["id"]).toContain(row["sha256"]);
      expect(new Set(manifest.map(({ origin }) => origin))).toEqual(new Set(["exact"]));
    },
    120_000,
  );

  it("writes the root as a Maildir, with any folders", async () => {
    const path = await exported("maildir", "sent", "in:sent -in:inbox");
    expect(
      readdirSync(path)
        .filter((name) => !name.startsWith("."))
        .sort(),
    ).toEqual([...["MANIFEST.csv", "cur", "new", "tmp"]]);
    expect(readdirSync(join(path, "cur"))).toEqual([]);
  });

  it("removes the files of a killed export at the same path, and none of a running one", () => {
    const killed = spawnSync(process.execPath, ["-e", ""]).pid;
    const left = [`cleared.${killed}.tmp`, `cleared.archive.${killed}.tmp`];
    const kept = [`cleared.${process.pid}.tmp`, `cleared.notes.${killed}.tmp`];
    for (const name of [...left, ...kept]) mkdirSync(join(scratch, name, "cur"), { recursive: true });
    // A separate process, since this one counts as running.
    const cleared = join(scratch, "cleared");
    const run = archivetool("-q", "export", archive, "mooring", "--format", "eml", "-o", cleared);
    expect(run.exitCode, run.stderr).toBe(0);
    expect(
      readdirSync(scratch)
        .filter((name) => name.startsWith("cleared"))
        .sort(),
    ).toEqual(["cleared", ...kept].sort());
    for (const name of kept) rmSync(join(scratch, name), { recursive: true });
  });

  it("excludes a word with -- in front of the query", async () => {
    const run = await command("-q", "search", archive, "--json", "--", "-mooring");
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toContain('"matched"');
    const rest = await exported("eml", "others", "--", "-mooring");
    const some = await exported("eml", "some", "mooring");
    expect(filesBelow(rest, ".eml").length + filesBelow(some, ".eml").length).toBe(all.length);
  });

  it("prints the count first, then the parts of the query that could not be interpreted", async () => {
    const asked = (query: string, name: string) =>
      command("export", archive, query, "--format", "csv", "-o", join(scratch, name));
    const run = await asked("mooring OR fro:ann", "malformed.csv");
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toMatch(/^\d+ messages match\n/);
    expect(run.stderr).toContain('"fro:ann" is not an operator: searched as text');
    const nothing = await asked("zebraxyz fro:ann", "nothing.csv");
    expect([nothing.exitCode, nothing.stdout]).toEqual([1, ""]);
    expect(nothing.stderr).toContain('"fro:ann" is not an operator: searched as text');
    expect(nothing.stderr).toContain("no messages match zebraxyz fro:ann");
  });

  it("writes the results of a search, with the query in the manifest", async () => {
    const path = await exported("eml", "mooring", '"mooring line"');
    const files = filesBelow(path, ".eml");
    const rows = manifestRows(join(path, "MANIFEST.csv"));
    expect(files.length).toBeGreaterThan(1);
    expect(rows.map(({ path: name }) => name).sort()).toEqual(
      files.map((file) => file.slice(path.length + 1).replaceAll("\\", "/")).sort(),
    );
    for (const row of rows) {
      expect([row["query"], row["tool_version"]]).toEqual(['"mooring line"', expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
      expect(
        createHash("sha256")
          .update(readFileSync(join(path, row["path"]!)))
          .digest("hex"),
      ).toBe(row["sha256"]);
    }
  });

  it("converts mail that was not extracted, and leaves only the requested files", async () => {
    const pst = sources.find((source) => source.endsWith(".pst"))!;
    const path = join(scratch, "converted");
    const run = await command("export", pst, "--format", "mbox", "-o", path);
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toMatch(
      /^\d+ messages: 0 original, \d+ composed\n {2}\d+ composed: composed from the properties of an Outlook item\nCreated /,
    );
    expect(readdirSync(scratch).filter((name) => name.startsWith("converted"))).toEqual(["converted"]);
    const before = extract("pst", pst);
    expect(bySeen(extract("pst-again", ...filesBelow(path, ".mbox")))).toEqual(bySeen(before));
  });

  it("creates a bag with correct hashes", async () => {
    const bag = await exported("mbox", "bag", "mooring", "--bagit");
    const lines = readFileSync(join(bag, "manifest-sha256.txt"), "utf8").trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(0);
    for (const line of [...lines, ...readFileSync(join(bag, "tagmanifest-sha256.txt"), "utf8").trimEnd().split("\n")]) {
      const [sha256, name] = line.split("  ");
      expect(
        createHash("sha256")
          .update(readFileSync(join(bag, name!)))
          .digest("hex"),
      ).toBe(sha256);
    }
    for (const { path } of manifestRows(join(bag, "MANIFEST.csv"))) expect(existsSync(join(bag, path!))).toBe(true);
  });

  it("writes the metadata of a bag, and rejects other fields", async () => {
    const fields = [
      "accession-number=2026-017",
      "Contact-Name=Ann = Quay",
      "Contact-Name=Bob",
      "Source-Organization=Ü",
    ];
    const bag = await exported(
      "eml",
      "bag-info",
      "mooring",
      "--bagit",
      ...fields.flatMap((field) => ["--bag-info", field]),
    );
    const info = readFileSync(join(bag, "bag-info.txt"), "utf8").trimEnd().split("\n");
    const labels = info.map((line) => line.slice(0, line.indexOf(":")));
    expect(info.slice(-4)).toEqual([
      ...["Accession-Number: 2026-017", "Contact-Name: Ann = Quay", "Contact-Name: Bob", "Source-Organization: Ü"],
    ]);
    expect(labels).toEqual(
      expect.arrayContaining(["Bagging-Date", "Payload-Oxum", "Bag-Size", "External-Description"]),
    );
    expect(info.find((line) => line.startsWith("Bag-Size"))).toMatch(/^Bag-Size: [\d.]+ k?B$/);
    for (const flags of [
      ["--bagit", "--bag-info", "Payload-Oxum=1.1"],
      ["--bagit", "--bag-info", "Contact-Name"],
      ["--bagit", "--bag-info", "Contact-Name=a\nPayload-Oxum: 1.1"],
      ["--bagit", "--bag-info", "Bag-Count=1", "--bag-info", "bag-count=2"],
      ["--bag-info", "Contact-Name=a"],
    ]) {
      const run = await command("export", archive, "--format", "eml", "-o", join(scratch, "no-bag"), ...flags);
      expect([run.exitCode, existsSync(join(scratch, "no-bag"))], run.stderr).toEqual([1, false]);
      expect(run.stderr).toContain("--bag-info ");
    }
  });

  it("withholds the results of a query, from everything and from a result", async () => {
    const idsOf = async (...given: readonly string[]): Promise<readonly string[]> => {
      const path = await exported("jsonl", `withheld-${given.length}-${given[0]!.length}.jsonl`, ...given);
      const rows = manifestRows(`${path}.MANIFEST.csv`);
      for (const row of rows) expect(row["query"]!.replace(/^'/, "")).toBe(given.join(" "));
      return rows.map(({ id }) => id!).sort();
    };
    const mooring = await idsOf("mooring");
    const greta = await idsOf("from:greta");
    expect(mooring.some((id) => greta.includes(id))).toBe(true);
    const rest = await idsOf("mooring", "--withhold", "from:greta");
    expect(rest).toEqual(mooring.filter((id) => !greta.includes(id)));
    expect(await idsOf("--withhold", "from:greta")).toHaveLength(all.length - greta.length);
    const report = async (...given: readonly string[]) => {
      const path = join(scratch, `report-${given.at(-1)}.jsonl`);
      return command("export", archive, ...given.slice(0, -1), "--format", "jsonl", "-o", path);
    };
    const partly = await report("mooring", "--withhold", "from:greta", "partly");
    expect(partly.stdout).toContain(`${mooring.length - rest.length} messages withheld\n`);
    // A misspelled tag is a query that matches nothing.
    const nothing = await report("mooring", "--withhold", "tag:clsed", "nothing");
    expect([nothing.exitCode, nothing.stderr]).toEqual([
      0,
      expect.stringContaining("no message is withheld: none matches tag:clsed"),
    ]);
    const everything = await report("from:greta", "--withhold", "from:greta", "everything");
    expect([everything.exitCode, everything.stderr]).toEqual([
      1,
      expect.stringContaining("all messages that match from:greta are withheld"),
    ]);
    const misread = await command(
      ...["export", archive, "--withhold", "fro:greta", "--format", "csv", "-o", join(scratch, "misread.csv")],
    );
    expect([misread.exitCode, existsSync(join(scratch, "misread.csv"))]).toEqual([1, false]);
    expect(misread.stderr).toContain("nothing is exported");
  });

  it("writes tables, pages, a load file, contacts, events and the graph", async () => {
    const csv = readFileSync(await exported("csv", "table.csv"), "utf8");
    expect(csv.startsWith("\ufeffid,message_id,")).toBe(true);
    const lines = readFileSync(await exported("jsonl", "lines.jsonl"), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines.map((line) => (JSON.parse(line) as Extracted).message_id).sort()).toEqual(
      all.map(({ message_id }) => message_id).sort(),
    );
    const page = readFileSync(await exported("html", "page.html", "mooring"), "utf8");
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/<script|<img|<iframe/i);
    expect(readFileSync(await exported("markdown", "page.md", "mooring"), "utf8")).toMatch(/^# mooring\n/);
    const load = await exported("load-file", "load");
    const records = readFileSync(join(load, "load.dat"), "utf8").trimEnd().split("\r\n");
    const attached = all.reduce((sum, { attachments }) => sum + attachments.length, 0);
    expect(records.length).toBeGreaterThanOrEqual(all.length + attached + 1);
    for (const line of records) expect(line.split("\u0014")).toHaveLength(records[0]!.split("\u0014").length);
    expect(filesBelow(join(load, "TEXT"), ".txt")).toHaveLength(records.length - 1);
    expect(readFileSync(await exported("vcf", "people.vcf"), "utf8").match(/^BEGIN:VCARD$/gm)!.length).toBeGreaterThan(
      10,
    );
    expect(readFileSync(await exported("ics", "dates.ics"), "utf8").match(/^BEGIN:VEVENT\r$/gm)).toHaveLength(6);
    expect(readFileSync(await exported("graphml", "graph.graphml"), "utf8")).toContain("<node id=");
    expect(readFileSync(await exported("gexf", "graph.gexf"), "utf8")).toContain("<edge id=");
  });

  it("never shows redacted content", async () => {
    const redacted = join(scratch, "redacted");
    expect(archivetool("-q", "extract", sources[0]!, "-o", redacted, "--redact").exitCode).toBe(0);
    for (const format of ["mbox", "eml"]) {
      const path = join(scratch, `redacted-${format}`);
      expect((await command("-q", "export", redacted, "--format", format, "-o", path)).exitCode).toBe(0);
      const rows = manifestRows(join(path, "MANIFEST.csv"));
      expect(rows.length).toBeGreaterThan(0);
      for (const { origin, note } of rows)
        expect([origin, note!.slice(0, 33)]).toEqual(["composed", "withheld: the archive is redacted"]);
      const text = filesBelow(path, format === "mbox" ? ".mbox" : ".eml")
        .map((file) => readFileSync(file, "latin1"))
        .join("\n");
      const plain = text
        .split("\n")
        .map((line) => (/^[A-Za-z0-9+/=]{8,76}\r?$/.test(line) ? Buffer.from(line.trim(), "base64").toString() : line))
        .join("");
      expect(plain).toContain("[REDACTED:phone]");
    }
    const shown = await command("show", redacted, "msg-000001", "--raw");
    expect([shown.exitCode, shown.stdout]).toEqual([1, ""]);
    expect(shown.stderr).toContain("withheld");
    // No directory given by --sources would help.
    expect(shown.stderr).not.toContain("--sources");
    expect(shown.stderr).toContain("use an archive that is not redacted");
  });

  it.each([
    [["--format", "doc", "-o", "x"], /--format must be one of mbox, eml, /],
    [["--format", "ics", "-o", "x", "--sender", "a@b.example"], /contains no messages/],
    [["--format", "eml", "-o", ""], /--output must be/],
    [["--format", "eml", "-o", "x", "--thread", "thread-999999"], /Thread thread-999999 not found/],
    [["--format", "eml", "-o", "x", "--mailbox", "Nowhere"], /Mailbox Nowhere not found/],
    [["--format", "eml", "-o", join(archive, "archive.db", "x")], /cannot write .*: ENOTDIR/],
    [["--format", "eml"], /required option '-o, --output <path>' not specified/],
  ])("rejects %j with one line", async (args, message) => {
    const run = await command("export", archive, ...args);
    expect([run.exitCode, run.stdout]).toEqual([1, ""]);
    expect(run.stderr).toMatch(/^archivetool: [^\n]+\nhint: [^\n]+\n$/);
    expect(run.stderr).toMatch(message);
  });

  it("replaces no files", async () => {
    const path = join(scratch, "there.mbox");
    writeFileSync(path, "kept");
    const run = await command("export", archive, "--format", "mbox", "-o", path);
    expect([run.exitCode, readFileSync(path, "utf8")]).toEqual([1, "kept"]);
    expect(run.stderr).toContain("already exists");
    expect(readdirSync(scratch).filter((name) => name.includes(".tmp"))).toEqual([]);
  });
});

describe("archivetool show", () => {
  it("shows a message, and collapses quoted text", async () => {
    const { stdout } = await command("search", archive, "mooring line", "-n", "2");
    const [first, second] = [...stdout.matchAll(/msg-\d+/g)].map(([id]) => id);
    for (const id of [first!, second!]) {
      const shown = await command("show", archive, id);
      expect(shown.exitCode, shown.stderr).toBe(0);
      expect(shown.stdout).toContain(`Id:          ${id}`);
      for (const line of shown.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    }
    const folded = (await command("show", archive, second!)).stdout;
    expect(folded).toMatch(/^\[\d+ lines? quoted: --full shows what was quoted\]$/m);
    expect((await command("show", archive, second!, "--full")).stdout).toContain("> Hi Marek,");
  });

  it("shows records of every kind, by id and by Message-ID", async () => {
    const [message] = all;
    expect((await command("show", archive, `<${message!.message_id}>`)).stdout).toContain(message!.message_id);
    for (const id of ["thread-000001", "contact-000001", "topic-001", "event-000001", "item-000001"]) {
      const run = await command("show", archive, id);
      expect(run.exitCode, run.stderr).toBe(0);
      expect(run.stdout).toContain(`Id:          ${id}`);
      expect((JSON.parse((await command("show", archive, id, "--json")).stdout) as { id: string }).id).toBe(id);
    }
  });

  it("returns the bytes of the source at any location, or the cause", async () => {
    const mailbox = sources.find((source) => source.endsWith(".mbox"))!;
    const of = all.find(({ source, occurrences }) => sources[source] === mailbox && occurrences === undefined)!;
    const run = await command("show", archive, of.message_id, "--raw");
    expect(createHash("sha256").update(run.stdout).digest("hex")).toBe(of.sha256);
    expect(run.stdout).toContain((await command("show", archive, of.message_id, "--headers")).stdout.split("\n")[0]);
    const away = join(scratch, "away");
    mkdirSync(away);
    renameSync(mailbox, join(away, basename(mailbox)));
    const moved = await command("show", archive, of.message_id, "--raw");
    expect([moved.exitCode, moved.stdout]).toEqual([1, ""]);
    expect(moved.stderr).toContain(`moved: ${mailbox} not found`);
    expect(moved.stderr).toContain("--sources");
    const found = await command("show", archive, of.message_id, "--raw", "--sources", away);
    expect(createHash("sha256").update(found.stdout).digest("hex")).toBe(of.sha256);
    renameSync(join(away, basename(mailbox)), mailbox);
    rmSync(away, { recursive: true });
  });

  it("reports an unknown id", async () => {
    for (const id of ["msg-999999", "nobody@nowhere.example", "thread-999999", '"']) {
      const run = await command("show", archive, id);
      expect([run.exitCode, run.stdout]).toEqual([1, ""]);
      expect(run.stderr).toContain("is not in this archive");
    }
  });
});

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { EXAMPLE_SEED, exampleCompany } from "../../examples/company/company.ts";
import { PST_NAME, writePst } from "../../examples/company-pst.ts";
import { writeSources } from "../../examples/mailbox-files.ts";
import { archivetool, scratchDirectory } from "./cli.ts";

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

function exported(format: string, name: string, ...args: readonly string[]): string {
  const path = join(scratch, name);
  const run = archivetool("-q", "export", archive, "--format", format, "-o", path, ...args);
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
}, 60_000);

describe("archivetool export", () => {
  it.each([
    ["mbox", "boxes", (path: string) => filesBelow(path, ".mbox")],
    ["mbox", "one.mbox", (path: string) => [path]],
    ["eml", "eml", (path: string) => [path]],
    ["maildir", "maildir", (path: string) => [path]],
  ])(
    "%s to %s can be extracted again: the same messages, and bytes where the source has them",
    (format, name, inputs) => {
      const path = exported(format, name);
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

  it("writes the root as a Maildir, with any folders", () => {
    const path = exported("maildir", "sent", "in:sent -in:inbox");
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
    exported("eml", "cleared", "mooring");
    expect(
      readdirSync(scratch)
        .filter((name) => name.startsWith("cleared"))
        .sort(),
    ).toEqual(["cleared", ...kept].sort());
    for (const name of kept) rmSync(join(scratch, name), { recursive: true });
  });

  it("excludes a word with -- in front of the query", () => {
    const run = archivetool("-q", "search", archive, "--json", "--", "-mooring");
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toContain('"matched"');
    const rest = exported("eml", "others", "--", "-mooring");
    const some = exported("eml", "some", "mooring");
    expect(filesBelow(rest, ".eml").length + filesBelow(some, ".eml").length).toBe(all.length);
  });

  it("prints the count first, then the parts of the query that could not be interpreted", () => {
    const asked = (query: string, name: string) =>
      archivetool("export", archive, query, "--format", "csv", "-o", join(scratch, name));
    const run = asked("mooring OR fro:ann", "malformed.csv");
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toMatch(/^\d+ messages match\n/);
    expect(run.stderr).toContain('"fro:ann" is not an operator: searched as text');
    const nothing = asked("zebraxyz fro:ann", "nothing.csv");
    expect([nothing.exitCode, nothing.stdout]).toEqual([1, ""]);
    expect(nothing.stderr).toContain('"fro:ann" is not an operator: searched as text');
    expect(nothing.stderr).toContain("no messages match zebraxyz fro:ann");
  });

  it("writes the results of a search, with the query in the manifest", () => {
    const path = exported("eml", "mooring", '"mooring line"');
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

  it("converts mail that was not extracted, and leaves only the requested files", () => {
    const pst = sources.find((source) => source.endsWith(".pst"))!;
    const path = join(scratch, "converted");
    const run = archivetool("export", pst, "--format", "mbox", "-o", path);
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout).toMatch(
      /^\d+ messages: 0 original, \d+ composed\n {2}\d+ composed: composed from the properties of an Outlook item\nCreated /,
    );
    expect(readdirSync(scratch).filter((name) => name.startsWith("converted"))).toEqual(["converted"]);
    const before = extract("pst", pst);
    expect(bySeen(extract("pst-again", ...filesBelow(path, ".mbox")))).toEqual(bySeen(before));
  }, 60_000);

  it("creates a bag with correct hashes", () => {
    const bag = exported("mbox", "bag", "mooring", "--bagit");
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

  it("writes the metadata of a bag, and rejects other fields", () => {
    const fields = [
      "accession-number=2026-017",
      "Contact-Name=Ann = Quay",
      "Contact-Name=Bob",
      "Source-Organization=Ü",
    ];
    const bag = exported("eml", "bag-info", "mooring", "--bagit", ...fields.flatMap((field) => ["--bag-info", field]));
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
      const run = archivetool("export", archive, "--format", "eml", "-o", join(scratch, "no-bag"), ...flags);
      expect([run.exitCode, existsSync(join(scratch, "no-bag"))], run.stderr).toEqual([1, false]);
      expect(run.stderr).toContain("--bag-info ");
    }
  });

  it("withholds the results of a query, from everything and from a result", () => {
    const idsOf = (...given: readonly string[]): readonly string[] => {
      const path = exported("jsonl", `withheld-${given.length}-${given[0]!.length}.jsonl`, ...given);
      const rows = manifestRows(`${path}.MANIFEST.csv`);
      for (const row of rows) expect(row["query"]!.replace(/^'/, "")).toBe(given.join(" "));
      return rows.map(({ id }) => id!).sort();
    };
    const mooring = idsOf("mooring");
    const greta = idsOf("from:greta");
    expect(mooring.some((id) => greta.includes(id))).toBe(true);
    const rest = idsOf("mooring", "--withhold", "from:greta");
    expect(rest).toEqual(mooring.filter((id) => !greta.includes(id)));
    expect(idsOf("--withhold", "from:greta")).toHaveLength(all.length - greta.length);
    const misread = archivetool(
      ...["export", archive, "--withhold", "fro:greta", "--format", "csv", "-o", join(scratch, "misread.csv")],
    );
    expect([misread.exitCode, existsSync(join(scratch, "misread.csv"))]).toEqual([1, false]);
    expect(misread.stderr).toContain("nothing is exported");
  });

  it("writes tables, pages, a load file, contacts, events and the graph", () => {
    const csv = readFileSync(exported("csv", "table.csv"), "utf8");
    expect(csv.startsWith("\ufeffid,message_id,")).toBe(true);
    const lines = readFileSync(exported("jsonl", "lines.jsonl"), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as Extracted).message_id).sort()).toEqual(
      all.map(({ message_id }) => message_id).sort(),
    );
    const page = readFileSync(exported("html", "page.html", "mooring"), "utf8");
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/<script|<img|<iframe/i);
    expect(readFileSync(exported("markdown", "page.md", "mooring"), "utf8")).toMatch(/^# mooring\n/);
    const load = exported("load-file", "load");
    const records = readFileSync(join(load, "load.dat"), "utf8").trimEnd().split("\r\n");
    const attached = all.reduce((sum, { attachments }) => sum + attachments.length, 0);
    expect(records.length).toBeGreaterThanOrEqual(all.length + attached + 1);
    for (const line of records) expect(line.split("\u0014")).toHaveLength(records[0]!.split("\u0014").length);
    expect(filesBelow(join(load, "TEXT"), ".txt")).toHaveLength(records.length - 1);
    expect(readFileSync(exported("vcf", "people.vcf"), "utf8").match(/^BEGIN:VCARD$/gm)!.length).toBeGreaterThan(10);
    expect(readFileSync(exported("ics", "dates.ics"), "utf8").match(/^BEGIN:VEVENT\r$/gm)).toHaveLength(6);
    expect(readFileSync(exported("graphml", "graph.graphml"), "utf8")).toContain("<node id=");
    expect(readFileSync(exported("gexf", "graph.gexf"), "utf8")).toContain("<edge id=");
  });

  it("never shows redacted content", () => {
    const redacted = join(scratch, "redacted");
    expect(archivetool("-q", "extract", sources[0]!, "-o", redacted, "--redact").exitCode).toBe(0);
    for (const format of ["mbox", "eml"]) {
      const path = join(scratch, `redacted-${format}`);
      expect(archivetool("-q", "export", redacted, "--format", format, "-o", path).exitCode).toBe(0);
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
    const shown = archivetool("show", redacted, "msg-000001", "--raw");
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
    [["--format", "eml"], /required option '-o, --output <path>' not specified/],
  ])("rejects %j with one line", (args, message) => {
    const run = archivetool("export", archive, ...args);
    expect([run.exitCode, run.stdout]).toEqual([1, ""]);
    expect(run.stderr).toMatch(/^archivetool: [^\n]+\nhint: [^\n]+\n$/);
    expect(run.stderr).toMatch(message);
  });

  it("replaces no files", () => {
    const path = join(scratch, "there.mbox");
    writeFileSync(path, "kept");
    const run = archivetool("export", archive, "--format", "mbox", "-o", path);
    expect([run.exitCode, readFileSync(path, "utf8")]).toEqual([1, "kept"]);
    expect(run.stderr).toContain("already exists");
    expect(readdirSync(scratch).filter((name) => name.includes(".tmp"))).toEqual([]);
  });
});

describe("archivetool show", () => {
  it("shows a message, and collapses quoted text", () => {
    const { stdout } = archivetool("search", archive, "mooring line", "-n", "2");
    const [first, second] = [...stdout.matchAll(/msg-\d+/g)].map(([id]) => id);
    for (const id of [first!, second!]) {
      const shown = archivetool("show", archive, id);
      expect(shown.exitCode, shown.stderr).toBe(0);
      expect(shown.stdout).toContain(`Id:          ${id}`);
      for (const line of shown.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    }
    const folded = archivetool("show", archive, second!).stdout;
    expect(folded).toMatch(/^\[\d+ lines? quoted: --full shows what was quoted\]$/m);
    expect(archivetool("show", archive, second!, "--full").stdout).toContain("> Hi Marek,");
  });

  it("shows records of every kind, by id and by Message-ID", () => {
    const [message] = all;
    expect(archivetool("show", archive, `<${message!.message_id}>`).stdout).toContain(message!.message_id);
    for (const id of ["thread-000001", "contact-000001", "topic-001", "event-000001", "item-000001"]) {
      const run = archivetool("show", archive, id);
      expect(run.exitCode, run.stderr).toBe(0);
      expect(run.stdout).toContain(`Id:          ${id}`);
      expect((JSON.parse(archivetool("show", archive, id, "--json").stdout) as { id: string }).id).toBe(id);
    }
  });

  it("returns the bytes of the source at any location, or the cause", () => {
    const mailbox = sources.find((source) => source.endsWith(".mbox"))!;
    const of = all.find(({ source, occurrences }) => sources[source] === mailbox && occurrences === undefined)!;
    const run = archivetool("show", archive, of.message_id, "--raw");
    expect(createHash("sha256").update(run.stdout).digest("hex")).toBe(of.sha256);
    expect(run.stdout).toContain(archivetool("show", archive, of.message_id, "--headers").stdout.split("\n")[0]);
    const away = join(scratch, "away");
    mkdirSync(away);
    renameSync(mailbox, join(away, basename(mailbox)));
    const moved = archivetool("show", archive, of.message_id, "--raw");
    expect([moved.exitCode, moved.stdout]).toEqual([1, ""]);
    expect(moved.stderr).toContain(`moved: ${mailbox} not found`);
    expect(moved.stderr).toContain("--sources");
    const found = archivetool("show", archive, of.message_id, "--raw", "--sources", away);
    expect(createHash("sha256").update(found.stdout).digest("hex")).toBe(of.sha256);
    renameSync(join(away, basename(mailbox)), mailbox);
    rmSync(away, { recursive: true });
  });

  it("reports an unknown id", () => {
    for (const id of ["msg-999999", "nobody@nowhere.example", "thread-999999", '"']) {
      const run = archivetool("show", archive, id);
      expect([run.exitCode, run.stdout]).toEqual([1, ""]);
      expect(run.stderr).toContain("is not in this archive");
    }
  });
});

import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildMsg } from "../msg-writer/msg-writer.ts";
import { olmFile, olmMail } from "../olm-writer.ts";
import { buildStore } from "../pst-writer/sample-store.ts";
import { mailProperties } from "../pst-writer/store-writer.ts";
import { buildZip } from "../zip-file.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { archivetoolAsUser, arePermissionsBinding, ordinaryCommand } from "./ordinary-user.ts";

/** Originals that exist but cannot be read are distinguished from missing ones. */

const scratch = scratchDirectory("unreadable");
const sources = join(scratch, "sources");
const archive = join(scratch, "archive");

const letter = (subject: string): string =>
  [
    "From: Ann <ann@quay.example>",
    `Subject: ${subject}`,
    `Message-ID: <${subject.replaceAll(/\W/g, ".")}@quay.example>`,
    "Date: Mon, 14 May 2001 09:00:00 +0000",
    "Content-Type: text/csv; name=berths.csv",
    'Content-Disposition: attachment; filename="berths.csv"',
    "",
    "berth,ship",
    "",
  ].join("\n");
const mbox = (subject: string): string => `From a@quay.example Mon May 14 09:00:00 2001\n${letter(subject)}\n`;
const outlookMail = (subject: string) => ({
  properties: mailProperties({ subject, body: "Text", sentAt: Date.UTC(2001, 4, 14), from: "ann@quay.example" }),
});

interface Place {
  /** The file below `sources`, and the source that is named. */
  readonly file: string;
  readonly source: string;
  readonly content: (subject: string) => Buffer | string;
  /** Path that may not be read or entered, below `sources`; the file itself by default. */
  readonly closed?: string;
}

/** Subjects of messages by the path that the reader may not access. */
const PLACES: Readonly<Record<string, Place>> = {
  "an mbox": { file: "box.mbox", source: "box.mbox", content: mbox },
  "an mbox below a directory": { file: "deep/er/box.mbox", source: "deep/er/box.mbox", content: mbox, closed: "deep" },
  "a file of a directory": { file: "eml/1.eml", source: "eml", content: letter },
  "a directory of files": { file: "emls/1.eml", source: "emls", content: letter, closed: "emls" },
  "a part of a Maildir": { file: "maildir/cur/1:2,S", source: "maildir", content: letter, closed: "maildir/cur" },
  "a packed mbox": { file: "box.mbox.gz", source: "box.mbox.gz", content: (subject) => gzipSync(mbox(subject)) },
  "a packed tree": {
    file: "tree.zip",
    source: "tree.zip",
    content: (subject) => buildZip([{ name: "tree/inner.mbox", content: mbox(subject) }]),
  },
  "a packed tree below a directory": {
    file: "zips/tree.zip",
    source: "zips/tree.zip",
    content: (subject) => buildZip([{ name: "tree/inner.mbox", content: mbox(subject) }]),
    closed: "zips",
  },
  "a store": {
    file: "store.pst",
    source: "store.pst",
    content: (subject) =>
      buildStore({ layout: "unicode", encoding: "permute" }, (store) =>
        store.addMessage(store.addFolder("Inbox"), outlookMail(subject)),
      ),
  },
  "a saved item": {
    file: "item.msg",
    source: "item.msg",
    content: (subject) => buildMsg(outlookMail(subject)),
  },
  "a store of a Mac": {
    file: "mac.olm",
    source: "mac.olm",
    content: (subject) =>
      buildZip([
        {
          name: "Local/com.microsoft.__Messages/Inbox/message_1.xml",
          content: olmFile("emails", [
            ["email", olmMail({ OPFMessageCopyMessageID: "olm@quay.example", OPFMessageCopySubject: subject })],
          ]),
        },
      ]),
  },
};
const GONE = { file: "gone.mbox", subject: "one that is gone" };
const SUBJECTS = Object.keys(PLACES);
const closedPaths = Object.values(PLACES).map(({ file, closed }) => join(sources, closed ?? file));
const areBinding = arePermissionsBinding();

/** Ids by subject. */
const ids = new Map<string, string>();

describe.skipIf(!areBinding)("originals that may not be read", () => {
  beforeAll(() => {
    for (const [subject, { file, content }] of Object.entries(PLACES)) {
      mkdirSync(dirname(join(sources, file)), { recursive: true });
      writeFileSync(join(sources, file), content(subject));
    }
    writeFileSync(join(sources, GONE.file), mbox(GONE.subject));
    const named = [...Object.values(PLACES).map(({ source }) => source), GONE.file];
    const paths = named.map((source) => join(sources, source));
    const run = archivetool("-q", "extract", ...paths, "-o", archive, "--no-wiki", "--json");
    expect(run.exitCode, run.stderr).toBe(0);
    const { messages } = JSON.parse(readFileSync(join(archive, "extraction.json"), "utf8"));
    for (const { id, subject } of messages) ids.set(subject, id);
    expect([...ids.keys()].sort()).toEqual([...SUBJECTS, GONE.subject].sort());
    rmSync(join(sources, GONE.file));
    for (const path of closedPaths) chmodSync(path, 0);
  });

  // Otherwise nothing could be removed.
  afterAll(() => {
    for (const path of closedPaths) chmodSync(path, 0o700);
  });

  it.each(SUBJECTS)("show --raw reports that for %s", (subject) => {
    const run = archivetoolAsUser("show", archive, ids.get(subject)!, "--raw");
    expect([run.exitCode, run.stdout]).toEqual([1, ""]);
    expect(run.stderr).toMatch(/is not available \(unreadable: .*EACCES/);
    expect(run.stderr).toContain("hint: check the permissions of the source");
  });

  it("show --raw distinguishes missing originals", () => {
    const run = archivetoolAsUser("show", archive, ids.get(GONE.subject)!, "--raw");
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(/is not available \(moved: .*\nhint: .*--sources DIR/);
  });

  it("show --raw finds a readable copy with --sources", () => {
    const copies = join(scratch, "copies");
    mkdirSync(copies);
    writeFileSync(join(copies, "box.mbox"), mbox("an mbox below a directory"));
    const id = ids.get("an mbox below a directory")!;
    const run = archivetoolAsUser("show", archive, id, "--raw", "--sources", copies);
    expect(run.stdout, run.stderr).toBe(letter("an mbox below a directory"));
  });

  it("an export composes them, and reports the cause", () => {
    const output = join(scratch, "exported");
    const run = archivetoolAsUser("export", archive, "--format", "eml", "-o", output);
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout + run.stderr).toMatch(/0 original, 12 composed[\s\S]*11 composed: unreadable/);
    const rows = readFileSync(join(output, "MANIFEST.csv"), "utf8").split("\r\n");
    for (const subject of SUBJECTS)
      expect(rows.find((row) => row.includes(ids.get(subject)!))).toMatch(/,composed,.*unreadable: .*EACCES/);
    expect(rows.find((row) => row.includes(ids.get(GONE.subject)!))).toContain(",composed,moved: ");
    expect(readdirSync(output)).toContain("MANIFEST.csv");
  });

  it("serve responds with 503, and with 404 for missing originals", async () => {
    const child = spawn(...ordinaryCommand("serve", archive, "--port", "0"), { stdio: ["ignore", "pipe", "inherit"] });
    try {
      const url = await new Promise<string>((report, reject) => {
        child.once("exit", (code) => reject(new Error(`serve ended with ${code}`)));
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
          const found = /http:\/\/[\w.:]+/.exec(text)?.[0];
          if (found !== undefined) report(found);
        });
      });
      const answer = async (path: string): Promise<unknown> => {
        const response = await fetch(new URL(path, url));
        const { error } = (await response.json()) as { error: { code: string; message: string } };
        // Clients must not see the paths of the server.
        expect(error.message).not.toContain(sources);
        return [response.status, error.code];
      };
      for (const subject of SUBJECTS)
        expect(await answer(`/api/messages/${ids.get(subject)}/original`)).toEqual([503, "ORIGINAL_UNREADABLE"]);
      const withFile = `/api/messages/${ids.get("an mbox")}/attachments/1`;
      expect(await answer(withFile)).toEqual([503, "ORIGINAL_UNREADABLE"]);
      expect(await answer(`/api/messages/${ids.get(GONE.subject)}/original`)).toEqual([404, "ORIGINAL_MOVED"]);
    } finally {
      child.kill();
    }
  });

  it("an assistant gets that error for an attachment", async () => {
    const [command, args] = ordinaryCommand("mcp", archive);
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));
    try {
      const warningOf = async (subject: string): Promise<unknown> => {
        const id = ids.get(subject)!;
        const answer = await client.callTool({ name: "read_attachment_text", arguments: { id, number: 1 } });
        return [answer.isError, JSON.stringify(answer.content)];
      };
      expect(await warningOf("an mbox")).toEqual([true, expect.stringMatching(/source/)]);
      expect(await warningOf("an mbox below a directory")).toEqual([true, expect.stringMatching(/source/)]);
      expect(await warningOf(GONE.subject)).toEqual([true, expect.stringMatching(/source file was not found/)]);
    } finally {
      await client.close();
    }
  });
});

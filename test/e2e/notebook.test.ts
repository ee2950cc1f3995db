import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addNotebook } from "../../src/http/explore-api/routes/notebook-routes.ts";
import { createHttpServer } from "../../src/http/http-server.ts";
import { errorEnvelope } from "../../src/http/query-api/query-api.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { archiveIn } from "../../src/store/contract/archive-location.ts";
import { fileNotebook, notebookEntries, withNotebook } from "../../src/store/notebook/open-notebook.ts";
import { bundleScript } from "../bundled-thread.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { LETTERS, rawMessage, writeMbox } from "./fixture-mail.ts";
import { archivetoolAsUser, arePermissionsBinding } from "./ordinary-user.ts";

const scratch = scratchDirectory("notebook");
/** Entries of one write: enough for a kill to interrupt it. */
const ENTRIES = 500;
const KILLS = Number(process.env.NOTEBOOK_KILLS ?? 10);
/** Size of the disk that is filled, in bytes. */
const DISK_BYTES = 256 * 1024;
const HEADERS = { host: "127.0.0.1", origin: "http://127.0.0.1", "content-type": "application/json" };

/** Opens the archive of a directory, and requests the routes of its notebook. */
async function withRoutes<T>(
  directory: string,
  use: (
    ask: (method: "GET" | "POST", path: string, body?: object) => Promise<{ status: number; data: never }>,
  ) => Promise<T>,
): Promise<T> {
  const location = archiveIn(directory);
  const archive = await openArchive(location);
  const app = await createHttpServer(null, errorEnvelope);
  addNotebook(app, (_, using) => using({ archive, notebook: fileNotebook(location), author: "ada" }));
  try {
    return await use(async (method, url, body) => {
      const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
      const response = await app.inject({ method, url, headers: HEADERS, ...payload });
      return { status: response.statusCode, data: response.json().data as never };
    });
  } finally {
    await app.close();
    await archive.close();
  }
}

describe("a notebook", () => {
  it("outlives extractions that replace the archive, and that add to it", async () => {
    const [mbox, further, output] = ["mail.mbox", "more.mbox", "out"].map((name) => join(scratch, name));
    const raw = LETTERS.map(rawMessage);
    writeMbox(mbox!, raw.slice(1));
    writeMbox(further!, raw);
    const extract = (...args: readonly string[]): void => {
      const { exitCode, stderr } = archivetool("-q", "extract", ...args, "-o", output!);
      expect(exitCode, stderr).toBe(0);
    };
    const value = { tags: ["press"], note: "call her", review: "relevant" };
    interface Listed {
      readonly entries: readonly { readonly kind: string; readonly id: string; readonly value: object }[];
    }
    extract(mbox!);
    const subjectOf = async (id: string): Promise<string | undefined> => {
      const archive = await openArchive(archiveIn(output!));
      const subject = (await archive.messages.get(id))?.subject;
      await archive.close();
      return subject;
    };
    await withRoutes(output!, async (ask) => {
      for (const id of ["msg-000001", "msg-000002"])
        expect((await ask("POST", "/notebook/entries", { kind: "message", id, revision: 0, value })).status).toBe(200);
      const thread = { kind: "thread", id: "thread-000001", revision: 0, value };
      expect((await ask("POST", "/notebook/entries", thread)).status).toBe(200);
    });
    const before = await Promise.all(["msg-000001", "msg-000002"].map(subjectOf));
    // The name of the additional file sorts first, so that message numbers change.
    for (const args of [
      [mbox!, further!, "--incremental"],
      [further!, "--replace"],
    ]) {
      extract(...args);
      const { entries } = await withRoutes(output!, async (ask) => (await ask("GET", "/notebook")).data as Listed);
      expect(entries.map((entry) => entry.value)).toEqual([value, value, value]);
      const messages = entries.filter(({ kind }) => kind === "message");
      expect((await Promise.all(messages.map(({ id }) => subjectOf(id)))).toSorted()).toEqual(before.toSorted());
    }
  });

  it("loses no acknowledged write if its writer is killed, and writes groups completely", async () => {
    const directory = join(scratch);
    const script = await bundleScript("e2e/notebook-writer.ts");
    for (let round = 0; round < KILLS; round++) {
      const child = spawn(process.execPath, [script, directory, String(ENTRIES)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let written = "";
      await new Promise<void>((enough) => {
        child.stdout.on("data", (data: Buffer) => {
          written += data.toString();
          if (written.split("\n").length > 2 + (round % 5)) enough();
        });
      });
      child.kill("SIGKILL");
      await once(child, "close");
      const answered = Number(written.trim().split("\n").at(-1));
      const values = notebookEntries(archiveIn(directory)).map(({ value }) => Number(value));
      expect(values).toHaveLength(ENTRIES);
      expect(new Set(values).size).toBe(1);
      expect(values[0]).toBeGreaterThanOrEqual(answered);
    }
  });

  it("can be read without write permission", () => {
    if (!arePermissionsBinding()) return;
    const directory = mkdtempSync(join(tmpdir(), "archivetool-notebook-read-only-"));
    try {
      const mbox = join(directory, "mail.mbox");
      writeMbox(mbox, LETTERS.map(rawMessage));
      const output = join(directory, "out");
      expect(archivetool("-q", "extract", mbox, "-o", output).exitCode).toBe(0);
      withNotebook(archiveIn(output), (notebook) =>
        notebook.edit("tag", ["press"], { updatedAt: 1, author: null, edited: () => "{}" }),
      );
      for (const name of readdirSync(output)) chmodSync(join(output, name), 0o500);
      chmodSync(output, 0o500);
      const { exitCode, stderr } = archivetoolAsUser("search", output, "tag:press");
      expect(stderr).toBe("");
      expect(exitCode).toBe(0);
      const checked = archivetoolAsUser("validate", output);
      expect(checked.stdout).toContain("Notebook: sound");
    } finally {
      chmodSync(join(directory, "out"), 0o700);
      rmSync(directory, { recursive: true, force: true });
    }
  });

  it("rejects a note on a full disk, and remains readable", () => {
    const disk = mkdtempSync(join(tmpdir(), "archivetool-notebook-disk-"));
    if (spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "none", disk]).status !== 0) {
      rmSync(disk, { recursive: true });
      console.log("full disk of a notebook: not tried, as nothing can be mounted here");
      return;
    }
    try {
      const location = archiveIn(disk);
      const write = (key: string, size: number): unknown =>
        withNotebook(location, (notebook) =>
          notebook.edit("tag", [key], { updatedAt: 1, author: null, edited: () => `"${"x".repeat(size)}"` }),
        );
      write("small", 10);
      const before = notebookEntries(location);
      expect(() => write("large", DISK_BYTES)).toThrow(expect.objectContaining({ code: "DISK_FULL" }));
      expect(notebookEntries(location)).toEqual(before);
    } finally {
      spawnSync("umount", [disk]);
      rmSync(disk, { recursive: true, force: true });
    }
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addNotebook } from "../../src/http/explore-api/notebook-routes.ts";
import { createHttpServer } from "../../src/http/http-server.ts";
import { errorEnvelope } from "../../src/http/query-api/query-api.ts";
import { archiveIn } from "../../src/store/archive-location.ts";
import { openArchive } from "../../src/store/open-archive.ts";
import { fileNotebook, notebookEntries } from "../../src/store/open-notebook.ts";
import { bundleScript } from "../bundled-thread.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { LETTERS, rawMessage, writeMbox } from "./fixture-mail.ts";

const scratch = scratchDirectory("notebook");
/** Entries of one act: enough that a kill falls into the middle of it. */
const ENTRIES = 2000;
const HEADERS = { host: "127.0.0.1", origin: "http://127.0.0.1", "content-type": "application/json" };

/** Opens the archive of a directory, and asks the routes of its notebook. */
async function withRoutes<T>(
  directory: string,
  use: (
    ask: (method: "GET" | "POST", path: string, body?: object) => Promise<{ status: number; data: never }>,
  ) => Promise<T>,
): Promise<T> {
  const location = archiveIn(directory);
  const archive = await openArchive(location);
  const app = await createHttpServer(null, errorEnvelope);
  addNotebook(app, (_, using) => using({ archive, notebook: fileNotebook(location) }));
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
    // The further file begins with another letter: numbers of messages change when it takes the place of the first.
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

  it("loses nothing that was answered when its writer is killed, and writes no part of what belongs together", async () => {
    const directory = join(scratch);
    const script = await bundleScript("e2e/notebook-writer.ts");
    for (let round = 0; round < 3; round++) {
      const child = spawn(process.execPath, [script, directory, String(ENTRIES)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let written = "";
      await new Promise<void>((enough) => {
        child.stdout.on("data", (data: Buffer) => {
          written += data.toString();
          if (written.split("\n").length > 5 + 7 * round) enough();
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
});

import { cpSync, existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { expect } from "vitest";
import type * as z from "zod";
import { EXAMPLE_SEED, exampleCompany } from "../../examples/company/company.ts";
import { writePst } from "../../examples/company-pst.ts";
import { writeSources } from "../../examples/mailbox-files.ts";
import { EXPLORE_API } from "../../src/http/explore-api/explore-routes.ts";
import { createLocalServer } from "../../src/http/local-server/local-server.ts";
import type { Archive } from "../../src/mail/archive.ts";
import { openArchiveWithSearchThread } from "../../src/store/archive/open-with-search-thread.ts";
import { archiveIn } from "../../src/store/contract/archive-location.ts";
import { fileNotebook } from "../../src/store/notebook/open-notebook.ts";
import { archivetool, scratchDirectory } from "../e2e/cli.ts";
import { SHARED_ARCHIVES } from "../run-directory.ts";
import { bundlePages } from "./bundled-pages.ts";
import { FAULT_LOG } from "./fault-log.ts";
import { ownFiles } from "./own-files.ts";

/** The archive of the example company as `serve` returns it; some items of its mailboxes are skipped or failed. */
export interface ServedCompany {
  readonly archive: Archive;
  readonly app: FastifyInstance;
  /** Requests a route of the explore API, validates the response strictly against its schema, and returns its data. */
  data(path: string, query?: Readonly<Record<string, string>>): Promise<never>;
  /** Status of a response, with a JSON body for a POST. */
  ask(path: string, query?: Readonly<Record<string, string>>, body?: unknown): Promise<{ status: number; body: never }>;
  stop(): Promise<void>;
}

const KEPT = "From ann@harbour.example Mon May 14 16:39:00 2001\nSubject: Kept\n\nKept.\n";
/** Internal data of Pine in a mailbox, in the form of a message: it is skipped. */
const FOLDER_DATA =
  "From MAILER-DAEMON Mon May 14 16:39:00 2001\nFrom: Mail System Internal Data <MAILER-DAEMON@harbour.example>\nSubject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA\nX-IMAP: 0989851140 0000000000\nStatus: RO\n\nNo mail.\n";

const SHARED = join(SHARED_ARCHIVES, "company");
const EXTRACTED = join(SHARED, "archive");
/** Milliseconds between checks whether another thread has finished the extraction. */
const LOOK_MS = 100;

/** Extracts the company once per test run: the first caller does so, the others wait. */
async function extractedCompany(): Promise<string> {
  if (mkdirSync(SHARED, { recursive: true }) === undefined) {
    while (!existsSync(EXTRACTED)) await wait(LOOK_MS);
    return EXTRACTED;
  }
  const store = join(SHARED, "halvorsen-pike.pst");
  const company = exampleCompany(EXAMPLE_SEED);
  writePst(company, store);
  const broken = join(SHARED, "broken.mbox");
  writeFileSync(broken, `From nobody\n\n${KEPT}`);
  const pine = join(SHARED, "pine.mbox");
  writeFileSync(pine, FOLDER_DATA);
  const headless = join(SHARED, "headless.mbox");
  writeFileSync(headless, `The end of a mail.\n\n${KEPT}`);
  const sources = [...writeSources(company, join(SHARED, "mail")), store, broken, pine, headless];
  const run = archivetool("-q", "extract", ...sources, "-o", `${EXTRACTED}.part`);
  expect(run.exitCode, run.stderr).toBe(0);
  renameSync(`${EXTRACTED}.part`, EXTRACTED);
  return EXTRACTED;
}

const strictSchemas = new Map<string, z.ZodObject>();

/** The schema of a route in which an undeclared field is an error. Zod compiles each of them with its first use. */
function strictSchemaOf(path: string): z.ZodObject {
  const { data } = EXPLORE_API.routes.find((route) => route.path === path)!;
  const schema = strictSchemas.get(path) ?? (data as z.ZodObject).strict();
  strictSchemas.set(path, schema);
  return schema;
}

/** Serves a separate copy of the archive, so that only this file sees what is written next to it. */
export async function serveCompany(name: string): Promise<ServedCompany> {
  await bundlePages();
  const output = join(scratchDirectory(name), "archive");
  cpSync(await extractedCompany(), output, { recursive: true });
  const archive = await openArchiveWithSearchThread(archiveIn(output));
  const start = {
    source: "company",
    environment: "contract",
    host: "127.0.0.1",
    ...ownFiles(),
    notebook: fileNotebook(archiveIn(output)),
  };
  const app = await createLocalServer(archive, start, FAULT_LOG);
  const ask: ServedCompany["ask"] = async (path, query = {}, body) => {
    const response = await app.inject({
      method: body === undefined ? "GET" : "POST",
      url: `/api/explore${path}?${new URLSearchParams(query)}`,
      headers: { host: "127.0.0.1:8080", ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    return { status: response.statusCode, body: response.json() as never };
  };
  return {
    archive,
    app,
    ask,
    async data(path, query) {
      const { status, body } = await ask(path, query);
      expect(status, path).toBe(200);
      const answered = (body as { readonly data: never }).data;
      expect(() => strictSchemaOf(path).parse(answered)).not.toThrow();
      return answered;
    },
    async stop() {
      await app.close();
      await archive.close();
    },
  };
}

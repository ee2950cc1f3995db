import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ORIGINAL_CHECK_PATHS } from "../../src/http/explore-api/routes/original-check.ts";
import { ORIGINAL_PAGE_PATHS } from "../../src/http/explore-api/routes/original-pages.ts";
import { createLocalServer } from "../../src/http/local-server/local-server.ts";
import { ORIGINAL_PATHS } from "../../src/http/original-files.ts";
import type { Archive } from "../../src/mail/archive.ts";
import { EXPORT_FORMATS } from "../../src/outputs/export/export-names.ts";
import { PROPERTY_SET } from "../../src/properties/named-properties.ts";
import { PID } from "../../src/properties/property-ids.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { archiveIn } from "../../src/store/contract/archive-location.ts";
import { fileNotebook } from "../../src/store/notebook/open-notebook.ts";
import { archivetool, scratchDirectory } from "../e2e/cli.ts";
import { text, time } from "../pst-writer/property-writer.ts";
import { buildStore } from "../pst-writer/sample-store.ts";
import { readZip } from "../zip-reader.ts";
import { bundlePages } from "./bundled-pages.ts";
import { ownFiles } from "./own-files.ts";
import { routesOf } from "./router-routes.ts";

/** A redacted archive on every route: none returns redacted text or an original. */

const scratch = scratchDirectory("redacted-routes");
/** Redacted values, as written and in transfer encodings. */
const SECRETS = ["hidden.person@secret.example", "219-09-9999", "ORIGINAL-BYTES"] as const;
const FORMS = SECRETS.flatMap((secret) => [secret, Buffer.from(secret).toString("base64").slice(0, 12)]);

let archive: Archive;
let app: FastifyInstance;

beforeAll(async () => {
  await bundlePages();
  const source = join(scratch, "mail");
  mkdirSync(source);
  const sentence = `Write to ${SECRETS[0]} of ${SECRETS[1]}.`;
  for (const number of [1, 2, 3])
    writeFileSync(
      join(source, `${number}.eml`),
      [
        `From: "Pat ${SECRETS[1]}" <pat@open.example>`,
        "To: sam@open.example",
        `Subject: Letter ${number} to ${SECRETS[0]}`,
        `Date: Mon, 0${number} Jan 2001 10:00:00 +0000`,
        `Message-ID: <${number}@open.example>`,
        'Content-Type: multipart/mixed; boundary="b"',
        "",
        "--b",
        "Content-Type: text/plain",
        "",
        sentence,
        "--b",
        "Content-Type: text/html",
        "",
        `<p>${sentence}</p>`,
        "--b",
        `Content-Type: image/png; name="${SECRETS[1]}.png"`,
        `Content-Disposition: attachment; filename="${SECRETS[1]}.png"`,
        "Content-Transfer-Encoding: base64",
        "",
        Buffer.from(`${SECRETS[2]} ${sentence}`).toString("base64"),
        "--b--",
        "",
      ].join("\n"),
    );
  // Attachments of an appointment and of a task.
  const plan = { properties: [text(PID.attachLongFilename, `${SECRETS[1]}.txt`)], data: Buffer.from(SECRETS[2]) };
  const store = buildStore({ layout: "unicode", encoding: "permute" }, (writer) => {
    const start = time(writer.named({ set: PROPERTY_SET.appointment, name: 0x820d }), Date.UTC(2001, 0, 1));
    const subject = text(PID.subject, "Letter");
    const folder = writer.addFolder("Private");
    for (const properties of [[text(PID.messageClass, "IPM.Appointment"), start], [text(PID.messageClass, "IPM.Task")]])
      writer.addMessage(folder, { properties: [...properties, subject], attachments: [plan] });
  });
  writeFileSync(join(scratch, "ann.pst"), store);
  const output = join(scratch, "archive");
  const run = archivetool("-q", "extract", source, join(scratch, "ann.pst"), "-o", output, "--no-wiki", "--redact");
  expect(run.exitCode, run.stderr).toBe(0);
  archive = await openArchive(archiveIn(output));
  const start = {
    source: "mail",
    environment: "contract",
    host: "127.0.0.1",
    notebook: fileNotebook(archiveIn(output)),
  };
  app = await createLocalServer(archive, { ...ownFiles(), ...start }, null);
});
afterAll(async () => {
  await app.close();
  await archive.close();
});

/** Values for the parameters of a path. */
const IDS: Readonly<Record<string, string>> = {
  archive: "local",
  message_id: "msg-000001",
  thread_id: "thread-000001",
  contact_id: "contact-000001",
  topic_id: "topic-001",
  event_id: "event-000001",
  item_id: "item-000001",
};
const filled = (path: string): string =>
  path.replace(/:(\w+)|\{(\w+)\}/g, (_, name: string | undefined, braced: string) => IDS[name ?? braced] ?? "1");

const ORIGINALS = [
  ...ORIGINAL_PATHS.map((path) => `/api${path}`),
  ...[...ORIGINAL_PAGE_PATHS, ...ORIGINAL_CHECK_PATHS].map((path) => `/api/explore${path}`),
];
const PAGES = ["", "search", "thread/thread-000001", "message/msg-000001", "people", "files", "about"];
/** Bodies for routes with a body, by the end of their path. */
const BODIES: Readonly<Record<string, object>> = {
  "/query/search": { query: "letter" },
  "/explore/hits": { queries: ["letter"] },
};
const QUERY = `?q=${encodeURIComponent(`letter "${SECRETS[1]}" from:${SECRETS[0]}`)}`;

async function get(url: string): Promise<{ readonly status: number; readonly bytes: Buffer }> {
  const { statusCode, rawPayload } = await app.inject({ url, headers: { host: "127.0.0.1" } });
  return { status: statusCode, bytes: rawPayload };
}

const leaksOf = (bytes: Buffer): readonly string[] => FORMS.filter((form) => bytes.includes(form));

describe("of a redacted archive", () => {
  it.each(ORIGINALS.map(filled))("no original comes from %s", async (path) => {
    const { status, bytes } = await get(path);
    expect([status, (JSON.parse(bytes.toString()) as { error: { code: string } }).error.code]).toEqual([
      403,
      "ORIGINAL_WITHHELD",
    ]);
    expect(leaksOf(bytes)).toEqual([]);
  });

  it("no response of any route contains redacted values", async () => {
    // All export formats are requested below.
    const routes = routesOf(app).filter(({ url }) => !/^\/assets|\/export$|\*$/.test(url));
    expect(routes.filter(({ method }) => method === "GET").length).toBeGreaterThan(45);
    const ways = [...routes, ...PAGES.map((page) => ({ method: "GET" as const, url: `/a/local/${page}` }))];
    let answered = 0;
    for (const { method, url } of ways) {
      const body = Object.entries(BODIES).find(([end]) => url.endsWith(end))?.[1] ?? {};
      const headers = { host: "127.0.0.1", origin: "http://127.0.0.1", "content-type": "application/json" };
      const payload = method === "GET" || method === "HEAD" ? {} : { payload: JSON.stringify(body) };
      const {
        statusCode,
        rawPayload,
        headers: sent,
      } = await app.inject({ method, url: filled(url), headers, ...payload });
      if (statusCode === 200) answered++;
      const leaks = [...leaksOf(rawPayload), ...leaksOf(Buffer.from(JSON.stringify(sent)))];
      expect({ method, url, leaks }).toEqual({ method, url, leaks: [] });
    }
    expect(answered).toBeGreaterThan(ways.length / 2);
    // A query for a redacted value returns only the query itself, and no results.
    for (const path of ["messages", "facets", "suggest"]) {
      const { bytes } = await get(`/api/explore/${path}${QUERY}&of=from,mailbox,type&at=0`);
      expect(bytes.includes(SECRETS[2])).toBe(false);
    }
  });

  it.each(EXPORT_FORMATS)("no export has it: %s", async (format) => {
    const { status, bytes } = await get(`/api/export?format=${format}`);
    if (status !== 200) return expect(leaksOf(bytes)).toEqual([]);
    const files = await readZip(bytes);
    expect(files.size).toBeGreaterThan(0);
    for (const [name, content] of files)
      expect({ name, leaks: [...leaksOf(content), ...leaksOf(Buffer.from(name))] }).toEqual({ name, leaks: [] });
  });

  it("fails this test if it leaks", () => {
    expect(leaksOf(Buffer.from(`a ${SECRETS[1]} b ${Buffer.from(SECRETS[2]).toString("base64")}`))).toHaveLength(2);
  });
});

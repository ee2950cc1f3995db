import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archivetool, scratchDirectory } from "./cli.ts";
import { mboxOf } from "./fixture-mail.ts";
import { HAS_NGINX, type NginxProxy, startNginx } from "./nginx-proxy.ts";
import { type RunningService, startServer } from "./running-service.ts";

/** Both servers behind a real nginx, with the configuration of the docs. */

const PAGE = readFileSync(resolve(import.meta.dirname, "../../docs/reference/local-server.md"), "utf8");
const LOCATION = /\nlocation \/mail\/ \{[^}]*\}\n/.exec(PAGE)?.[0] ?? "";
const scratch = scratchDirectory("nginx");
const started: RunningService[] = [];
const proxies: NginxProxy[] = [];

afterAll(async () => {
  for (const proxy of proxies) await proxy.end();
  for (const server of started) await server.end("SIGTERM");
});

/** Publishes a server at /mail/ as the docs say. @param strips whether nginx removes the path */
async function publish(server: RunningService, strips: boolean): Promise<string> {
  started.push(server);
  const target = new URL(server.url).host + (strips ? "/" : "");
  const location = LOCATION.replace("127.0.0.1:8080", target);
  expect(location).toContain(target);
  const proxy = await startNginx(
    scratch,
    (port) => `server { listen 127.0.0.1:${port}; server_name www.example; ${location} }`,
  );
  proxies.push(proxy);
  return `${proxy.url}/mail/`;
}

/** Status of the page and of every file that it references. */
async function pageStatuses(url: string): Promise<readonly number[]> {
  const page = await fetch(url);
  const files = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!);
  expect(files.length).toBeGreaterThan(0);
  for (const path of files) expect(path.startsWith("/mail/"), path).toBe(true);
  // Other links may require signing in.
  const assets = files.filter((path) => path.startsWith("/mail/assets/"));
  expect(assets.length).toBeGreaterThan(0);
  const answers = await Promise.all(assets.map((path) => fetch(new URL(path, url))));
  return [page.status, ...answers.map(({ status }) => status)];
}

describe.skipIf(!HAS_NGINX)("behind nginx (nginx must be installed)", () => {
  const flags = ["--base-path", "/mail/", "--allow-host", "www.example"];
  let archive: string;
  beforeAll(() => {
    const mbox = join(scratch, "harbour.mbox");
    writeFileSync(mbox, mboxOf(20, "harbour"));
    archive = join(scratch, "archive");
    expect(archivetool("extract", mbox, "-o", archive).exitCode).toBe(0);
  });

  it.each([false, true])("serve shows its page and answers, with the path removed by nginx: %s", async (strips) => {
    const url = await publish(await startServer("serve", archive, ...flags), strips);
    expect(new Set(await pageStatuses(url))).toEqual(new Set([200]));
    const found = await fetch(`${url}api/query/messages?limit=1`);
    expect(((await found.json()) as { data: { pagination: object } }).data.pagination).toMatchObject({ total: 20 });
    expect((await fetch(`${url}plain`, { redirect: "follow" })).status).toBe(200);
  });

  it.each([false, true])("service accepts uploads and sends events immediately, path removed: %s", async (strips) => {
    const data = join(scratch, `data-${strips}`);
    const server = await startServer("service", "--data", data, "--token", "correct-horse-battery", ...flags);
    const url = await publish(server, strips);
    expect(new Set(await pageStatuses(url))).toEqual(new Set([200]));
    const bearer = { authorization: "Bearer correct-horse-battery" };
    const signedIn = await fetch(`${url}session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: "correct-horse-battery" }),
    });
    expect(signedIn.status).toBe(204);
    expect(signedIn.headers.get("set-cookie")).toMatch(/; Path=\/mail/i);
    const events = await fetch(`${url}agent-stream`, { headers: bearer });
    const sent = await fetch(`${url}upload?filename=more.mbox`, {
      method: "POST",
      headers: bearer,
      body: mboxOf(5, "more"),
    });
    expect(sent.status).toBe(202);
    expect(sent.headers.get("location")).toMatch(/^\/mail\/uploads\/upload-/);
    let received = "";
    for await (const bytes of events.body!) {
      received += Buffer.from(bytes).toString("utf8");
      if (received.includes('"status":"completed"')) break;
    }
    expect(received).toContain("event: phase");
  });
});

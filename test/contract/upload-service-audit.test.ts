import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { usualAction } from "../../src/http/audited-request.ts";
import { hashOf } from "../../src/http/upload-service/base/access-token.ts";
import { createUploadService } from "../../src/http/upload-service/upload-service.ts";
import { routesOf } from "./router-routes.ts";
import { createServiceFixture, NOON, type ServiceFixture } from "./service-fixture.ts";

/** Audit entries for the requests of a service. */

const BY = { name: "operator", at: NOON };

const SETTING = {
  ...{ host: "127.0.0.1", token: "of-the-service", allowedHosts: [], allowedOrigins: [], rateLimit: null },
  environment: "contract",
};

let fixture: ServiceFixture;
let url: string;
let close: () => Promise<void>;
let uploadId: string;
beforeAll(async () => {
  fixture = await createServiceFixture();
  const app = await createUploadService(fixture.service, SETTING, null);
  url = await app.listen({ host: "127.0.0.1", port: 0 });
  close = () => app.close();
  uploadId = await fixture.addCompleted("own.mbox");
  for (const name of ["mara", "ada"]) {
    const token = { name, tokenHash: hashOf(name), mayUpload: true, createdAt: NOON };
    await fixture.catalog.access.addToken(token, BY);
  }
  await fixture.catalog.access.grant({ name: "mara", uploadId, role: "owner" }, BY);
});
afterAll(async () => {
  await close();
  await fixture.remove();
});

async function ask(token: string, path: string, request: RequestInit = {}): Promise<number> {
  const answer = await fetch(`${url}${path}`, { ...request, headers: { authorization: `Bearer ${token}` } });
  await answer.arrayBuffer();
  return answer.status;
}

/** Audit entries of requests, without the time. */
async function recorded(run: () => Promise<unknown>): Promise<readonly string[]> {
  const { access } = fixture.catalog;
  const all = { name: null, uploadId: null, since: null };
  const before = (await access.audited(all, 0, 10_000)).at(-1)?.sequence ?? 0;
  await run();
  return (await access.audited(all, before, 10_000)).map(({ name, action, uploadId: id, detail }) =>
    [name, action, id === uploadId ? "own" : id, detail].filter((part) => part !== null).join(" "),
  );
}

it("has an entry for each query, download and export, without the words searched for", async () => {
  const own = `/uploads/${uploadId}`;
  const rows = await recorded(async () => {
    for (const path of [
      `${own}/explore/messages?q=harbour`,
      // Another page, the counts and the timeline of the same query.
      `${own}/explore/messages?q=harbour&offset=1`,
      `${own}/explore/facets?q=harbour`,
      `${own}/explore/timeline?q=harbour`,
      `${own}/explore/messages?q=tide`,
      "/search?q=harbour+mooring",
      `${own}/emails.csv`,
      `${own}/emails.csv`,
      `${own}/wiki/index.md`,
      `${own}/export?format=csv&q=harbour`,
    ])
      expect(await ask("mara", path), path).toBe(200);
  });
  expect(rows).toEqual([
    "mara searched own",
    "mara searched own",
    "mara searched own",
    "mara downloaded own emails.csv",
    "mara downloaded own emails.csv",
    "mara downloaded own wiki/index.md",
    "mara exported own",
  ]);
});

it("has one entry per hour for a reader, and none for lists and rejected requests", async () => {
  const own = `/uploads/${uploadId}`;
  const rows = await recorded(async () => {
    for (const path of ["/uploads", own, "/metrics"]) await ask("mara", path);
    for (const path of [`${own}/emails.csv`, `${own}/query/stats`]) expect(await ask("ada", path)).toBe(404);
    for (const path of [
      `${own}/query/stats`,
      `${own}/explore/overview`,
      "/contacts",
      `${own}/query/messages/msg-000001`,
    ])
      expect(await ask("mara", path)).toBe(200);
    expect(await ask("of-the-service", `${own}/query/stats`)).toBe(200);
  });
  expect(rows).toEqual(["mara opened own", "operator opened own"]);
});

it("records each download, source, export and note", async () => {
  const own = `/uploads/${uploadId}`;
  const rows = await recorded(async () => {
    for (let times = 0; times < 2; times++) {
      for (const path of [
        `${own}/messages/msg-000001/original`,
        `${own}/messages/msg-000001/attachments/1`,
        `${own}/explore/messages/msg-000001/source`,
        `${own}/explore/notebook/export`,
      ])
        await ask("mara", path);
      const headers = { authorization: "Bearer mara", origin: url, "content-type": "application/json" };
      for (const route of ["entries", "tags", "import"])
        await fetch(`${url}${own}/explore/notebook/${route}`, { method: "POST", headers, body: "{}" });
    }
  });
  const once = [
    "downloaded messages/msg-000001/original",
    "downloaded messages/msg-000001/attachments/1",
    "downloaded explore/messages/msg-000001/source",
    "exported",
    "notebook written explore/notebook/entries",
    "notebook written explore/notebook/tags",
    "notebook written explore/notebook/import",
  ];
  expect(rows.map((row) => row.replace("mara ", "").replace(" own", ""))).toEqual([...once, ...once]);
});

it("has an entry for each upload and deletion; requests that cannot be recorded fail", async () => {
  const mail = "From a@b.example Wed Jan  1 12:00:00 2003\nFrom: a@b.example\nSubject: x\n\ny\n";
  const rows = await recorded(async () => {
    expect(await ask("ada", "/upload?filename=a.mbox", { method: "POST", body: mail })).toBe(202);
    const { access } = fixture.catalog;
    const record = access.record;
    access.record = () => {
      throw new Error("the disk is full");
    };
    expect(await ask("mara", `/uploads/${uploadId}/emails.csv`)).toBe(500);
    expect(await ask("mara", `/uploads/${uploadId}`, { method: "DELETE" })).toBe(500);
    access.record = record;
    expect(await ask("mara", `/uploads/${uploadId}`, { method: "DELETE" })).toBe(204);
  });
  expect(rows.map((row) => row.replace(/upload-[a-z2-7]{12}/, "new"))).toEqual([
    "ada granted new owner ada",
    "ada uploaded new",
    "mara deleted own",
  ]);
});

it("records the actions listed in docs/reference/access-control.md for every route", async () => {
  const app = await createUploadService(fixture.service, SETTING, null);
  const known = new Map<string, string[]>();
  for (const { method, url: path } of routesOf(app)) {
    if (method === "HEAD" || method === "OPTIONS") continue;
    const action = usualAction(path);
    const written = path.replace(/:(\w+)/g, "{$1}");
    if (action === null || action === "opened" || !/^\/uploads\/|^\/search$/.test(path)) continue;
    known.set(action, [...(known.get(action) ?? []), written]);
  }
  await app.close();
  const page = readFileSync("docs/reference/access-control.md", "utf8");
  const rows = page.slice(page.indexOf("| Action of a route |")).split("\n\n")[0]!.split("\n").slice(2);
  const documented = new Map(
    rows.map((row) => {
      const [action = "", routes = ""] = row
        .split("|")
        .slice(1)
        .map((cell) => cell.trim());
      return [action.replaceAll("`", ""), Array.from(routes.matchAll(/`(\/[^`]+)`/g), ([, route]) => route!)];
    }),
  );
  const sorted = (actions: ReadonlyMap<string, readonly string[]>) =>
    Object.fromEntries(Array.from(actions, ([action, routes]) => [action, Array.from(new Set(routes)).sort()]));
  expect(sorted(documented)).toEqual(sorted(known));
});

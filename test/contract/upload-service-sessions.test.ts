import type { FastifyInstance, InjectOptions } from "fastify";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { hashOf } from "../../src/http/upload-service/base/access-token.ts";
import { FIRST_WAIT_MS, FREE_ATTEMPTS, LONGEST_WAIT_MS } from "../../src/http/upload-service/base/token-attempts.ts";
import { createUploadService, type UploadServiceSetting } from "../../src/http/upload-service/upload-service.ts";
import { SESSION_IDLE_MS, SESSION_LIFE_MS } from "../../src/store/contract/access-register.ts";
import { createServiceFixture, NOON, type ServiceFixture } from "./service-fixture.ts";

/** Start and end of browser sessions, and limits on wrong tokens. */

const TOKEN = "correct-horse-battery-staple";
const SETTING: UploadServiceSetting = {
  ...{ host: "127.0.0.1", token: TOKEN, allowedHosts: [], allowedOrigins: [] },
  ...{ environment: "contract", rateLimit: null },
};
const BY = { name: "operator", at: NOON };

let now: number;
let fixture: ServiceFixture;
const opened: FastifyInstance[] = [];
const fixtures: ServiceFixture[] = [];

async function open(of: ServiceFixture, setting: Partial<UploadServiceSetting> = {}): Promise<FastifyInstance> {
  const app = await createUploadService(of.service, { ...SETTING, ...setting }, null, () => now);
  opened.push(app);
  return app;
}
async function newFixture(): Promise<ServiceFixture> {
  const made = await createServiceFixture();
  fixtures.push(made);
  return made;
}

let app: FastifyInstance;
beforeEach(async () => {
  now = NOON;
  fixture = await newFixture();
  app = await open(fixture);
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  for (const one of fixtures.splice(0)) one.remove();
});

const LOCAL = { host: "localhost" };

async function signIn(of = app, token = TOKEN, headers: Record<string, string> = {}): Promise<string> {
  const payload = JSON.stringify({ token });
  const answer = await of.inject({ method: "POST", url: "/session", headers: { ...LOCAL, ...headers }, payload });
  expect(answer.statusCode).toBe(204);
  return String(answer.headers["set-cookie"]).split(";")[0]!;
}

async function status(cookie: string, of = app, request: InjectOptions = {}): Promise<number> {
  return (await of.inject({ url: "/uploads", ...request, headers: { ...LOCAL, cookie, ...request.headers } }))
    .statusCode;
}

it("ends only one session of a token by signing out", async () => {
  const [one, two] = [await signIn(), await signIn()];
  expect(one).not.toBe(two);
  expect([await status(one), await status(two)]).toEqual([200, 200]);
  expect(await status(one, app, { method: "DELETE", url: "/session" })).toBe(204);
  expect([await status(one), await status(two)]).toEqual([401, 200]);
});

it("ends an idle session, and any session after a week", async () => {
  const idle = await signIn();
  now += SESSION_IDLE_MS - 1000;
  expect(await status(idle)).toBe(200);
  now += SESSION_IDLE_MS - 1000;
  expect(await status(idle)).toBe(200);
  now += SESSION_IDLE_MS + 1000;
  expect(await status(idle)).toBe(401);
  const busy = await signIn();
  const begun = now;
  while (now + SESSION_IDLE_MS / 2 < begun + SESSION_LIFE_MS) {
    now += SESSION_IDLE_MS / 2;
    expect(await status(busy)).toBe(200);
  }
  now = begun + SESSION_LIFE_MS + 1;
  expect(await status(busy)).toBe(401);
});

it("ends the sessions of a token that is revoked, and of a service that got another one", async () => {
  const { access } = fixture.catalog;
  await access.addToken({ name: "mara", tokenHash: hashOf("mara"), mayUpload: false, createdAt: NOON }, BY);
  const [mara, operator] = [await signIn(app, "mara"), await signIn()];
  expect([await status(mara), await status(operator)]).toEqual([200, 200]);
  await access.revoke("mara", BY);
  expect([await status(mara), await status(operator)]).toEqual([401, 200]);
  const restarted = await open(fixture);
  expect(await status(operator, restarted)).toBe(200);
  const changed = await open(fixture, { token: "another" });
  expect(await status(operator, changed)).toBe(401);
});

it("gives each service a separate cookie", async () => {
  const otherFixture = await newFixture();
  const other = await open(otherFixture);
  const [one, two] = [await signIn(), await signIn(other)];
  const [name, value] = one.split("=");
  const [otherName] = two.split("=");
  expect(name).not.toBe(otherName);
  expect([await status(one, other), await status(`${otherName}=${value}`, other)]).toEqual([401, 401]);
  // A browser sends the cookies of both services to each.
  expect([await status(`${two}; ${one}`), await status(`${one}; ${two}`, other)]).toEqual([200, 200]);
});

it("accepts behind TLS only a host-bound cookie", async () => {
  const headers = { "x-forwarded-proto": "https" };
  const cookie = await signIn(app, TOKEN, headers);
  expect(cookie).toMatch(/^__Host-/);
  expect(await status(cookie, app, { headers })).toBe(200);
  expect(await status(cookie.replace("__Host-", ""), app, { headers })).toBe(401);
});

it("looks up one cookie of many", async () => {
  const session = vi.spyOn(fixture.catalog.access, "session");
  const holder = vi.spyOn(fixture.catalog.access, "holderOfToken");
  const name = (await signIn()).split("=")[0]!;
  holder.mockClear();
  const value = "x".repeat(43);
  const many = Array.from({ length: 2200 }, (_, at) => `${at % 2 === 0 ? name : `other${at}`}=${value}`).join("; ");
  expect(await status(many)).toBe(401);
  expect([session.mock.calls.length, holder.mock.calls.length]).toEqual([1, 0]);
});

it("delays only an address that tries wrong tokens, longer each time", async () => {
  const cookie = await signIn();
  const attempt = async (token: string, remoteAddress: string): Promise<readonly [number, string]> => {
    const headers = { ...LOCAL, authorization: `Bearer ${token}` };
    const answer = await app.inject({ url: "/uploads", headers, remoteAddress });
    return [answer.statusCode, answer.json()?.error?.code ?? ""];
  };
  for (let at = 0; at < FREE_ATTEMPTS; at++)
    expect(await attempt(`wrong ${at}`.replace(" ", ""), "192.0.2.1")).toEqual([401, "UNAUTHORIZED"]);
  // While it must wait, even the correct token is rejected: no one learns which one is correct.
  expect(await attempt(TOKEN, "192.0.2.1")).toEqual([429, "RATE_LIMITED"]);
  const payload = JSON.stringify({ token: TOKEN });
  const posted = { method: "POST", url: "/session", headers: LOCAL, payload, remoteAddress: "192.0.2.1" } as const;
  for (const url of ["/session", "/upload"]) {
    const headers = { ...LOCAL, authorization: `Bearer ${TOKEN}` };
    const limited = await app.inject({ ...posted, headers, url });
    expect([limited.statusCode, limited.headers["retry-after"]], url).toEqual([429, "1"]);
  }
  // Existing sessions and clients at other addresses are served.
  expect(await status(cookie, app, { remoteAddress: "192.0.2.1" })).toBe(200);
  expect((await attempt(TOKEN, "192.0.2.2"))[0]).toBe(200);
  now += FIRST_WAIT_MS + 1;
  expect((await attempt("wrong", "192.0.2.1"))[0]).toBe(401);
  now += FIRST_WAIT_MS + 1;
  expect((await attempt("wrong", "192.0.2.1"))[0]).toBe(429);
  now += LONGEST_WAIT_MS;
  expect((await attempt(TOKEN, "192.0.2.1"))[0]).toBe(200);
  expect((await attempt("wrong", "192.0.2.1"))[0]).toBe(401);
  // Setting the clock back does not extend the wait.
  for (let at = 0; at < FREE_ATTEMPTS; at++) await attempt("wrong", "192.0.2.1");
  now -= 86_400_000;
  expect((await attempt(TOKEN, "192.0.2.1"))[0]).toBe(200);
});

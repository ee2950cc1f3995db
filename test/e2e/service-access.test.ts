import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { archivetool, scratchDirectory } from "./cli.ts";
import { LETTERS, rawMessage, writeMbox } from "./fixture-mail.ts";
import { type RunningService, startService } from "./running-service.ts";

const scratch = scratchDirectory("service-access");
const data = join(scratch, "data");

let service: RunningService | null = null;
afterEach(async () => service?.end("SIGKILL"));

const run = (...args: readonly string[]) => archivetool("service", "--data", data, ...args);

it("creates tokens, grants and revokes while the service runs", async () => {
  const mbox = join(scratch, "letters.mbox");
  writeMbox(mbox, LETTERS.map(rawMessage));
  const ids = [1, 2].map(() => run("add", mbox).stdout.slice(0, 19));
  const made = run("token", "mara");
  expect(made, made.stderr).toMatchObject({ exitCode: 0, stderr: "" });
  const token = made.stdout.trim();
  expect(token).toMatch(/^[\w-]{43}$/);
  service = await startService(data);
  const { url } = service;
  const ask = (path: string): Promise<Response> =>
    fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  expect((await fetch(`${url}/uploads`)).status).toBe(401);
  expect(await (await ask("/uploads")).json()).toEqual([]);
  expect(run("grant", "mara", ids[0]!)).toMatchObject({ exitCode: 0, stdout: `${ids[0]}  reader  mara\n` });
  while (((await (await ask("/uploads")).json()) as { status: string }[])[0]?.status !== "completed") await pause(50);
  expect((await ask(`/uploads/${ids[0]}/emails.csv`)).status).toBe(200);
  expect((await ask(`/uploads/${ids[1]}/emails.csv`)).status).toBe(404);
  expect(JSON.parse(run("tokens", "--json").stdout)).toMatchObject([
    { name: "mara", may_upload: false, grants: [{ upload_id: ids[0], role: "reader" }] },
  ]);
  expect(run("tokens").stdout).not.toContain(token);
  expect(run("ungrant", "mara", ids[0]!)).toMatchObject({ exitCode: 0, stdout: "" });
  expect((await ask(`/uploads/${ids[0]}/emails.csv`)).status).toBe(404);
  expect(run("revoke", "mara")).toMatchObject({ exitCode: 0, stdout: "" });
  expect((await ask("/uploads")).status).toBe(401);
  const audit = run("audit", "--since", "2026", "--json").stdout.trimEnd().split("\n");
  expect(audit.map((line) => JSON.parse(line).action)).toEqual([
    "token made",
    "granted",
    "downloaded",
    "ungranted",
    "token revoked",
  ]);
  expect(run("audit", "--name", "mara", "--upload", ids[0]!).stdout).toMatch(
    /^\S+Z {2}mara {2}downloaded {2}upload-\w+ {2}emails\.csv\n$/,
  );
  expect(run("audit", "--keep-days", "30")).toMatchObject({ exitCode: 0, stdout: "" });
  expect(run("audit").stdout).toContain("operator  retention set  30 days");
  expect(run("audit", "--since", "yesterday").stderr).toContain("--since must be an ISO 8601 date");
});

it("reports an error in one line", () => {
  expect(run("token", "operator").stderr).toContain("invalid token name operator");
  expect(run("token", "mara x").exitCode).toBe(1);
  expect(run("token", "mara").stderr).toContain("token name mara");
  expect(run("grant", "mara", "upload-none").stderr).toContain("Upload upload-none not found");
  expect(run("revoke", "nobody").stderr).toContain("Token nobody not found");
});

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PHASES } from "../../src/extraction/extraction-event.ts";
import { uploadDetailSchema } from "../../src/http/upload-service/base/wire.ts";
import { phaseEventSchema, uploadSchema } from "../../src/http/upload-service/base/wire-uploads.ts";
import { TOOL_VERSION } from "../../src/version.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { day, LETTERS, rawMessage, writeMbox } from "./fixture-mail.ts";

/** `archivetool service` as people run it: the built program, its log, curl-like requests, and signals. */

const CLI = resolve(import.meta.dirname, "../../dist/cli/main.js");
const TOKEN = "a-token-of-this-test-alone";
const PASSWORD = "a-password-of-this-test";

const scratch = scratchDirectory("upload-service");

interface StartedService {
  readonly url: string;
  readonly child: ChildProcess;
  /** Everything written to stderr so far. */
  log(): string;
  /** The exit code. */
  stop(): Promise<number | null>;
}

async function start(
  data: string,
  flags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<StartedService> {
  const child = spawn(process.execPath, [CLI, "service", "--data", join(scratch, data), "--port", "0", ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...environment },
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const url = await new Promise<string>((found, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const [place] = /http:\/\/\S+(?=,)/.exec(text) ?? [];
      if (place !== undefined) found(place);
    });
    child.once("exit", (code) => reject(new Error(`ended with ${code}: ${log}`)));
  });
  const ended = new Promise<number | null>((resolveExit) => child.once("exit", (code) => resolveExit(code)));
  return {
    url,
    child,
    log: () => log,
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

interface StreamEvent {
  readonly event: string;
  readonly id: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Events until the condition holds for those received. */
async function follow(
  service: StartedService,
  request: { readonly headers?: Record<string, string> },
  isEnough: (events: readonly StreamEvent[]) => boolean,
) {
  const abort = new AbortController();
  const response = await fetch(`${service.url}/agent-stream`, { ...request, signal: abort.signal });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const events: StreamEvent[] = [];
  let text = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const fields = Object.fromEntries(
        text
          .slice(0, end)
          .split("\n")
          .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
      );
      text = text.slice(end + 2);
      if (fields["data"] !== undefined) {
        events.push({ event: fields["event"] ?? "", id: Number(fields["id"]), data: JSON.parse(fields["data"]) });
      }
    }
    if (isEnough(events)) break;
  }
  abort.abort();
  return events;
}

const hasStatus = (status: string) => (events: readonly StreamEvent[]) =>
  events.some(({ data }) => data["status"] === status);

function mailboxForm(filename: string, fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", new Blob([readFileSync(join(scratch, "harbour.mbox"))]), filename);
  return form;
}

beforeAll(() => {
  const more = Array.from({ length: 300 }, (_, index) =>
    rawMessage({
      ...LETTERS[index % 2]!,
      id: `more-${index}@harbour.example`,
      subject: `Berth ${index}`,
      date: day(index % 28),
      body: `Berth ${index} is free. Call 415-555-0132.`,
    }),
  );
  writeMbox(join(scratch, "harbour.mbox"), [...LETTERS.map(rawMessage), ...more]);
});

describe("a service with a token", () => {
  let service: StartedService;
  beforeAll(async () => {
    service = await start("guarded", ["--verbose", "--host", "0.0.0.0"], { ARCHIVETOOL_TOKEN: TOKEN });
  });
  afterAll(async () => {
    expect(await service.stop()).toBe(0);
  });
  const headers = { authorization: `Bearer ${TOKEN}` };
  const get = async (path: string) => fetch(service.url + path, { headers });

  it("accepts an upload, reports its progress in order, and returns all of its outputs", async () => {
    const early = follow(service, { headers }, hasStatus("completed"));
    const answer = await fetch(`${service.url}/upload`, {
      method: "POST",
      headers,
      body: mailboxForm("Secret Name.mbox", { redact: "phone", password: PASSWORD, max_messages: "1000" }),
    });
    expect(answer.status).toBe(202);
    const accepted = uploadSchema.strict().parse(await answer.json());
    expect(accepted).toMatchObject({
      filename: "Secret Name.mbox",
      status: "queued",
      size_bytes: statSync(join(scratch, "harbour.mbox")).size,
    });
    expect(answer.headers.get("location")).toBe(`/uploads/${accepted.upload_id}`);

    const events = await early;
    const statuses = events
      .filter(({ event }) => event === "upload")
      .map(({ data }) => uploadSchema.strict().parse(data).status);
    expect(statuses).toEqual(["queued", "running", "completed"]);
    const phases = events
      .filter(({ event }) => event === "phase")
      .map(({ data }) => phaseEventSchema.strict().parse(data));
    expect(phases.filter(({ state }) => state === "started").map(({ phase }) => phase)).toEqual(PHASES);
    expect(phases.filter(({ state }) => state === "completed").map(({ phase }) => phase)).toEqual(PHASES);
    for (const phase of PHASES) {
      const states = phases.filter((candidate) => candidate.phase === phase).map(({ state }) => state);
      expect([states[0], states.at(-1), new Set(states.slice(1, -1)).size < 2]).toEqual(["started", "completed", true]);
    }
    expect(phases.find(({ phase, state }) => phase === "redaction" && state === "completed")).not.toHaveProperty(
      "skipped",
    );
    const ids = events.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));

    // A client that lost the connection after any event receives exactly the rest.
    for (const [cut, { id }] of events.slice(0, -1).entries()) {
      const rest = await follow(
        service,
        { headers: { ...headers, "last-event-id": String(id) } },
        hasStatus("completed"),
      );
      expect(rest).toEqual(events.slice(cut + 1));
    }

    const upload = uploadDetailSchema.parse(await (await get(`/uploads/${accepted.upload_id}`)).json());
    expect(upload).toMatchObject({
      status: "completed",
      counts: { messages: 303 },
      provenance: { sha256: accepted.sha256, tool_version: TOOL_VERSION },
    });
    expect(await (await get("/search?q=crane")).json()).toMatchObject([{ rank: 1 }, {}]);
    expect(await (await get("/contacts")).json()).toHaveLength(3);
    expect((await get(`/uploads/${accepted.upload_id}/query/stats`)).status).toBe(200);
    for (const file of [
      "extraction.json",
      "emails.csv",
      "contacts.csv",
      "threads.csv",
      "contacts.json",
      "provenance.json",
      "graph.html",
      "wiki/",
      "wiki.zip",
    ]) {
      const response = await get(`/uploads/${accepted.upload_id}/${file}`);
      expect(response.status, file).toBe(200);
      const text = await response.text();
      expect(text.length).toBeGreaterThan(100);
      expect(text, file).not.toContain("415-555-0132");
    }
    const graph = (await (await get("/graph")).json()) as {
      readonly nodes: readonly unknown[];
      readonly total_nodes: number;
    };
    expect([graph.nodes.length, graph.total_nodes]).toEqual([3, 3]);
  });

  it("protects uploaded data from other users, and keeps the original only as long as needed", () => {
    const root = join(scratch, "guarded");
    const files = readdirSync(root, { recursive: true, encoding: "utf8" });
    for (const file of ["", ...files]) expect(statSync(join(root, file)).mode & 0o077, file).toBe(0);
    expect(files.filter((file) => file.includes("Secret") || file.endsWith(".part") || file.endsWith(".tmp"))).toEqual(
      [],
    );
    expect(readFileSync(join(root, "catalogue.db"), "latin1")).not.toContain(PASSWORD);
  });

  it("logs no mail, names or secrets, for valid and invalid requests", async () => {
    await fetch(`${service.url}/uploads`, { headers: { authorization: "Bearer another-secret" } });
    await fetch(`${service.url}/upload?filename=Secret%20Name.exe&redact=all`, { method: "POST", headers, body: "MZ" });
    await fetch(`${service.url}/upload`, { method: "POST", headers, body: mailboxForm("Secret Name.pst") });
    await get("/search?q=a-secret-question");
    const log = service.log();
    expect(log).toContain('"path":"/upload","status":202');
    expect(log).toContain('"path":"/upload","status":400');
    for (const secret of [
      TOKEN,
      PASSWORD,
      "another-secret",
      "Secret",
      "a-secret-question",
      "Crane",
      "harbour.example",
      "mara",
    ]) {
      expect(log, secret).not.toContain(secret);
    }
  });

  it("requires the token", async () => {
    for (const path of ["/uploads", "/agent-stream", "/metrics"])
      expect((await fetch(service.url + path)).status).toBe(401);
    expect((await fetch(`${service.url}/upload`, { method: "POST", body: mailboxForm("a.mbox") })).status).toBe(401);
    expect(await (await fetch(`${service.url}/health`)).json()).toMatchObject({
      status: "ok",
      version: TOOL_VERSION,
      queue_length: 0,
      running: 0,
    });
  });

  it("removes an upload completely", async () => {
    const [upload] = (await (await get("/uploads")).json()) as { readonly upload_id: string }[];
    expect((await fetch(`${service.url}/uploads/${upload!.upload_id}`, { method: "DELETE", headers })).status).toBe(
      204,
    );
    expect(readdirSync(join(scratch, "guarded", "uploads"))).toEqual([]);
    expect(await (await get("/contacts")).json()).toEqual([]);
  });
});

describe("signals and second services", () => {
  it("ends its streams and exits with 0 on SIGTERM, and later continues the extraction", async () => {
    const service = await start("resumed");
    const stream = follow(service, {}, () => false);
    await fetch(`${service.url}/upload`, { method: "POST", body: mailboxForm("one.mbox") });
    await follow(service, {}, (events) => events.some(({ event }) => event === "phase"));
    expect(archivetool("service", "--data", join(scratch, "resumed"), "--port", "0")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /^archivetool: .*\nhint: stop the other service, or select another directory with --data\n$/,
      ),
    });
    expect(await service.stop()).toBe(0);
    const before = await stream;
    expect(before.some(({ event }) => event === "phase")).toBe(true);
    const again = await start("resumed");
    const events = await follow(
      again,
      { headers: { "last-event-id": String(before.at(-1)?.id) } },
      hasStatus("completed"),
    );
    expect(events.map(({ id }) => id).every((id) => id > before.at(-1)!.id)).toBe(true);
    expect(await again.stop()).toBe(0);
  });

  it("extracts paths added by command, without changing them", async () => {
    const service = await start("added");
    const source = join(scratch, "harbour.mbox");
    const { exitCode, stdout } = archivetool(
      "service",
      "add",
      source,
      "--data",
      join(scratch, "added"),
      "--max-messages",
      "5",
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`^upload-[a-z2-7]{12}  ${source}\n$`));
    const events = await follow(service, {}, hasStatus("completed"));
    expect(events.at(-1)?.data).toMatchObject({ filename: "harbour.mbox", status: "completed" });
    const [uploadId] = stdout.split(" ");
    expect(await (await fetch(`${service.url}/uploads/${uploadId}`)).json()).toMatchObject({ counts: { messages: 5 } });
    expect((await fetch(`${service.url}/uploads/${uploadId}`, { method: "DELETE" })).status).toBe(204);
    expect(existsSync(source)).toBe(true);
    await service.stop();
  });
});

it("listens on every address without a token if --public is set", async () => {
  const service = await start("public", ["--host", "0.0.0.0", "--public", "--rate-limit", "3"]);
  const statuses: number[] = [];
  for (let round = 0; round < 5; round++) statuses.push((await fetch(`${service.url}/uploads`)).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  expect(await service.stop()).toBe(0);
});

describe("a wrong command line", () => {
  mkdirSync(join(scratch, "foreign"), { recursive: true });
  writeMbox(join(scratch, "foreign", "mail.mbox"), []);
  it.each([
    [
      "an open address without a token",
      ["--host", "0.0.0.0"],
      "--host 0.0.0.0 is reachable from other machines and requires a token",
    ],
    [
      "a name that may be open",
      ["--host", "mail.example"],
      "--host mail.example is reachable from other machines and requires a token",
    ],
    [
      "a token no header carries",
      ["--token", "two words"],
      "the token must consist of visible ASCII characters without spaces",
    ],
    ["an empty token", ["--token", ""], "the token must consist of visible ASCII characters without spaces"],
    ["no job", ["--jobs", "0"], '--jobs must be a positive integer, not "0"'],
    ["a bad size", ["--max-upload-bytes", "1G"], '--max-upload-bytes must be a positive integer, not "1G"'],
    ["a bad rate", ["--rate-limit", "-1"], '--rate-limit must be a positive integer, not "-1"'],
    [
      "an origin with a path",
      ["--allow-origin", "https://a.example/x"],
      '--allow-origin must be origins such as https://mail.example or *, not "https://a.example/x"',
    ],
    ["a bad port", ["--port", "x"], '--port must be a number from 0 to 65535, not "x"'],
    [
      "a directory of other files",
      ["--data", join(scratch, "foreign")],
      `${join(scratch, "foreign")} is not empty and is not an archivetool data directory`,
    ],
  ])("is answered with one line and a hint: %s", (_, flags, message) => {
    const { exitCode, stdout, stderr } = archivetool(
      "service",
      "--data",
      join(scratch, "never"),
      "--port",
      "0",
      ...flags,
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr.split("\n")[0]).toBe(`archivetool: ${message}`);
    expect(stderr).toMatch(/^[^\n]*\nhint: [^\n]*\n$/);
    expect(existsSync(join(scratch, "never"))).toBe(false);
  });
});

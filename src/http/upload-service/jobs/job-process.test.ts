import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { isAlive, type ProcessIdentity } from "../../../files/process-identity.ts";
import type { JobRequest } from "../base/job-messages.ts";
import type { JobPhase } from "../base/wire-uploads.ts";
import { createJobStarter, type JobEnd, type RunningJob } from "./job-process.ts";

const directory = mkdtempSync(join(tmpdir(), "archivetool-process-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const REQUEST: JobRequest = {
  sourceDirectory: "/nowhere",
  filename: "mail.mbox",
  attemptDirectory: "/nowhere",
  archiveDirectory: null,
  options: { redact: [], password: "a secret of the test", maxMessages: null, discardsOriginals: true },
  expectedSha256: null,
  threads: 1,
};

interface Started {
  readonly job: RunningJob;
  readonly phases: JobPhase[];
}

/** Starts a job whose process runs this text instead of an extraction. */
function start(name: string, script: string): Started {
  const path = join(directory, `${name}.mjs`);
  writeFileSync(path, script);
  const phases: JobPhase[] = [];
  const job = createJobStarter(process.env, pathToFileURL(path))(REQUEST, (phase) => phases.push(phase));
  return { job, phases };
}

async function run(name: string, script: string): Promise<JobEnd> {
  const { job } = start(name, script);
  job.begin();
  return job.ended;
}

describe("the process of a job", () => {
  it("receives its request when it may begin, reports its phases, and is stopped after its last message", async () => {
    const { job, phases } = start(
      "good",
      `process.once("message", ({ filename, options }) => {
        process.send({ kind: "phase", phase: "parsing", state: "started", done: filename.length, total: null, isSkipped: false });
        process.send({ kind: "ended", fault: { code: "SOURCE_EMPTY", message: options.password, trace: [] } });
        setInterval(() => {}, 1000);
      });`,
    );
    job.begin();
    const end = await job.ended;
    expect(phases).toEqual([
      { kind: "phase", phase: "parsing", state: "started", done: 9, total: null, isSkipped: false },
    ]);
    expect(end.fault).toEqual({ code: "SOURCE_EMPTY", message: "a secret of the test", trace: [] });
  });

  it("hides its options: they are in neither arguments nor environment", async () => {
    const end = await run(
      "silent",
      `process.once("message", () => {
        const seen = JSON.stringify([process.argv, process.execArgv, process.env]).includes("a secret of the test");
        process.exit(seen ? 1 : 7);
      });`,
    );
    expect(end.exitCode).toBe(7);
  });

  it("distinguishes exit codes from signals", async () => {
    expect(await run("exits", "process.exit(3)")).toMatchObject({ exitCode: 3, signalName: null, fault: null });
    expect(await run("killed", 'process.kill(process.pid, "SIGKILL")')).toMatchObject({
      exitCode: null,
      signalName: "SIGKILL",
      fault: null,
    });
  });

  it("reports a full heap last, and limits its output", async () => {
    const full = await run(
      "full",
      `import { spawnSync } from "node:child_process";
      const grow = "const kept = []; for (;;) kept.push(new Array(1000).fill(0));";
      spawnSync(process.execPath, ["--max-old-space-size=16", "-e", grow], { stdio: ["ignore", "ignore", "inherit"] });
      process.abort();`,
    );
    expect(full.lastWords).toMatch(/heap out of memory/);
    const chatty = await run("chatty", 'process.stderr.write("x".repeat(100_000), () => process.exit(1))');
    expect(chatty.lastWords.length).toBe(8192);
  });

  it("ends at once when it is killed", async () => {
    const { job } = start(
      "busy",
      'process.send({ kind: "phase", phase: "parsing", state: "started", done: 0, total: null, isSkipped: false }); for (;;);',
    );
    job.begin();
    job.kill();
    expect((await job.ended).signalName).toBe("SIGKILL");
    expect(job.identity !== null && isAlive(job.identity)).toBe(false);
  });
});

/** True when a process handles SIGHUP, the last of the signals a job sets aside. @see proc_pid_status(5) */
function handlesHangup(processId: number): boolean {
  const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${processId}/status`, "latin1"))?.[1] ?? "0";
  return (BigInt(`0x${caught}`) & 1n) === 1n;
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe.skipIf(process.platform !== "linux")("the process of a real job", () => {
  it("leaves SIGTERM to its service, and ends after it", async () => {
    const script = join(directory, "service.mjs");
    const entry = new URL("./job-process.ts", import.meta.url).href;
    writeFileSync(
      script,
      `import { createJobStarter } from ${JSON.stringify(entry)};
      process.send(createJobStarter(process.env)(${JSON.stringify(REQUEST)}, () => undefined).identity);`,
    );
    const service = fork(script, [], { execArgv: ["--import", import.meta.resolve("tsx")], stdio: "ignore" });
    const [identity] = (await once(service, "message")) as [ProcessIdentity];
    while (!handlesHangup(identity.processId)) await pause();
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.kill(identity.processId, signal);
    for (let round = 0; round < 10; round++) await pause();
    expect(isAlive(identity)).toBe(true);
    service.kill("SIGKILL");
    while (isAlive(identity)) await pause();
  });
});

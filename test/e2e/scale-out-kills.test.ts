import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import type { UploadWire } from "../../src/http/upload-service/base/wire-uploads.ts";
import { connect } from "../../src/store/postgres/client/postgres-client.ts";
import { HAS_POSTGRES, testServer } from "../stores.ts";
import { scratchDirectory } from "./cli.ts";
import { mboxOf } from "./fixture-mail.ts";
import { freePort, HAS_NGINX, startNginx } from "./nginx-proxy.ts";
import { processesIn, type RunningService, startService } from "./running-service.ts";
import { siteOf } from "./scaling-out-page.ts";
import { ResumedUpload, sendSlowly } from "./upload-clients.ts";

/** Number of kills, in turn for each service; higher values find rarer faults. */
const KILLS = Number(process.env["ARCHIVETOOL_KILLS"] ?? 2);
/** Seconds after which the extraction of a killed service is taken over. */
const LEASE_SECONDS = 2;
/** Enough messages to interrupt their extraction. */
const MANY = 300;
/** Seconds for which nginx avoids a failed server: shorter than in the guide, to save time. */
const FAIL_TIMEOUT_SECONDS = 1;
/** Time after which nginx uses a recovered server: it counts whole seconds, and then tries one request. */
const TRUSTED_AGAIN_MS = (FAIL_TIMEOUT_SECONDS + 2) * 1000;
/** Maximum uploads that wait or run before no more are sent. */
const MOST_OPEN = 2;
const OFTEN = { interval: 20 } as const;

const scratch = scratchDirectory("scale-out-kills");
const data = join(scratch, "data");
const services: RunningService[] = [];
afterAll(async () => {
  for (const service of services) await service.end("SIGKILL");
  expect(processesIn(data)).toEqual([]);
});

describe.skipIf(!HAS_POSTGRES || !HAS_NGINX)("two services (PostgreSQL and nginx must be installed)", () => {
  it("lose no acknowledged upload, and answer all searches, while they are killed in turn", async () => {
    const client = await connect(testServer().url, "test");
    await client.run("CREATE DATABASE killed");
    await client.close();
    const store = testServer().url.replace("/postgres?", "/killed?");
    const ports = [await freePort(), await freePort()];
    const start = (at: number): Promise<RunningService> =>
      startService(
        ...([data, "--store", store, "--lease", String(LEASE_SECONDS), "--threads", "1"] as const),
        ...["--port", String(ports[at])],
      );
    services.push(await start(0), await start(1));
    const site = siteOf("upstream archivetool {", services);
    const proxy = await startNginx(scratch, (port) =>
      site(port).replaceAll("fail_timeout=5s", `fail_timeout=${FAIL_TIMEOUT_SECONDS}s`),
    );
    const { url } = proxy;
    /** Messages of each acknowledged upload. */
    const acknowledged = new Map<string, number>();
    const send = async (name: string, messages: number): Promise<string | null> => {
      const bytes = Buffer.from(mboxOf(messages, name));
      const answer = await sendSlowly(url, { name, bytes, pieces: 6, pauseMs: 30 });
      if (answer?.status !== 202) return null;
      const { upload_id } = JSON.parse(answer.body) as UploadWire;
      acknowledged.set(upload_id, messages);
      return upload_id;
    };
    const uploads = async (): Promise<readonly UploadWire[]> =>
      (await (await fetch(`${url}/uploads?limit=500`)).json()) as UploadWire[];
    const open = async (): Promise<readonly UploadWire[]> =>
      (await uploads()).filter(({ status }) => status === "queued" || status === "running");

    const searched = await send("searched", 30);
    await expect.poll(async () => (await open()).length, OFTEN).toBe(0);
    const search = async (): Promise<readonly [number, string]> => {
      const answer = await fetch(`${url}/search?upload_id=${searched}&q=mooring&limit=30`);
      return [answer.status, await answer.text()];
    };
    /** Repeats a search whose response was cut off, as the guide requires. A truncated response must be detectable. */
    const searchAgain = async (): Promise<readonly [number, string]> => search().catch(search);
    const found = await search();
    expect(found[0]).toBe(200);

    let isOver = false;
    let searches = 0;
    let sent = 0;
    const whileKilled = async (work: () => Promise<void>): Promise<void> => {
      while (!isOver) await work();
    };
    const resumed = new ResumedUpload("resumed", MANY);
    const clients = [
      whileKilled(async () => {
        expect(await searchAgain()).toEqual(found);
        searches++;
        await pause(20);
      }),
      whileKilled(async () => {
        if ((await open()).length < MOST_OPEN) await send(`sent-${sent++}`, MANY);
        else await pause(20);
      }),
      whileKilled(async () => {
        if (!resumed.isDone) await resumed.goOn(url);
        await pause(100);
      }),
    ];
    const caught = new Set<string>();
    const isCaught = ({ upload_id, status }: UploadWire): boolean => status === "running" && !caught.has(upload_id);
    for (let kill = 0; kill < KILLS; kill++) {
      // An upload that is interrupted again and again fails.
      await expect.poll(async () => (await open()).some(({ upload_id }) => caught.has(upload_id)), OFTEN).toBe(false);
      await expect.poll(async () => (await open()).some(isCaught), OFTEN).toBe(true);
      for (const { upload_id } of await open()) caught.add(upload_id);
      const at = kill % services.length;
      await services[at]!.end("SIGKILL");
      await pause(300);
      services[at] = await start(at);
      await pause(TRUSTED_AGAIN_MS);
    }
    await expect.poll(() => searches).toBeGreaterThan(KILLS * 10);
    isOver = true;
    await Promise.all(clients);
    while (!resumed.isDone) await resumed.goOn(url);
    acknowledged.set(resumed.uploadId!, MANY);
    await expect.poll(async () => (await open()).length, OFTEN).toBe(0);
    const ended = new Map((await uploads()).map((upload) => [upload.upload_id, upload]));
    for (const [uploadId, messages] of acknowledged) {
      expect([uploadId, ended.get(uploadId)]).toMatchObject([uploadId, { status: "completed", error: null }]);
      const { counts } = (await (await fetch(`${url}/uploads/${uploadId}`)).json()) as {
        readonly counts: { readonly messages: number };
      };
      expect([uploadId, counts.messages]).toEqual([uploadId, messages]);
    }
    expect(await search()).toEqual(found);
    // Checks that the test tested something.
    expect(caught.size).toBeGreaterThanOrEqual(KILLS);
    await proxy.end();
  });
});

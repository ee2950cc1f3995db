import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { scratchDirectory } from "./cli.ts";
import { LETTERS, rawMessage } from "./fixture-mail.ts";
import { type RunningService, startService } from "./running-service.ts";

/** All that a service stores about a deleted upload: that it existed. */

const scratch = scratchDirectory("deleted-upload");
const data = join(scratch, "data");
const NAME = "canary-heronsgate.mbox";
const NOTE = "canary note about the lock keeper";
const MAIL = `${LETTERS.map((letter) => `From a@b.example Mon May 14 09:00:00 2001\n${rawMessage(letter)}\n`).join("")}From a@b.example Mon May 14 09:00:00 2001\nFrom: keeper@lock.example\nSubject: canary subject heronsgate\n\ncanary body towpath\n`;
const SHA256 = createHash("sha256").update(MAIL).digest();
/** Everything that must be gone. */
const CANARIES: readonly Buffer[] = [
  ...[NAME, "canary-heronsgate", NOTE, "canary subject", "canary body", "keeper@lock.example"],
  ...[SHA256.toString("hex"), `"size_bytes":${MAIL.length}`],
].map((text) => Buffer.from(text));

let service: RunningService;
beforeAll(async () => {
  service = await startService(data);
});
afterAll(async () => service.end("SIGTERM"));

/** Files of the data directory that contain a canary. */
function found(): readonly string[] {
  return readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const bytes = readFileSync(path);
      const canaries = [...CANARIES, SHA256].filter((canary) => bytes.includes(canary));
      return [
        ...canaries.map((canary) => `${path}: ${canary.toString("latin1")}`),
        ...(path.includes("canary") ? [path] : []),
      ];
    });
}

async function send(path: string, request: RequestInit): Promise<Response> {
  const answer = await fetch(`${service.url}${path}`, request);
  expect(answer.status, path).toBeLessThan(300);
  return answer;
}

/** The stream until it contains a text. */
async function eventsUntil(last: string, headers: Record<string, string> = {}): Promise<string> {
  let received = "";
  const { body } = await send("/agent-stream", { headers });
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    received += chunk;
    if (received.includes(last)) break;
  }
  return received;
}

it("leaves no name, size, hash, mail or note in any file or response", async () => {
  const uploaded = await send(`/upload?filename=${NAME}`, { method: "POST", body: MAIL });
  const { upload_id: id } = (await uploaded.json()) as { readonly upload_id: string };
  const status = async (): Promise<string> =>
    ((await (await send(`/uploads/${id}`, {})).json()) as { readonly status: string }).status;
  for (;;) {
    const now = await status();
    if (now === "completed") break;
    expect(["queued", "running"]).toContain(now);
    await new Promise((settle) => setTimeout(settle, 100));
  }
  for (const path of ["emails.csv", "wiki.zip", "query/messages", "explore/overview", "messages/msg-000001/original"])
    await (await send(`/uploads/${id}/${path}`, {})).arrayBuffer();
  await send(`/uploads/${id}/explore/notebook/entries`, {
    method: "POST",
    headers: { origin: service.url, "content-type": "application/json" },
    body: JSON.stringify({
      ...{ kind: "message", id: "msg-000001", revision: 0 },
      value: { tags: ["canary"], note: NOTE, review: "open" },
    }),
  });
  expect(found().length).toBeGreaterThan(3);
  expect(await eventsUntil(NAME)).toContain(NAME);

  await send(`/uploads/${id}`, { method: "DELETE" });

  expect(found()).toEqual([]);
  const last = `{"upload_id":"${id}","status":"cancelled"}`;
  const resumed = await eventsUntil(last, { "last-event-id": "0" });
  expect(resumed).toContain(last);
  const opened = [await send("/agent-stream", {}), await send(`/agent-stream?upload_id=${id}`, {})];
  // Ends the streams.
  await service.end("SIGTERM");
  for (const received of [resumed, ...(await Promise.all(opened.map((stream) => stream.text())))])
    for (const canary of CANARIES) expect(received).not.toContain(canary.toString());
});

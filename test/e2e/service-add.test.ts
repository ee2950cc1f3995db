import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { UploadWire } from "../../src/http/upload-service/base/wire-uploads.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { LETTERS, rawMessage, writeMaildir, writeMbox } from "./fixture-mail.ts";
import { type RunningService, startService } from "./running-service.ts";

const scratch = scratchDirectory("service-add");
const data = join(scratch, "data");
const letters = LETTERS.map(rawMessage);
const mbox = join(scratch, "letters.mbox");
const maildir = join(scratch, "Maildir");
const changing = join(scratch, "changing.mbox");

let service: RunningService | null = null;
afterEach(async () => service?.end("SIGKILL"));

async function finished(url: string, uploadId: string): Promise<UploadWire> {
  for (;;) {
    const upload = (await (await fetch(`${url}/uploads/${uploadId}`)).json()) as UploadWire;
    if (upload.status !== "queued" && upload.status !== "running") return upload;
    await pause(50);
  }
}

describe("archivetool service add", () => {
  it("queues paths for the next and for a running service, and does not change them", async () => {
    writeMbox(mbox, letters);
    writeMbox(changing, letters);
    writeMaildir(maildir, letters);
    const words = join(scratch, "words.txt");
    writeFileSync(words, "# names of projects\nCrane repair\n");
    const redaction = ["--redact", "email", "--redact-words", words];
    const before = archivetool("service", "add", mbox, changing, ...redaction, "--data", data);
    expect(before, before.stderr).toMatchObject({ exitCode: 0, stderr: "" });
    const [first, second] = before.stdout.trimEnd().split("\n");
    expect(first).toMatch(/^upload-[a-z2-7]{12} {2}.+letters\.mbox$/);
    expect(statSync(data).mode & 0o077).toBe(0);
    appendFileSync(changing, `From a@b.example Wed Jan  1 12:00:00 2003\n${letters[0]}\n`);

    service = await startService(data);
    const whole = await finished(service.url, first!.slice(0, 19));
    expect(whole).toMatchObject({ status: "completed", filename: "letters.mbox", counts: { messages: 3 } });
    const document = join(data, "uploads", whole.upload_id, "archive", "extraction.json");
    expect(readFileSync(document, "utf8")).toContain('"Re: [REDACTED:word] offer"');
    const changed = await finished(service.url, second!.slice(0, 19));
    expect(changed).toMatchObject({ status: "failed", error: { code: "SOURCE_CHANGED" } });
    expect(changed.error?.message).not.toContain(scratch);

    const running = archivetool("service", "--data", data, "add", maildir, "--max-messages", "2");
    expect(running, running.stderr).toMatchObject({ exitCode: 0, stderr: "" });
    const directory = await finished(service.url, running.stdout.slice(0, 19));
    expect(directory).toMatchObject({ status: "completed", filename: "Maildir", counts: { messages: 2 } });
    for (const { upload_id } of [whole, changed, directory])
      await fetch(`${service.url}/uploads/${upload_id}`, { method: "DELETE" });
    expect(readdirSync(join(data, "uploads"))).toEqual([]);
    expect([mbox, changing, maildir].every(existsSync)).toBe(true);
  });

  it("queues no upload if a path is invalid, and reports which", () => {
    const { exitCode, stderr } = archivetool(
      "service",
      "add",
      mbox,
      join(scratch, "nowhere.mbox"),
      "--data",
      join(scratch, "other"),
    );
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/nowhere\.mbox/);
    expect(existsSync(join(scratch, "other"))).toBe(false);
  });
});

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createJobStarter } from "../../src/http/upload-service/jobs/job-process.ts";
import { openService, type Service } from "../../src/http/upload-service/service/service.ts";
import { createUploadService } from "../../src/http/upload-service/upload-service.ts";
import { unpackArchive } from "../../src/unpacking/unpack-archive.ts";
import { UNPACK_LIMITS } from "../../src/unpacking/unpack-limits.ts";
import { sampleOlm } from "../olm-writer.ts";
import { realData } from "../real-data.ts";
import { buildTar } from "../tar-file.ts";
import { buildZip, type ZipPart } from "../zip-file.ts";
import { archivetool } from "./cli.ts";

/**
 * Packed mail as people have it, through the whole service: uploaded, unpacked and extracted by a job in a separate
 * process, and read.
 */

/** Milliseconds that an extraction may take on a busy machine. */
const PATIENCE_MS = 240_000;
const SETTING = {
  host: "127.0.0.1",
  token: null,
  allowedHosts: [],
  allowedOrigins: [],
  environment: "test",
  rateLimit: null,
} as const;

let root: string;
let service: Service;
let app: FastifyInstance;
let url: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "archivetool-uploaded-"));
  service = await openService({
    dataDirectory: join(root, "data"),
    store: null,
    limits: { maxUploadBytes: 2 ** 30, diskMarginBytes: 0, discardsOriginals: false },
    jobs: 2,
    threads: 1,
    startJob: createJobStarter(process.env),
    log: { info: () => undefined, error: () => undefined },
    now: () => Date.now(),
  });
  app = await createUploadService(service, SETTING, null);
  url = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await app.close();
  await service.close();
  rmSync(root, { recursive: true, force: true });
});

const mail = (number: number): string =>
  `From: Ada <ada@site.example>\nTo: Ben <ben@site.example>\nDate: Mon, ${(number % 28) + 1} May 2001 10:00:00 +0000\nMessage-ID: <${number}@site.example>\nSubject: Plan ${number}\n\nThe plan number ${number} is ready.\n`;
const mbox = (...numbers: readonly number[]): string =>
  numbers.map((number) => `From ada@site.example Mon May 14 16:39:00 2001\n${mail(number)}\n`).join("");

const MAILDIR: readonly ZipPart[] = [
  { name: "Maildir/" },
  { name: "Maildir/cur/1.a.host:2,S", content: mail(1) },
  { name: "Maildir/cur/2.a.host:2,RS", content: mail(2) },
  { name: "Maildir/new/3.a.host", content: mail(3) },
  { name: "Maildir/tmp/4.a.host", content: mail(4) },
  { name: "Maildir/.Sent/cur/5.a.host:2,S", content: mail(5) },
  { name: "Maildir/dovecot-uidlist", content: "3 V1 N5\n" },
];

const EML_TREE: readonly ZipPart[] = [
  { name: "Export/Inbox/a.eml", content: mail(1) },
  { name: "Export/Inbox/b.eml", content: mail(2) },
  { name: "Export/Grüße/c.eml", content: mail(3) },
  { name: "Export/readme.txt", content: "This is no mail.\n" },
  { name: "Export/old.zip", content: "PK\x03\x04 an archive in an archive" },
  { name: "__MACOSX/Export/._a.eml", content: "\0\x05\x16\x07" },
];

const TAKEOUT: readonly ZipPart[] = [
  { name: "Takeout/archive_browser.html", content: "<!doctype html>" },
  { name: "Takeout/Mail/All mail Including Spam and Trash.mbox", content: mbox(1, 2, 3, 4) },
  { name: "Takeout/Mail/User Settings/Filters.json", content: "{}" },
];

const ENRON = [1, 2, 3, 4, 5, 6].map((number) => ({
  name: `maildir/custodian-${number % 2}/inbox/${number}.`,
  content: mail(number),
}));

const CALENDAR = `BEGIN:VCALENDAR\r\n${[1, 2]
  .map((day) => `BEGIN:VEVENT\r\nUID:${day}\r\nDTSTART:2021050${day}T090000Z\r\nSUMMARY:Launch\r\nEND:VEVENT\r\n`)
  .join("")}END:VCALENDAR\r\n`;
const CARDS = ["Ann", "Ben"].map((name) => `BEGIN:VCARD\nFN:${name}\nEMAIL:${name}@mill.example\nEND:VCARD\n`).join("");

interface Detail {
  readonly status: string;
  readonly error: { readonly code: string } | null;
  readonly counts: { readonly messages: number } | null;
  readonly provenance: {
    readonly warnings: readonly { readonly code: string; readonly location: string | null }[];
  } | null;
}

/** Extracted data, without its times and locations. */
function documentIn(directory: string, packed = ""): object {
  const text = readFileSync(join(directory, "extraction.json"), "utf8").replaceAll(`${root}/`, "");
  const placed = packed === "" ? text : text.replaceAll(packed, "");
  return JSON.parse(placed.replace(/("(?:extracted|created)_at":)"[^"]*"/g, '$1""')) as object;
}

/** Uploads a file and waits for the result. */
async function extracted(
  filename: string,
  body: Buffer,
  options = "",
): Promise<Detail & { readonly uploadId: string }> {
  const answer = await fetch(`${url}/upload?filename=${encodeURIComponent(filename)}${options}`, {
    method: "POST",
    body,
  });
  expect(answer.status).toBe(202);
  const uploadId = ((await answer.json()) as { upload_id: string }).upload_id;
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await pause(100)) {
    const detail = (await (await fetch(`${url}/uploads/${uploadId}`)).json()) as Detail;
    if (detail.status !== "queued" && detail.status !== "running") return { ...detail, uploadId };
  }
  throw new Error(`${filename} was not extracted in time`);
}

describe("packed mail", () => {
  it.each([
    ["a Maildir in a zip", "mail.zip", buildZip(MAILDIR), 4, ["maildir-undelivered"]],
    ["an MBOX in a zip", "box.zip", buildZip([{ name: "box.mbox", content: mbox(1, 2, 3) }]), 3, []],
    ["EML files in a zip", "export.zip", buildZip(EML_TREE), 3, ["not-a-message", "packed-in-directory"]],
    ["Google Takeout", "takeout-20260102T000000Z-001.zip", buildZip(TAKEOUT), 4, ["not-a-message", "not-a-message"]],
    ["a tree of bare messages in a tar.gz", "enron.tar.gz", gzipSync(buildTar(ENRON)), 6, []],
    [
      "mailboxes and messages together in a tar",
      "all.tar",
      buildTar([...ENRON, { name: "old/box.mbox", content: mbox(7, 8) }]),
      8,
      [],
    ],
  ])("is found, every message of it: %s", async (_, filename, body, messages, warnings) => {
    const detail = await extracted(filename, body);
    expect(detail).toMatchObject({ status: "completed", error: null, counts: { messages } });
    expect(detail.provenance?.warnings.map(({ code }) => code).sort()).toEqual(warnings);
    const parts = (): string[] => readdirSync(service.directory.uploadDirectory(detail.uploadId)).sort();
    await expect.poll(parts).toEqual(["archive", "cache", "source"]);
    const provenance = readFileSync(
      join(service.directory.archiveDirectory(detail.uploadId), "provenance.json"),
      "utf8",
    );
    expect(provenance).not.toContain(root);
  });

  it.each([
    ["zip", "same.zip", buildZip([...TAKEOUT, ...MAILDIR])],
    ["gz", "same.mbox.gz", gzipSync(mbox(1, 2, 3))],
    ["tar.gz", "same.tgz", gzipSync(buildTar(ENRON))],
    ["ics", "same.ics", Buffer.from(CALENDAR)],
    ["olm", "same.olm", sampleOlm()],
    [
      "events and contacts in a zip",
      "lone.zip",
      buildZip([
        { name: "Takeout/Calendar/Ann.ics", content: CALENDAR },
        { name: "Takeout/Contacts/All Contacts.vcf", content: CARDS },
      ]),
    ],
  ])("becomes the archive that extract creates: %s", async (_, filename, body) => {
    const { uploadId } = await extracted(filename, body);
    const path = join(root, filename);
    writeFileSync(path, body);
    const output = join(root, `${filename}-extracted`);
    // As the service does by default.
    const run = archivetool("-q", "extract", path, "-o", output, "--json", "--csv", "--attachment-text");
    expect(run.exitCode, run.stderr).toBe(0);
    expect(documentIn(service.directory.archiveDirectory(uploadId))).toEqual(documentIn(output));
  });

  it("becomes the archive that extract creates: a directory, sent as a tar", async () => {
    const files = [...TAKEOUT, ...MAILDIR, { name: "old/box.mbox", content: mbox(7, 8) }].map((part) => ({
      ...part,
      name: `Profile/${part.name}`,
    }));
    const { uploadId } = await extracted("Profile.tar", buildTar(files));
    const directory = join(root, "Profile");
    for (const { name, content } of files) {
      const path = join(root, name);
      mkdirSync(name.endsWith("/") ? path : dirname(path), { recursive: true });
      if (content !== undefined) writeFileSync(path, content);
    }
    const output = join(root, "Profile-extracted");
    const run = archivetool("-q", "extract", directory, "-o", output, "--json", "--csv", "--attachment-text");
    expect(run.exitCode, run.stderr).toBe(0);
    const uploaded = documentIn(service.directory.archiveDirectory(uploadId), "Profile.tar/");
    expect(uploaded).toEqual(documentIn(output));
  });

  it.each([
    ["a bomb", "bomb.mbox.gz", () => gzipSync(Buffer.alloc(600 << 20))],
    ["a way out", "climbs.zip", () => buildZip([{ name: "../../evil.mbox", content: mbox(1) }])],
    ["a way out of a tar", "climbs.tar", () => buildTar([{ name: "../../evil.mbox", content: mbox(1) }])],
  ])("is rejected as by extract, and leaves no files: %s", async (_, filename, body) => {
    const packed = body();
    const before = readdirSync(service.directory.uploads);
    const answer = await fetch(`${url}/upload?filename=${filename}`, { method: "POST", body: packed });
    const { error } = (await answer.json()) as { readonly error: { readonly message: string } };
    const path = join(root, filename);
    writeFileSync(path, packed);
    const { exitCode, stderr } = archivetool("-q", "extract", path, "-o", join(root, `${filename}-refused`));
    expect([answer.status, exitCode]).toEqual([400, 1]);
    const reason = /rejected: .*/.exec(error.message)?.[0];
    expect(stderr).toContain(reason ?? "no reason");
    expect(readdirSync(service.directory.uploads)).toEqual(before);
    const written = readdirSync(root, { recursive: true, encoding: "utf8" });
    expect(written.filter((name) => name.includes("evil"))).toEqual([]);
  });

  it("is exported as the command line exports it", async () => {
    const { uploadId } = await extracted("plans.zip", buildZip([{ name: "box.mbox", content: mbox(1, 2, 3) }]));
    const fetched = async (query: string, init: RequestInit = {}): Promise<string> => {
      const answer = await fetch(`${url}/uploads/${uploadId}/export${query}`, init);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/zip"]);
      const directory = mkdtempSync(join(root, "export-"));
      writeFileSync(join(directory, "export.zip"), Buffer.from(await answer.arrayBuffer()));
      await unpackArchive(
        join(directory, "export.zip"),
        join(directory, "out"),
        UNPACK_LIMITS,
        AbortSignal.timeout(60_000),
      );
      return join(directory, "out");
    };
    const all = await fetched("?format=mbox");
    expect(readdirSync(all).sort()).toEqual(["export.mbox", "export.mbox.MANIFEST.csv"]);
    const byCommand = join(root, "plans.mbox");
    const archive = service.directory.archiveDirectory(uploadId);
    const sources = service.directory.sourceDirectory(uploadId);
    const run = archivetool("export", archive, "--format", "mbox", "-o", byCommand, "--sources", sources);
    expect(run.stdout, run.stderr).toContain("3 original, 0 composed");
    expect(readFileSync(join(all, "export.mbox"))).toEqual(readFileSync(byCommand));
    const body = JSON.stringify({ format: "eml", q: 'subject:"Plan 2"' });
    const chosen = await fetched("", { method: "POST", body, headers: { "content-type": "application/json" } });
    const messages = readdirSync(chosen, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".eml"));
    expect(messages).toHaveLength(1);
    expect(readFileSync(join(chosen, messages[0]!), "utf8")).toBe(mail(2));
    const refused = async (query: string): Promise<unknown> => {
      const answer = await fetch(`${url}/uploads/${uploadId}/export${query}`);
      const { error } = (await answer.json()) as {
        readonly error: { readonly code: string; readonly message: string };
      };
      expect(error.message).not.toContain(root);
      return [answer.status, error.code];
    };
    expect(await refused("")).toEqual([400, "INVALID_QUERY"]);
    expect(await refused("?format=pst")).toEqual([400, "INVALID_QUERY"]);
    expect(await refused("?format=vcf&q=plan")).toEqual([400, "INVALID_QUERY"]);
    expect(await refused("?format=eml&thread_id=thread-9")).toEqual([404, "NOT_FOUND"]);
    // Nothing of it remains.
    const left = (): string[] => readdirSync(service.directory.incoming).filter((name) => name.startsWith("export-"));
    await expect.poll(left).toEqual([]);
  });

  it("returns its originals and their attachments, unless it was redacted or they were discarded", async () => {
    const photo = "\x89PNG photo of the quay";
    const letter = mail(1).replace(
      "\n\n",
      `\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nThe plan.\n--b\nContent-Type: text/html; name="plan \u00e9.html"\nContent-Disposition: attachment; filename="plan.html"\nContent-Transfer-Encoding: base64\n\n${Buffer.from(photo).toString("base64")}\n--b--\n\n`,
    );
    const body = buildZip([{ name: "Mail/a.eml", content: letter }]);
    const kept = await extracted("letters.zip", body);
    const at = (uploadId: string, path: string): Promise<Response> =>
      fetch(`${url}/uploads/${uploadId}/messages/${path}`);
    const original = await at(kept.uploadId, "msg-000001/original");
    expect([original.status, original.headers.get("content-type")]).toEqual([200, "message/rfc822"]);
    expect(original.headers.get("content-disposition")).toContain("msg-000001.eml");
    expect(original.headers.get("x-archivetool-original")).toBe("exact");
    expect(await original.text()).toBe(letter);
    const attachment = await at(kept.uploadId, "msg-000001/attachments/1");
    expect(attachment.headers.get("content-type")).toBe("application/octet-stream");
    expect(attachment.headers.get("content-security-policy")).toContain("sandbox");
    expect(attachment.headers.get("content-disposition")).toContain("plan.html");
    expect(Buffer.from(await attachment.arrayBuffer()).toString()).toBe(photo);
    const response = await fetch(`${url}/uploads/${kept.uploadId}/explore/provenance`);
    expect(await response.json()).toMatchObject({
      data: { options: { attachment_text: true }, statistics: { total_attachments: 1, files_without_text: 0 } },
    });
    const refused = async (uploadId: string, path: string): Promise<unknown> => {
      const answer = await at(uploadId, path);
      const { error } = (await answer.json()) as {
        readonly error: { readonly code: string; readonly message: string };
      };
      expect(error.message).not.toContain(root);
      return [answer.status, error.code];
    };
    expect(await refused(kept.uploadId, "msg-000009/original")).toEqual([404, "NOT_FOUND"]);
    expect(await refused(kept.uploadId, "msg-000001/attachments/2")).toEqual([404, "NOT_FOUND"]);
    const changed = await extracted("letters.zip", body);
    writeFileSync(
      join(service.directory.sourceDirectory(changed.uploadId), "letters.zip"),
      buildZip([{ name: "Mail/a.eml", content: mail(2) }]),
    );
    expect(await refused(changed.uploadId, "msg-000001/original")).toEqual([410, "ORIGINAL_CHANGED"]);

    const discarded = await extracted("letters.zip", body, "&discard_originals=1");
    expect(discarded).toMatchObject({ originals: "discarded" });
    expect(await refused(discarded.uploadId, "msg-000001/original")).toEqual([404, "ORIGINAL_MOVED"]);
    const redacted = await extracted("letters.zip", body, "&redact=email");
    expect(redacted).toMatchObject({ originals: "discarded" });
    expect(await refused(redacted.uploadId, "msg-000001/original")).toEqual([403, "ORIGINAL_WITHHELD"]);
    for (const { uploadId } of [discarded, redacted]) {
      const parts = (): string[] => readdirSync(service.directory.uploadDirectory(uploadId)).sort();
      await expect.poll(parts).toEqual(["archive", "cache"]);
    }
    await fetch(`${url}/uploads/${kept.uploadId}`, { method: "DELETE" });
    expect(existsSync(service.directory.uploadDirectory(kept.uploadId))).toBe(false);
  });

  it("without mail fails with its reason, and leaves no files", async () => {
    const detail = await extracted("photos.zip", buildZip([{ name: "a.jpg", content: "\xff\xd8" }]));
    expect(detail).toMatchObject({ status: "failed", error: { code: "SOURCE_EMPTY" } });
    const { uploads } = service.directory;
    await expect.poll(() => readdirSync(uploads).includes(detail.uploadId)).toBe(false);
  });

  const enron = realData("enron-14-custodians/bailey-s");
  it.skipIf(enron === null)("of a real custodian is complete, packed by tar", async () => {
    const directory = join(enron!, "..");
    const packed = execFileSync("tar", ["-czf", "-", "-C", directory, "bailey-s"], { maxBuffer: 2 ** 30 });
    const files = readdirSync(enron!, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const detail = await extracted("bailey-s.tgz", packed);
    const provenance = JSON.parse(
      readFileSync(join(service.directory.archiveDirectory(detail.uploadId), "provenance.json"), "utf8"),
    ) as {
      sources: readonly { counts: { seen: number } }[];
    };
    expect(provenance.sources.map(({ counts }) => counts.seen)).toEqual([files.length]);
    expect(detail.counts?.messages).toBeGreaterThan(0.9 * files.length);
  });
});

import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { seededRandom } from "../../src/columns/seeded-random.ts";
import { uploadSchema } from "../../src/http/upload-service/base/wire-uploads.ts";
import { createUploadService } from "../../src/http/upload-service/upload-service.ts";
import { UNPACK_LIMITS } from "../../src/unpacking/unpack-limits.ts";
import { sampleMsg } from "../msg-writer/sample-msg.ts";
import { sampleOlm } from "../olm-writer.ts";
import { buildTar } from "../tar-file.ts";
import { buildZip, unixMode } from "../zip-file.ts";
import {
  BOUNDARY,
  dataTree,
  FORM,
  FORM_END,
  form,
  formPart,
  type IntakeFixture,
  listenForUploads,
  MAIL,
  MBOX,
  post,
  send,
} from "./intake-fixture.ts";
import { connectTo, rawRequest } from "./raw-http.ts";
import { createServiceFixture } from "./service-fixture.ts";

/** The limit of the fixture. */
const MAX_BYTES = 1 << 20;

let intake: IntakeFixture;
beforeAll(async () => {
  intake = await listenForUploads();
});
afterAll(() => intake.close());

/** The only upload with an id, as stored on disk. */
function stored(uploadId: string): { readonly names: readonly string[]; readonly bytes: Buffer } {
  const source = intake.directory.sourceDirectory(uploadId);
  const names = readdirSync(source);
  return { names, bytes: readFileSync(join(source, names[0]!)) };
}

const sha256 = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");

describe("an upload", () => {
  it("is taken as a form, streamed, hashed and queued", async () => {
    const body = `${MBOX}${"x".repeat(300_000)}\n`;
    const answer = await post(intake, "/upload", form(formPart("file", body, "Büro 2001.mbox")), FORM);
    expect(answer.status).toBe(202);
    const record = uploadSchema.parse(JSON.parse(answer.text));
    expect(record).toMatchObject({
      filename: "Büro 2001.mbox",
      size_bytes: body.length,
      sha256: sha256(body),
      status: "queued",
      error: null,
    });
    expect(answer.headers.location).toBe(`/uploads/${record.upload_id}`);
    const { names, bytes } = stored(record.upload_id);
    expect(names).toEqual(["Büro 2001.mbox"]);
    expect(bytes.equals(Buffer.from(body))).toBe(true);
    expect(statSync(join(intake.directory.sourceDirectory(record.upload_id), "Büro 2001.mbox")).mode & 0o777).toBe(
      0o600,
    );
    expect(statSync(intake.directory.uploadDirectory(record.upload_id)).mode & 0o777).toBe(0o700);
    expect(readdirSync(intake.directory.incoming)).toEqual([]);
  });

  it("is taken from a client of the Fetch Standard", async () => {
    const sent = new FormData();
    sent.set("redact", "email phone");
    sent.set("file", new Blob([MBOX]), "box.mbox");
    sent.set("max_messages", "5");
    const answer = await fetch(`${intake.url}/upload`, { method: "POST", body: sent });
    expect(answer.status).toBe(202);
    const { upload_id } = (await answer.json()) as { upload_id: string };
    expect(
      (await intake.catalog.jobsOf("queued")).find(({ upload }) => upload.uploadId === upload_id)?.options,
    ).toEqual({
      redact: ["email", "phone"],
      password: null,
      maxMessages: 5,
      discardsOriginals: true,
    });
  });

  it("can be a raw body of known length or chunked, with any content type", async () => {
    const query = "/upload?filename=a%2Fbox.mbox&redact=all&max_messages=";
    for (const headers of [
      {},
      { "content-type": "text/plain" },
      { "content-type": "application/mbox" },
      { "content-type": "application/json" },
    ]) {
      const answer = await post(intake, query, MBOX, { ...headers, "x-archive-password": "gr\u00fcn" });
      expect(answer.status).toBe(202);
    }
    const chunked = await send(intake, { path: query }, async (request) => {
      for (const letter of MBOX) request.write(letter);
      request.end();
    });
    expect(chunked.status).toBe(202);
    const record = uploadSchema.parse(JSON.parse(chunked.text));
    expect(record).toMatchObject({ filename: "box.mbox", sha256: sha256(MBOX) });
    const { options } = (await intake.catalog.jobsOf("queued")).at(-2) ?? {};
    expect(options).toEqual({
      redact: ["email", "phone", "ssn", "credit_card", "ip"],
      password: "gr\u00fcn",
      maxMessages: null,
      discardsOriginals: true,
    });
  });

  it.each([
    ["pst", Buffer.concat([Buffer.from("!BDN"), Buffer.alloc(600)])],
    ["ost", Buffer.concat([Buffer.from("!BDN"), Buffer.alloc(600)])],
    ["mbox", MBOX],
    ["mbx", `\n${MBOX}`],
    ["eml", MAIL],
    ["EML", `\ufeff${MAIL}`],
    ["msg", sampleMsg()],
    ["olm", sampleOlm()],
    ["ics", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"],
    ["vcf", "\ufeffBEGIN:VCARD\r\nEND:VCARD\r\n"],
    ["emlx", `${String(Buffer.byteLength(MAIL)).padEnd(10)}\n${MAIL}<?xml version="1.0"?>`],
    ["zip", buildZip([{ name: "cur/1", content: MAIL }])],
    ["tar", buildTar([{ name: "cur/1", content: MAIL }])],
    ["tar.gz", gzipSync(buildTar([{ name: "cur/1", content: MAIL }]))],
    ["tgz", gzipSync(buildTar([{ name: "cur/1", content: MAIL }]))],
    ["cut.tgz", gzipSync(buildTar([{ name: "cur/1", content: MAIL }])).subarray(0, -10)],
  ])("may be .%s", async (ending, body) => {
    const answer = await post(intake, `/upload?filename=mail.${ending}`, body);
    expect(answer.text).toContain("upload_id");
    expect(answer.status).toBe(202);
  });

  it("may be as large as the limit, and not a byte larger", async () => {
    const whole = Buffer.alloc(MAX_BYTES, MBOX);
    expect((await post(intake, "/upload?filename=a.mbox", whole)).status).toBe(202);
    expect((await post(intake, "/upload", form(formPart("file", whole, "a.mbox")), FORM)).status).toBe(202);
  });

  it.each([
    ["../../../etc/passwd.mbox", "passwd.mbox"],
    ["..\\..\\evil.mbox", "evil.mbox"],
    ["C:\\mail\\box.mbox", "box.mbox"],
    ["/etc/cron.d/a.mbox", "a.mbox"],
    [".hidden.mbox", "hidden.mbox"],
    ["-rf.mbox", "rf.mbox"],
    ["a\u202egpj.mbox", "agpj.mbox"],
    ["a\nb.mbox", "a_b.mbox"],
    [`${"n".repeat(3000)}.mbox`, `${"n".repeat(195)}.mbox`],
    ["<img src=x onerror=alert(1)>.mbox", "_img src=x onerror=alert(1)_.mbox"],
    ["nul.mbox", "_nul.mbox"],
  ])("is stored under a safe name: %j", async (given, kept) => {
    const before = readdirSync(intake.directory.root).sort();
    const raw = await post(intake, `/upload?filename=${encodeURIComponent(given)}`, MBOX);
    expect(raw.status).toBe(202);
    expect(JSON.parse(raw.text)).toMatchObject({ filename: kept });
    expect(stored((JSON.parse(raw.text) as { upload_id: string }).upload_id).names).toEqual([kept]);
    if (!given.includes("\n")) {
      const escaped = given.replaceAll("\\", "\\\\");
      const sent = await post(intake, "/upload", form(formPart("file", MBOX, escaped)), FORM);
      expect(JSON.parse(sent.text)).toMatchObject({ filename: kept });
    }
    expect(readdirSync(intake.directory.root).sort()).toEqual(before);
    expect(readdirSync(intake.directory.incoming)).toEqual([]);
  });

  it.each([
    ["without its directory", buildZip([{ name: "a.eml", content: MAIL }]).subarray(0, -5)],
    [
      "with one damaged file",
      buildZip([
        { name: "a.eml", content: MAIL },
        { name: "b.eml", content: MAIL, crc: 7 },
      ]),
    ],
  ])("is accepted as a zip file %s", async (_, body) => {
    expect(await post(intake, "/upload?filename=mail.zip", body)).toMatchObject({ status: 202 });
  });
});

/** A rejected upload leaves the data directory and the catalog unchanged. */
describe("a rejected upload", () => {
  let tree: readonly string[];
  let uploads: number;
  beforeEach(async () => {
    await settled();
    tree = dataTree(intake);
    uploads = (await intake.catalog.list()).length;
  });
  afterEach(async () => {
    expect(dataTree(intake)).toEqual(tree);
    expect(await intake.catalog.list()).toHaveLength(uploads);
  });

  const file = formPart("file", MBOX, "a.mbox");

  it.each([
    ["no file", form(formPart("redact", "all")), "INVALID_QUERY"],
    ["nothing at all", FORM_END, "INVALID_QUERY"],
    ["an empty body", "", "INVALID_QUERY"],
    ["two files", form(file, formPart("file", MBOX, "b.mbox")), "INVALID_QUERY"],
    ["a file in another field", form(formPart("upload", MBOX, "a.mbox")), "INVALID_QUERY"],
    ["a file without a name", form(formPart("file", MBOX, "")), "INVALID_QUERY"],
    ["a file that is a field", form(formPart("file", MBOX)), "INVALID_QUERY"],
    ["an unknown field before the file", form(formPart("colour", "red"), file), "INVALID_QUERY"],
    ["an unknown field behind the file", form(file, formPart("colour", "red")), "INVALID_QUERY"],
    ["a field twice", form(formPart("redact", "all"), file, formPart("redact", "")), "INVALID_QUERY"],
    [
      "a field twice before the file",
      form(formPart("password", "a"), formPart("password", "b"), file),
      "INVALID_QUERY",
    ],
    ["a field of the prototype", form(formPart("__proto__", "a"), file), "INVALID_QUERY"],
    [
      "a field without a name",
      form(Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx\r\n`), file),
      "INVALID_QUERY",
    ],
    ["an unknown type to redact", form(formPart("redact", "email,names"), file), "INVALID_QUERY"],
    ["a bad count", form(formPart("max_messages", "-1"), file), "INVALID_QUERY"],
    ["a count of zero behind the file", form(file, formPart("max_messages", "0")), "INVALID_QUERY"],
    ["a password without end", form(formPart("password", "p".repeat(5000)), file), "INVALID_QUERY"],
    ["a giant field", form(formPart("redact", "r".repeat(900_000)), file), "INVALID_QUERY"],
    [
      "10,000 parts",
      form(...Array.from({ length: 10_000 }, (_, index) => formPart(`f${index}`, "x"))),
      "INVALID_QUERY",
    ],
    ["10,000 equal parts", form(...Array.from({ length: 10_000 }, () => formPart("redact", ""))), "INVALID_QUERY"],
    ["no final boundary", Buffer.concat([file]), "INVALID_QUERY"],
    ["a file that is cut off", file.subarray(0, file.length - 20), "INVALID_QUERY"],
    ["a header that is cut off", file.subarray(0, 50), "INVALID_QUERY"],
    ["a boundary that never comes", Buffer.from(MBOX.repeat(100)), "INVALID_QUERY"],
    [
      "a header without end",
      Buffer.concat([Buffer.from(`--${BOUNDARY}\r\nX: ${"y".repeat(200_000)}`), FORM_END]),
      "INVALID_QUERY",
    ],
    ["another kind of file", form(formPart("file", MBOX, "a.docx")), "UNSUPPORTED_FORMAT"],
    ["a name without an ending", form(formPart("file", MBOX, "mbox")), "UNSUPPORTED_FORMAT"],
    ["an empty file", form(formPart("file", "", "a.mbox")), "SOURCE_EMPTY"],
    ["something else in it", form(formPart("file", "\x7fELF and so on", "a.mbox")), "UNSUPPORTED_FORMAT"],
    [
      "a zip named .mbox",
      form(formPart("file", buildZip([{ name: "a.eml", content: MAIL }]), "a.mbox")),
      "UNSUPPORTED_FORMAT",
    ],
    ["a mailbox named .zip", form(formPart("file", MBOX, "a.zip")), "UNSUPPORTED_FORMAT"],
    [
      "a tar named .tgz",
      form(formPart("file", buildTar([{ name: "a.eml", content: MAIL }]), "a.tgz")),
      "UNSUPPORTED_FORMAT",
    ],
    ["a page named .eml", form(formPart("file", "<html><body>hello</body></html>", "a.eml")), "UNSUPPORTED_FORMAT"],
    ["a number named .emlx", form(formPart("file", "12\nhello, world\n", "a.emlx")), "UNSUPPORTED_FORMAT"],
    ["a text named .pst", form(formPart("file", MBOX, "a.pst")), "UNSUPPORTED_FORMAT"],
  ] as const)("of a form with %s", async (_, body, code) => {
    const answer = await post(intake, "/upload", body, FORM);
    expect(answer).toMatchObject({ status: 400, code });
    expect(JSON.parse(answer.text)).toMatchObject({ status: "error", error: { code } });
  });

  it.each([
    ["no boundary", { "content-type": "multipart/form-data" }],
    ["an empty boundary", { "content-type": "multipart/form-data; boundary=" }],
    ["a boundary that is never used", { "content-type": "multipart/form-data; boundary=other" }],
    ["no name", { "content-type": "application/octet-stream" }],
    ["the type of another form", { "content-type": "application/x-www-form-urlencoded" }],
    ["a type that is none", { "content-type": ";;;" }],
  ])("of a request with %s", async (_, headers) => {
    expect(await post(intake, "/upload", form(file), headers)).toMatchObject({ status: 400, code: "INVALID_QUERY" });
  });

  it.each([
    ["/upload", "INVALID_QUERY"],
    ["/upload?filename=", "INVALID_QUERY"],
    ["/upload?filename=a.mbox&filename=b.mbox", "INVALID_QUERY"],
    ["/upload?filename=a.mbox&redact=all&redact=ip", "INVALID_QUERY"],
    ["/upload?filename=a.mbox&password=secret", "INVALID_QUERY"],
    ["/upload?filename=a.mbox&max_messages=many", "INVALID_QUERY"],
    ["/upload?filename=..", "UNSUPPORTED_FORMAT"],
    ["/upload?filename=a.mbox%00.exe", "UNSUPPORTED_FORMAT"],
    ["/upload?filename=a.exe", "UNSUPPORTED_FORMAT"],
    ["/upload?filename=.mbox", "UNSUPPORTED_FORMAT"],
  ])("of %s", async (path, code) => {
    const answer = await post(intake, path, MBOX);
    expect(answer).toMatchObject({ status: 400, code });
    expect(answer.text).not.toContain("secret");
  });

  it.each([
    ["names that lead out, in a zip", buildZip([{ name: "../../evil.eml", content: MAIL }]), "zip", "UNSAFE_ARCHIVE"],
    ["names that lead out, in a tar", buildTar([{ name: "../../evil.eml", content: MAIL }]), "tar", "UNSAFE_ARCHIVE"],
    [
      "a symbolic link in a zip",
      buildZip([{ name: "l", content: "/etc", externalAttributes: unixMode(0o120777) }]),
      "zip",
      "UNSAFE_ARCHIVE",
    ],
    [
      "a symbolic link in a tar",
      gzipSync(buildTar([{ name: "l", type: "2", linkName: "/etc" }])),
      "tgz",
      "UNSAFE_ARCHIVE",
    ],
    ["a device", buildTar([{ name: "d", type: "3" }]), "tar", "UNSAFE_ARCHIVE"],
    ["an encrypted entry", buildZip([{ name: "a.eml", content: MAIL, flags: 0x801 }]), "zip", "UNSAFE_ARCHIVE"],
    ["a lying size", buildZip([{ name: "a.eml", content: MAIL, declaredBytes: 3 }]), "zip", "UNSAFE_ARCHIVE"],
    ["a cut", buildZip([{ name: "a.eml", content: MAIL }]).subarray(0, 40), "zip", "DAMAGED_SOURCE"],
    ["only another archive in it", buildZip([{ name: "a.zip", content: "PK" }]), "zip", "SOURCE_EMPTY"],
    ["no file in it", buildZip([{ name: "a/" }]), "zip", "SOURCE_EMPTY"],
  ] as const)("of an archive with %s", async (_, body, ending, code) => {
    expect(await post(intake, `/upload?filename=mail.${ending}`, body)).toMatchObject({ status: 400, code });
    expect(await post(intake, "/upload", form(formPart("file", body, `mail.${ending}`)), FORM)).toMatchObject({
      status: 400,
      code,
    });
  });

  it("is rejected at once if its length is announced, before a byte is read", async () => {
    for (const [path, type] of [
      ["/upload?filename=a.mbox", "application/octet-stream"],
      ["/upload", FORM["content-type"]],
    ] as const) {
      const headers = { "content-type": type, "content-length": String(60 * 2 ** 30) };
      const answer = await send(intake, { path, headers }, (request) => request.flushHeaders());
      expect(answer).toMatchObject({ status: 413, code: "UPLOAD_TOO_LARGE" });
      expect(answer.headers.connection).toBe("close");
    }
  });

  it("is rejected during transfer if its length is not announced, and the response arrives", async () => {
    for (const isForm of [false, true]) {
      const path = isForm ? "/upload" : "/upload?filename=a.mbox";
      const answer = await send(intake, { path, headers: isForm ? FORM : {} }, async (request) => {
        let stopped = false;
        request.on("response", () => {
          stopped = true;
        });
        if (isForm) request.write(file.subarray(0, -2));
        else request.write(MBOX);
        // A client that continues to send far beyond the limit, whatever the response.
        for (let sent = 0; sent < 40 * MAX_BYTES && !stopped && !request.destroyed; sent += 65_536) {
          if (!request.write(Buffer.alloc(65_536, "y")))
            await Promise.race([once(request, "drain"), pause(200)]).catch(() => undefined);
        }
      });
      expect(answer).toMatchObject({ status: 413, code: "UPLOAD_TOO_LARGE" });
    }
  });

  it("of a form is reported while an endless field still arrives", async () => {
    const answer = await send(intake, { path: "/upload", headers: FORM }, async (request) => {
      let stopped = false;
      request.on("response", () => {
        stopped = true;
      });
      request.write(formPart("redact", "").subarray(0, -2));
      for (let sent = 0; sent < 40 * MAX_BYTES && !stopped && !request.destroyed; sent += 65_536) {
        if (!request.write(Buffer.alloc(65_536, "r")))
          await Promise.race([once(request, "drain"), pause(200)]).catch(() => undefined);
      }
    });
    expect(answer).toMatchObject({ status: 400, code: "INVALID_QUERY" });
  });

  it("is sent to a client that reads only after it has sent everything", async () => {
    const body = Buffer.concat([Buffer.from("\x7fELF"), randomBytes(20 * MAX_BYTES)]);
    const head = `POST /upload?filename=a.mbox HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const socket = connectTo(intake.app);
    socket.pause();
    socket.write(head);
    socket.write(`${body.length.toString(16)}\r\n`);
    await new Promise<void>((resolve) => socket.write(body, () => resolve()));
    socket.write("\r\n0\r\n\r\n");
    let answer = "";
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("UNSUPPORTED_FORMAT");
  });

  it("is a protocol error if its body is not HTTP", async () => {
    const head = "POST /upload?filename=a.mbox HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    expect(await rawRequest(intake.app, `${head}5\r\nFrom \r\nnonsense\r\n`)).toMatch(/^(?:HTTP\/1\.1 400 [\s\S]*)?$/);
    await settled();
  });

  it("from a disconnected client is removed", async () => {
    for (const isForm of [false, true]) {
      const path = isForm ? "/upload" : "/upload?filename=a.mbox";
      const sent = send(
        intake,
        { path, headers: { ...(isForm ? FORM : {}), "content-length": "900000" } },
        async (request) => {
          if (isForm) request.write(file.subarray(0, -2));
          request.write(MBOX.repeat(2000));
          while (readdirSync(intake.directory.incoming).length === 0) await pause(5);
          request.destroy();
        },
      );
      await expect(sent).rejects.toThrow();
      await settled();
    }
  });

  it("may be any of hundreds of broken forms, truncated anywhere: the service continues", async () => {
    const random = seededRandom(20_261_121);
    const whole = form(
      formPart("redact", "all"),
      formPart("file", MBOX.repeat(50), "a.mbox"),
      formPart("max_messages", "3"),
    );
    const pick = (below: number): number => Math.floor(random() * below);
    for (let round = 0; round < 300; round++) {
      let body = Buffer.from(whole);
      for (let count = 1 + pick(3); count > 0; count--) {
        // Boundaries and headers are critical: most of the file content between them is skipped.
        const at = random() < 0.5 ? pick(400) : body.length - 1 - pick(300);
        const kind = pick(4);
        if (kind === 0) body[Math.max(0, at)] = pick(256);
        else if (kind === 1) body = Buffer.concat([body.subarray(0, at), body.subarray(at + pick(40))]);
        else if (kind === 2)
          body = Buffer.concat([body.subarray(0, at), body.subarray(Math.max(0, at - 60), at), body.subarray(at)]);
        else
          body.write(
            ["\r\n--", "\r\n\r\n", `--${BOUNDARY}`, "\0\0", "filename=", '"'][pick(6)]!,
            Math.max(0, at),
            "latin1",
          );
      }
      const leaves = random() < 0.2;
      const cut = leaves ? pick(body.length) : body.length;
      const step = 1 + pick(2000);
      const sent = send(
        intake,
        { path: "/upload", headers: { ...FORM, "content-length": String(body.length) } },
        async (request) => {
          for (let at = 0; at < cut && !request.destroyed; at += step)
            request.write(body.subarray(at, Math.min(cut, at + step)));
          if (!leaves) request.end();
          else await pause(pick(5)).then(() => request.destroy());
        },
      );
      const answer = await sent.catch(() => null);
      if (answer === null) expect(leaves, `round ${round}`).toBe(true);
      else expect([202, 400], `round ${round}`).toContain(answer.status);
      // A form that was broken in an irrelevant part creates an upload, which is removed here.
      for (const { uploadId } of (await intake.catalog.list()).slice(
        0,
        (await intake.catalog.list()).length - uploads,
      )) {
        await intake.service.queue.cancel(uploadId);
      }
    }
    await settled();
  });

  /**
   * Waits until nothing is being received: data of a disconnected client may still be on its way to the server.
   */
  async function settled(): Promise<void> {
    for (let looks = 0; looks < 5; await pause(10))
      looks = readdirSync(intake.directory.incoming).length > 0 ? 0 : looks + 1;
  }
});

it("is rejected without a token before the body ends, and the client receives the response", async () => {
  const fixture = await createServiceFixture();
  const setting = {
    host: "127.0.0.1",
    token: "right",
    allowedHosts: [],
    allowedOrigins: [],
    environment: "test",
    rateLimit: null,
  } as const;
  const app = await createUploadService(fixture.service, setting, null);
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const guarded: IntakeFixture = { ...intake, ...fixture, app, url, port: Number(new URL(url).port) };
  try {
    for (const path of ["/upload?filename=a.mbox", "/upload/resumable/upload-aaaaaaaaaaaa"]) {
      const method = path.includes("resumable") ? "PATCH" : "POST";
      const answer = await send(guarded, { method, path, headers: { authorization: "Bearer wrong" } }, (request) => {
        request.end(Buffer.alloc(30 * MAX_BYTES, MBOX));
      });
      expect(answer).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
    }
    const right = { authorization: "Bearer right" };
    expect((await post(guarded, "/upload?filename=a.mbox", MBOX, right)).status).toBe(202);
    expect(await fixture.catalog.list()).toHaveLength(1);
  } finally {
    app.server.closeAllConnections();
    await app.close();
    fixture.remove();
  }
});

describe("a service with little disk space", () => {
  it.each([
    ["by the announced length", 1000, { "content-length": "5000" }],
    ["by what comes", -1, { "transfer-encoding": "chunked" }],
  ])("rejects %s above the free space", async (_, free, headers) => {
    const poor = await listenForUploads({ freeBytes: async () => free });
    try {
      const tree = dataTree(poor);
      expect(
        await post(poor, "/upload?filename=a.mbox", Buffer.alloc(5000, MBOX), headers as Record<string, string>),
      ).toMatchObject({
        status: 507,
        code: "DISK_FULL",
      });
      expect(dataTree(poor)).toEqual(tree);
    } finally {
      await poor.close();
    }
  });

  it("rejects an archive that unpacks to more than the free space", async () => {
    const poor = await listenForUploads({ freeBytes: async () => 50_000 });
    try {
      const tree = dataTree(poor);
      const zip = buildZip([{ name: "a.mbox", content: MBOX.repeat(1000) }]);
      expect(zip.length).toBeLessThan(10_000);
      expect(await post(poor, "/upload?filename=a.zip", zip)).toMatchObject({ status: 507, code: "DISK_FULL" });
      expect(dataTree(poor)).toEqual(tree);
    } finally {
      await poor.close();
    }
  });

  it("rejects bombs: plain, in gzip, and in another archive", async () => {
    const careful = await listenForUploads({
      unpackLimits: { ...UNPACK_LIMITS, ratioFromBytes: 1_000_000, maxExpandedBytes: 100_000_000 },
    });
    try {
      const tree = dataTree(careful);
      const zeros = Buffer.alloc(50_000_000);
      const bomb = buildZip([{ name: "a.mbox", content: zeros }]);
      const bombs: readonly (readonly [string, Buffer, string])[] = [
        ["zip", bomb, "UNSAFE_ARCHIVE"],
        ["tgz", gzipSync(buildTar([{ name: "a.mbox", content: zeros }])), "UNSAFE_ARCHIVE"],
        ["zip", buildZip([{ name: "in.zip", content: bomb, method: 0 }]), "SOURCE_EMPTY"],
      ];
      for (const [ending, body, code] of bombs) {
        expect(await post(careful, `/upload?filename=a.${ending}`, body)).toMatchObject({ status: 400, code });
        expect(dataTree(careful)).toEqual(tree);
      }
    } finally {
      await careful.close();
    }
  });
});

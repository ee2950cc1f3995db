import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalServer } from "../../src/http/local-server/local-server.ts";
import type { Archive } from "../../src/mail/archive.ts";
import { OriginalThread } from "../../src/originals/original-thread.ts";
import { openArchive } from "../../src/store/archive/open-archive.ts";
import { archiveIn } from "../../src/store/contract/archive-location.ts";
import { safePage } from "../../src/text/html/safe-html.ts";
import { BROWSER, launchChromium } from "../chromium.ts";
import { buildStore, sampleMail } from "../pst-writer/sample-store.ts";
import { archivetool, scratchDirectory } from "./cli.ts";

/** The HTML of a message as a separate page, read again from its source: it runs nothing and sends no requests. */

const scratch = scratchDirectory("original-pages");

/** Server that would receive the requests of a mail, and the requests it received. */
let crow: Server;
let crowUrl = "";
const asked: string[] = [];
let archive: Archive;
let app: FastifyInstance;
let url = "";

/** Path of an empty page without a policy, on the server that must receive no requests. */
const OPEN = "open";
/** Requests that a browser sends itself when it shows that page. */
const OWN_PATHS: readonly string[] = [`/${OPEN}`, "/favicon.ico"];

/** A picture of 1 by 1 pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Every way in which a mail could run code or send a request; `x` is replaced by the address that must get none. */
const ATTACKS: readonly string[] = [
  "<script>fetch('x?script')</script>",
  "<script src='x?src'></script>",
  "<img src='x?img'><img src='//HOST/?relative'><img srcset='x?srcset 1x' src='cid:none'>",
  "<img src=x?onerror onerror=\"location='x?event'\"><svg onload=\"fetch('x?svg')\"><image href='x?image'/></svg>",
  "<style>@import 'x?import'; body { background: url(x?css) } @font-face { font-family: f; src: url(x?font) } * { font-family: f }</style>",
  "<div style=\"background-image:url('x?inline')\">a</div><table background='x?table'><tr><td>b</td></tr></table>",
  "<link rel=stylesheet href='x?link'><link rel=prefetch href='x?prefetch'><link rel=preconnect href='x'>",
  "<meta http-equiv=refresh content='0;url=x?refresh'><base href='x'>",
  "<iframe src='x?frame'></iframe><object data='x?object'></object><embed src='x?embed'>",
  "<video src='x?video' poster='x?poster' autoplay></video><audio src='x?audio' autoplay></audio>",
  "<form id=f action='x?form'><input name=a autofocus onfocus='f.submit()'></form>",
  "<a href=\"javascript:fetch('x?href')\" id=run>run</a><details open ontoggle=\"fetch('x?toggle')\">d</details>",
  "<p title='<img src=x?title onerror=alert(1)>'>t</p><img src=x?unclosed onerror='fetch(1)'",
];

function letter(id: string, parts: readonly string[]): string {
  return [
    "From: Eve <eve@crow.example>",
    "To: ann@quay.example",
    `Subject: Letter ${id}`,
    "Date: Mon, 14 May 2001 10:00:00 +0000",
    `Message-ID: <${id}@crow.example>`,
    "MIME-Version: 1.0",
    'Content-Type: multipart/related; boundary="b"',
    "",
    ...parts.flatMap((part) => ["--b", part]),
    "--b--",
    "",
  ].join("\n");
}

const html = (text: string): string => `Content-Type: text/html; charset=utf-8\n\n${text}`;
const file = (type: string, name: string, id: string, base64: string): string =>
  `Content-Type: ${type}; name="${name}"\nContent-ID: <${id}>\nContent-Transfer-Encoding: base64\n\n${base64}`;

async function listen(server: Server): Promise<string> {
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

beforeAll(async () => {
  crow = createServer((request, response) => {
    if (!OWN_PATHS.includes(request.url!)) asked.push(request.url!);
    response.end();
  });
  crowUrl = await listen(crow);
  const host = new URL(crowUrl).host;
  const hostile = ATTACKS.map((attack) => attack.replaceAll("HOST", host).replace(/(?<=['"(=; ])x(?=[?'"])/g, crowUrl));
  const source = join(scratch, "mail");
  mkdirSync(source);
  const pages = [
    letter("friendly", [
      html(
        '<p style="color:#336699">Grüße <img src="cid:logo@x" id=logo> <a href="https://quay.example/a">here</a></p>',
      ),
      file("image/png", "logo.png", "logo@x", PIXEL),
      file("text/html", "page.html", "page@x", Buffer.from("<script>1</script>").toString("base64")),
      file("image/svg+xml", "image.svg", "svg@x", Buffer.from("<svg onload='1'/>").toString("base64")),
      file("application/pdf", "plan.pdf", "pdf@x", Buffer.from("%PDF-1.4").toString("base64")),
      file("text/csv", "a.csv", "csv@x", Buffer.from("a,b").toString("base64")),
    ]),
    ...hostile.map((attack, index) => letter(`attack-${index}`, [html(`<p>before</p>${attack}<p>after</p>`)])),
    letter("plain", ["Content-Type: text/plain\n\nNo page."]),
    letter("long", [html(`<p>${"long ".repeat(500_000)}</p>`)]),
  ];
  for (const [index, page] of pages.entries())
    writeFileSync(join(source, `${String(index).padStart(2, "0")}.eml`), page);
  const output = join(scratch, "archive");
  expect(archivetool("-q", "extract", source, "-o", output, "--no-wiki").exitCode).toBe(0);
  archive = await openArchive(archiveIn(output));
  app = await serve(archive);
  url = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await app.close();
  await archive.close();
  crow.close();
});

function serve(served: Archive): Promise<FastifyInstance> {
  const unpackedDirectory = join(scratch, "unpacked");
  const originals = new OriginalThread({ directories: [], password: null, unpackedDirectory });
  const start = {
    source: "mail",
    environment: "test",
    host: "127.0.0.1",
    originals,
    newDirectory: () => join(scratch, "x"),
    notebook: null,
    isReplaced: () => false,
  };
  return createLocalServer(served, start, null);
}

async function idOf(name: string): Promise<string> {
  const [id] = await archive.search.matching(`id:"${name}@crow.example"`);
  return id!;
}

async function page(name: string, path = "html"): Promise<Response> {
  return fetch(`${url}/api/explore/messages/${await idOf(name)}/${path}`);
}

describe("GET /messages/{id}/html", () => {
  it("is a page with a restrictive policy, and with the images of the mail", async () => {
    const answer = await page("friendly");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox",
    );
    const text = await answer.text();
    expect(text).toContain('<p style="color:#336699">Grüße <img id="logo" src="');
    const image = /src="([^"]+)"/.exec(text)![1]!;
    const picture = await fetch(new URL(image, answer.url));
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(Buffer.from(await picture.arrayBuffer()).toString("base64")).toBe(PIXEL);
  });

  it("reports missing HTML, and too much HTML", async () => {
    for (const name of ["plain", "long"]) {
      const answer = await page(name);
      expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
        404,
        "NOT_FOUND",
      ]);
    }
    expect((await fetch(`${url}/api/explore/messages/msg-999999/html`)).status).toBe(404);
  });

  it("returns 403 for a redacted archive", async () => {
    const output = join(scratch, "redacted");
    expect(
      archivetool("-q", "extract", join(scratch, "mail"), "-o", output, "--no-wiki", "--redact", "email").exitCode,
    ).toBe(0);
    const redacted = await openArchive(archiveIn(output));
    const server = await serve(redacted);
    for (const path of [
      "explore/messages/msg-000001/html",
      "explore/messages/msg-000001/source",
      "messages/msg-000001/attachments/1",
    ]) {
      const answer = await server.inject({ url: `/api/${path}`, headers: { host: "127.0.0.1" } });
      expect([answer.statusCode, answer.json().error.code]).toEqual([403, "ORIGINAL_WITHHELD"]);
    }
    await server.close();
    await redacted.close();
  });
});

it("returns the source as text, a piece at a time", async () => {
  const answer = await page("long", "source");
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(answer.headers.get("content-security-policy")).toContain("sandbox");
  const total = Number(answer.headers.get("x-archivetool-source-bytes"));
  const first = await answer.text();
  expect(first.length).toBe(1 << 20);
  const rest = await (await page("long", `source?offset=${2 << 20}`)).text();
  expect(first.length * 2 + rest.length).toBe(total);
});

it("displays images, PDF and text, and downloads everything else", async () => {
  const id = await idOf("friendly");
  const kinds = await Promise.all(
    [1, 2, 3, 4, 5].map(async (number) => {
      const { headers } = await fetch(`${url}/api/messages/${id}/attachments/${number}`);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
      return `${headers.get("content-type")} ${headers.get("content-disposition")?.split(";")[0]}`;
    }),
  );
  expect(kinds).toEqual([
    "image/png inline",
    "application/octet-stream attachment",
    "application/octet-stream attachment",
    "application/pdf inline",
    "text/plain; charset=utf-8 inline",
  ]);
});

describe.skipIf(BROWSER === undefined)("in a browser", () => {
  let browser: Browser;
  /** One tab for all: a separate tab per page takes ten times the CPU. */
  let tab: Page;
  const events: string[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
    tab = await browser.newPage();
    tab.on("dialog", (dialog) => {
      events.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    tab.on("pageerror", (error) => events.push(error.message));
  });
  afterAll(() => browser?.close());

  /** Shows a page, clicks its button, and returns its text. */
  async function shown(show: () => Promise<unknown>): Promise<string> {
    // A page written into another one has that page's policy, so this one has none.
    await tab.goto(`${crowUrl}${OPEN}`);
    await show();
    const button = tab.locator("#run");
    if ((await button.count()) > 0) await button.click({ timeout: 300 }).catch(() => undefined);
    await tab.waitForTimeout(100);
    expect(events).toEqual([]);
    return (await tab.locator("body").textContent()) ?? "";
  }

  /** Checks that a request of an unprotected mail arrives, and that none arrived before. */
  async function expectUnasked(): Promise<void> {
    await shown(() => tab.setContent(`<img src="${crowUrl}?heard">`));
    await expect.poll(() => asked).toEqual(["/?heard"]);
    asked.length = 0;
  }

  it("runs no scripts and sends no requests, opened directly or in a frame", async () => {
    for (const index of ATTACKS.keys()) {
      const address = `${url}/api/explore/messages/${await idOf(`attack-${index}`)}/html`;
      expect(await shown(() => tab.goto(address))).toMatch(/before[\s\S]*after/);
    }
    await expectUnasked();
  });

  it("works with either protection: without the policy, the allow list is enough", async () => {
    for (const attack of ATTACKS) {
      const mail = attack.replaceAll("HOST", new URL(crowUrl).host).replace(/(?<=['"(=; ])x(?=[?'"])/g, crowUrl);
      await shown(() => tab.setContent(safePage(mail, () => null).html));
    }
    await expectUnasked();
  });

  it("draws the images of the mail", async () => {
    const address = `${url}/api/explore/messages/${await idOf("friendly")}/html`;
    await shown(async () => {
      await tab.goto(address);
      await tab.waitForFunction("document.querySelector('img')?.naturalWidth === 1");
    });
  });
});

describe("a source that is protected", () => {
  it("returns its originals after its password was entered on a page of the server, and not before", async () => {
    const store = buildStore(
      { layout: "unicode", encoding: "permute" },
      (writer) => {
        writer.addMessage(writer.addFolder("Inbox"), sampleMail(3));
      },
      { password: "sesame" },
    );
    const [source, secret, output] = ["safe.pst", "secret", "safe"].map((name) => join(scratch, name));
    writeFileSync(source!, store);
    writeFileSync(secret!, "sesame\n");
    const run = archivetool("-q", "extract", source!, "--password-file", secret!, "-o", output!, "--no-wiki");
    expect(run.exitCode, run.stderr).toBe(0);
    const safe = await openArchive(archiveIn(output!));
    const server = await serve(safe);
    const base = await server.listen({ host: "127.0.0.1", port: 0 });
    const original = async (): Promise<string | undefined> => {
      const answer = await fetch(`${base}/api/explore/messages/msg-000001/source`);
      return answer.ok ? "there" : ((await answer.json()) as { error: { code: string } }).error.code;
    };
    const give = async (password: string, origin: string): Promise<number> => {
      const headers = { origin, "content-type": "application/json" };
      const body = JSON.stringify({ password });
      return (await fetch(`${base}/api/explore/originals/password`, { method: "POST", headers, body })).status;
    };
    expect(await original()).toBe("ORIGINAL_PROTECTED");
    expect([await give("sesame", "http://evil.example"), await original()]).toEqual([400, "ORIGINAL_PROTECTED"]);
    expect([await give("open", base), await original()]).toEqual([204, "ORIGINAL_PROTECTED"]);
    expect([await give("sesame", base), await original()]).toEqual([204, "there"]);
    await server.close();
    await safe.close();
  });
});

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, deflateRawSync, deflateSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { buildPdf } from "../../test/pdf-file.ts";
import { FileTextReader, TOO_LARGE, TOO_SLOW } from "./file-text-reader.ts";
import { MAX_PDF_PAGES } from "./pdf-text.ts";

const reader = new FileTextReader();
afterAll(() => reader.close());

const read = (bytes: Buffer | string, filename: string) =>
  reader.read({ filename, mediaType: "application/octet-stream", bytes: Buffer.from(bytes) }, { bytes: 64 << 20 });
const text = (content: string) => ({ state: "read", text: content, isCut: false, gap: null });
const pagesOf = (count: number): Buffer =>
  buildPdf({ pages: Array.from({ length: count }, (_, index) => `page ${index + 1}.`) });
/** Memory of this thread only, because other tests run in threads of the same process. */
function held(): number {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
}

describe("the process that reads files", () => {
  it("reads files one by one, and skips other kinds", async () => {
    const all = [read("Rope", "a.txt"), read(buildPdf({ pages: ["Berth nine", "Pier"] }), "b.pdf"), read("x", "c.png")];
    await expect(Promise.all(all)).resolves.toEqual([text("Rope"), text("Berth nine\n\nPier"), null]);
  });

  it("reads the first pages of a long PDF, and reports that there are more", async () => {
    const content = await read(pagesOf(MAX_PDF_PAGES + 2), "a.pdf");
    expect(content).toMatchObject({ state: "read", isCut: true, gap: null });
    expect((content as { text: string }).text.match(/page \d+\./g)).toHaveLength(MAX_PDF_PAGES);
  });

  it("ends with 20,000 pages, by their number or by time", async () => {
    const content = await read(pagesOf(20_000), "a.pdf");
    if (content?.state === "unread") expect(content.reason).toBe(TOO_SLOW);
    else expect(content).toMatchObject({ isCut: true });
  });

  it("ends when memory is full, does not affect the reader, and restarts", async () => {
    const before = held();
    const bomb = buildPdf({ pages: [""], content: deflatedTwoGigabytes() });
    const made = held();
    const content = await read(bomb, "a.pdf");
    expect([TOO_LARGE, TOO_SLOW]).toContain((content as { reason: string }).reason);
    expect(held() - Math.max(before, made)).toBeLessThan(100 << 20);
    await expect(read("Rope", "a.txt")).resolves.toEqual(text("Rope"));
  });
});

/** A stream of 2 GB packed into 2 MB: an independent block, repeated a hundred times. */
function deflatedTwoGigabytes(): Buffer {
  const whole = { level: 9, finishFlush: constants.Z_FULL_FLUSH };
  const piece = deflateRawSync(Buffer.alloc(20_000_000, "(x) Tj "), whole);
  const zlibHeader = deflateSync("").subarray(0, 2);
  return Buffer.concat([zlibHeader, ...Array.from({ length: 100 }, () => piece)]);
}

/** Encryption with an unknown password, as programs write it (ISO 32000-1, 7.6.3). */
const LOCKED = `/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<${"00".repeat(32)}>/U<${"11".repeat(32)}>>>`;

describe("PDF", () => {
  it.each([
    ["an encrypted one", buildPdf({ pages: ["x"], trailer: LOCKED }), "it is encrypted"],
    ["one that is cut", buildPdf({ pages: ["x"] }).subarray(0, 12), "it is damaged"],
  ])("reports why %s is not read", async (_, bytes, reason) =>
    expect(read(bytes, "a.pdf")).resolves.toEqual({ state: "unread", reason }),
  );

  it("joins words that are divided at the end of a line, and no others", async () => {
    const lines = ["ends in a haw-", "ser of the North-", "Sea and costs 4-", "5 -", "each"];
    const shown = lines.map((line) => `(${line}) Tj 0 -14 Td`).join(" ");
    const bytes = buildPdf({ pages: [""], content: deflateSync(`BT /F 12 Tf 50 700 Td ${shown} ET`) });
    await expect(read(bytes, "a.pdf")).resolves.toEqual(
      text("ends in a hawser of the North-\nSea and costs 4-\n5 -\neach"),
    );
  });

  it("returns no text for pages without text", async () =>
    expect(read(buildPdf({ pages: [""] }), "a.pdf")).resolves.toEqual(text("")));

  const oracle = spawnSync("pdftotext", ["-v"]);
  it.skipIf(oracle.error !== undefined)("reads the words that pdftotext does", async () => {
    const directory = mkdtempSync(join(tmpdir(), "pdf-text-"));
    try {
      const file = join(directory, "a.pdf");
      const pages = ["The hawser of berth nine", "costs \\(each\\) 42.50 \u20ac", "na\u00efve caf\u00e9"];
      const bytes = buildPdf({ pages });
      writeFileSync(file, bytes);
      const words = (content: string): readonly string[] => content.split(/\s+/).filter((word) => word !== "");
      const expected = spawnSync("pdftotext", ["-enc", "UTF-8", file, "-"], { encoding: "utf8" }).stdout;
      const content = await read(bytes, "a.pdf");
      expect(words((content as { text: string }).text)).toEqual(words(expected.replaceAll("\f", " ")));
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

import { join, win32 } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sanitizeFilename, vaultFilename } from "./attachment-name.ts";

describe("sanitizeFilename", () => {
  it.each([
    ["plan.doc", "plan.doc"],
    ["C:\\My Documents\\plan.doc", "plan.doc"],
    ["../../etc/passwd", "passwd"],
    ["dir/", "dir"],
    ["a<b>c:d|e?.txt", "a_b_c_d_e_.txt"],
    [".htaccess", "htaccess"],
    ["-rf", "rf"],
    ["~root", "root"],
    ["name. . .", "name"],
    ["CON", "_CON"],
    ["con.txt", "_con.txt"],
    ["LPT1.doc", "_LPT1.doc"],
    ["console.txt", "console.txt"],
    ["invoice\u202egpj.exe", "invoicegpj.exe"],
    ["a\r\nb\t c.txt", "a__b_ c.txt"],
    ["cafe\u0301.pdf", "café.pdf"],
    ["見積書　最終.xlsx", "見積書 最終.xlsx"],
    ["👩‍💻.png", "👩‍💻.png"],
    ["..", "fallback.bin"],
    ["???", "fallback.bin"],
    ["  ", "fallback.bin"],
    ["", "fallback.bin"],
  ])("maps `%s` to `%s`", (name, safe) => {
    expect(sanitizeFilename(name, "fallback.bin")).toBe(safe);
  });

  it("keeps the extension of a long name", () => {
    const name = sanitizeFilename(`${"ü".repeat(300)}.pdf`, "x");
    expect(name).toMatch(/^ü+\.pdf$/);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
    expect(Buffer.byteLength(name)).toBeGreaterThan(195);
  });

  it("never returns an empty name", () => {
    expect(sanitizeFilename("", "")).toBe("attachment");
    expect(sanitizeFilename("...", "/")).toBe("attachment");
  });

  const name = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(
        fc.constantFrom(
          "..",
          "/",
          "\\",
          ".",
          "-",
          " ",
          "a",
          "\0",
          "\u202e",
          "CON",
          ":",
          "é",
          "\u0301",
          "𐍈",
          "~",
          "_",
          "\ud800",
        ),
      )
      .map((parts) => parts.join("")),
    fc.string({ unit: "grapheme", minLength: 100, maxLength: 400 }),
  );

  it("is safe on every system", () => {
    fc.assert(
      fc.property(name, name, (given, fallback) => {
        const safe = sanitizeFilename(given, fallback);
        expect(join("/out/msg", safe)).toBe(`/out/msg/${safe}`);
        expect(win32.join("C:\\out", safe)).toBe(`C:\\out\\${safe}`);
        expect(safe).toMatch(/^[^ .\-~]/u);
        expect(safe).not.toMatch(/[<>:"/\\|?*]|\p{Cc}|\p{Cs}|[ .]$/u);
        expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
        expect(safe.isWellFormed()).toBe(true);
        expect(safe.normalize("NFC")).toBe(safe);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(name, (given) => {
        const safe = sanitizeFilename(given, "x");
        expect(sanitizeFilename(safe, "x")).toBe(safe);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("vaultFilename", () => {
  it.each([
    ["plan.doc", "plan.doc"],
    ["plan.md", "plan.md.txt"],
    ["PLAN.Md", "PLAN.Md.txt"],
    ["board.canvas", "board.canvas.txt"],
    ["query.base", "query.base.txt"],
    ["notes.markdown", "notes.markdown.txt"],
    ["md", "md"],
    ["readme.md.pdf", "readme.md.pdf"],
    ["`= dv.pages()`.txt", "_= dv.pages()_.txt"],
    ["[[x]] #a ^b.txt", "__x__ _a _b.txt"],
    ["100% %%hidden%%.txt", "100% __hidden__.txt"],
    ["a`.md", "a_.md.txt"],
  ])("maps `%s` to `%s`", (name, safe) => {
    expect(vaultFilename(name)).toBe(safe);
    expect(vaultFilename(safe)).toBe(safe);
  });
});

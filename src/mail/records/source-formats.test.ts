import { describe, expect, it } from "vitest";
import {
  formatOfName,
  formatOfSignature,
  formatRow,
  listFormats,
  listSources,
  SOURCE_FORMAT_NAMES,
  SOURCE_FORMATS,
  UPLOADED_EXTENSIONS,
} from "./source-formats.ts";

describe("formats", () => {
  it("are found by file extension, in any case", () => {
    expect(["a.PST", "b.ost", "dir/c.mbox", "d.emlx", "e.ics"].map((name) => formatOfName(name)?.name)).toEqual([
      "pst",
      "pst",
      "mbox",
      "eml",
      "ics",
    ]);
  });

  it.each(["pst", ".pst", "dir/.msg", "a.txt", "a.pst.bak", ""])("are not detected by the name `%s`", (name) => {
    expect(formatOfName(name)).toBeNull();
  });

  it("are detected by their first bytes if these are distinctive", () => {
    expect(formatOfSignature(Buffer.from("!BDN...."))?.name).toBe("pst");
    expect(formatOfSignature(Buffer.from("!BD"))).toBeNull();
    expect(formatOfSignature(Buffer.from("PK\x03\x04"))).toBeNull();
  });

  it("have unique extensions and names", () => {
    const extensions = SOURCE_FORMATS.flatMap((row) => [...row.extensions]);
    expect(new Set(extensions).size).toBe(extensions.length);
    expect(SOURCE_FORMAT_NAMES.map((name) => formatRow(name).name)).toEqual([...SOURCE_FORMAT_NAMES]);
  });

  it("are listed in one line, with those that can be uploaded", () => {
    expect(listFormats()).toContain("PST/OST files (.pst .ost)");
    expect(listSources().split(", ")).toHaveLength(SOURCE_FORMATS.length);
    expect(UPLOADED_EXTENSIONS).toEqual(expect.arrayContaining([".pst", ".emlx", ".msg"]));
  });
});

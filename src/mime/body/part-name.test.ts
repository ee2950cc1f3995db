import { describe, expect, it } from "vitest";
import { readStructure } from "./structure.ts";

const nameOf = (...header: readonly string[]): string =>
  readStructure(Buffer.from([...header, "", "x"].join("\n"))).filename;

describe("partName", () => {
  it("prefers a parameter", () => {
    expect(nameOf("Content-Type: a/b; name=b.pdf", "Content-Disposition: attachment; filename=a.pdf")).toBe("a.pdf");
    expect(nameOf("Content-Type: a/b; name=b.pdf", "Content-Description: c.pdf")).toBe("b.pdf");
  });

  it("uses the description or location if they end like a file name", () => {
    expect(nameOf("Content-Type: a/b", "Content-Description: =?utf-8?Q?Pl=C3=A4ne.pdf?=")).toBe("Pläne.pdf");
    expect(nameOf("Content-Type: image/png", "Content-Location: file:///c:/mill/chart.png")).toBe("chart.png");
    expect(nameOf("Content-Type: a/b", "Content-Description: The plan of version 2.1")).toBe("");
    expect(nameOf("Content-Type: text/plain", "Content-Description: notes.txt")).toBe("");
  });
});

import { describe, expect, it } from "vitest";
import { maildirFolder } from "./maildir-name.ts";

describe("maildirFolder", () => {
  it("keeps short names", () => {
    expect(maildirFolder(["Projects", "v1_2"])).toBe(".Projects.v1_2/");
  });

  it.each(["a", "é", "合", "😀"])("shortens a deep folder of %s for file systems", (letter) => {
    const levels = Array.from({ length: 16 }, () => letter.repeat(30));
    const folder = maildirFolder(levels);
    expect(Buffer.byteLength(folder)).toBeLessThanOrEqual(255);
    expect(folder).not.toContain("\ufffd");
    expect(maildirFolder(levels)).toBe(folder);
    expect(maildirFolder([...levels.slice(1), `${levels[0]}b`])).not.toBe(folder);
  });
});

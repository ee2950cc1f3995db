import { describe, expect, it } from "vitest";
import { OpenElements } from "./open-elements.ts";

/** Number of tags to write for a line (`div p /p td`), and the number of start tags such as `div` and `font` in it. */
function written(tags: string): { readonly count: number; readonly nesting: number; readonly isTooMuch: boolean } {
  const open = new OpenElements();
  let [count, nesting] = [0, 0];
  for (const tag of tags.split(" ")) {
    if (!(tag.startsWith("/") ? open.end(tag.slice(1)) : open.start(tag))) continue;
    count++;
    if (/^(?:div|table|blockquote|b|font)$/.test(tag)) nesting++;
  }
  return { count, nesting, isTooMuch: open.isTooMuch };
}

const times = (count: number, tags: string): string => Array.from({ length: count }, () => tags).join(" ");

describe("OpenElements", () => {
  it.each([
    ["div"],
    ["div /b"],
    ["blockquote p"],
    ["table td div /div"],
    // End tags that a browser ignores at that position.
    ["div table td /div"],
    ["b div"],
    ["font"],
  ])("limits the depth to 200 with repeated %s", (tags) => {
    expect(written(times(1000, tags)).nesting).toBeLessThanOrEqual(200);
  });

  it.each([
    ["div /div"],
    ["p"],
    ["li p"],
    ["p b /b"],
    ["a"],
    ["a div /div"],
    ["table tr td /table"],
    ["table tr td font b div /table"],
    ["ul li ul li /ul /ul"],
    ["div span /div"],
  ])("accepts a page of any length with %s", (tags) => {
    expect(written(times(1000, tags))).toMatchObject({ count: 1000 * tags.split(" ").length, isTooMuch: false });
  });

  it("accepts a table with open elements in its cells", () => {
    const rows = times(1000, "tr td font b td div span");
    expect(written(`table ${rows} /table`).count).toBe(2 + 7000);
  });

  it("omits the end tags of omitted elements, and closes others", () => {
    const nested = `${times(300, "div")} ${times(300, "/div")}`;
    expect(written(nested).count).toBe(400);
    expect(written(`${nested} ${nested}`).count).toBe(800);
  });

  it("counts elements that a browser reopens in each block", () => {
    expect(written(times(1000, "p b /b")).isTooMuch).toBe(false);
    expect(written(`${times(100, "font")} ${times(1000, "p")}`).isTooMuch).toBe(true);
    expect(written(`p ${times(100, "font")} ${times(1000, "/p")}`).isTooMuch).toBe(true);
    expect(written(`table ${times(100, "font tr")} ${times(1000, "li")}`).isTooMuch).toBe(true);
    expect(written(times(50_000, "p")).isTooMuch).toBe(true);
  });
});

import { describe, expect, it } from "vitest";
import { BROWSER } from "../chromium.ts";
import { browseCompany } from "./browsed-company.ts";
import { drawnView } from "./web-fixture.ts";

/** Layout on the screen: texts do not overlap, nothing leaves the screen, and touch targets are large enough. */

const company = browseCompany("web-geometry");

const VIEWS = [
  "",
  "search?q=budget",
  "search?q=on:2021-11-15",
  "search?q=budget&stack=from",
  "search?q=budget&view=table",
  "search?q=budget&view=people",
  "search?q=budget&view=timeline",
  "search?q=budget&view=files",
  "search?q=budget&view=read",
  "search?q=budget&group=conversation",
  "search?q=zebra+budget",
  "message/msg-000001",
  "message/msg-000001?tree=1",
  "thread/thread-000001",
  "people",
  "people/contact-000001",
  "between/contact-000001/contact-000002",
  "topics",
  "topics/topic-001",
  "calendar",
  "calendar?view=list",
  "items",
  "files",
  "files?view=gallery",
  "mentions",
  "mailboxes",
  "graph",
  "hits#budget%0Aberth",
  "notebook",
  "about",
  "about/warnings",
  "help",
];

/** Visible texts that overlap with another text that does not contain them. */
const COVERED = `(() => {
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const floats = (element) => {
    for (let around = element; around !== null; around = around.parentElement)
      if (["fixed", "absolute", "sticky"].includes(getComputedStyle(around).position)) return true;
    return false;
  };
  while (walker.nextNode()) {
    const { textContent, parentElement } = walker.currentNode;
    if (textContent.trim() === "" || !parentElement.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (parentElement.closest(".visually-hidden, .unseen, svg, option, script, style") !== null || floats(parentElement)) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    for (const { left, right, top, bottom, width, height } of range.getClientRects()) {
      if (width < 2 || height < 2) continue;
      let [l, r, t, b] = [left + 1, right - 1, top + height * 0.25, bottom - height * 0.25];
      for (let around = parentElement; around !== null; around = around.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(around);
        const box = around.getBoundingClientRect();
        if (overflowX !== "visible") [l, r] = [Math.max(l, box.left), Math.min(r, box.right)];
        if (overflowY !== "visible") [t, b] = [Math.max(t, box.top), Math.min(b, box.bottom)];
      }
      if (r > l && b > t) lines.push({ l, r, t, b, node: walker.currentNode, text: textContent.trim().slice(0, 40) });
    }
  }
  lines.sort((one, other) => one.t - other.t);
  const out = [];
  for (const [at, one] of lines.entries())
    for (let next = at + 1; next < lines.length && lines[next].t < one.b; next++) {
      const other = lines[next];
      if (other.node !== one.node && other.l < one.r && one.l < other.r) out.push(one.text + " / " + other.text);
    }
  return out.slice(0, 10);
})()`;

/** Targets less than 24 pixels high or wide; links within a text are as high as its lines (WCAG 2.5.8). */
const SMALL = `[...document.querySelectorAll("a[href]:not(.skip), button, input, select, summary, textarea, [role=slider]")].flatMap((element) => {
  if (!element.checkVisibility({ visibilityProperty: true }) || element.closest(".visually-hidden, .unseen") !== null) return [];
  const { width, height } = (element.closest("label") ?? element).getBoundingClientRect();
  if (width === 0 || (width > 23.5 && height > 23.5)) return [];
  return [element.outerHTML.slice(0, 110) + " " + Math.round(width) + "x" + Math.round(height)];
}).slice(0, 60)`;

/** Tables that hide columns: they scroll sideways, which nobody sees without a scrollbar. */
const CUT = `[...document.querySelectorAll(".data")].filter((table) => table.scrollWidth > table.clientWidth + 1).map(
  (table) => "cut: " + table.getAttribute("aria-label"))`;

describe.skipIf(BROWSER === undefined)("every view", () => {
  it.each([1280, 390])("has no overlapping text at %i pixels", async (width) => {
    const page = await company.newPage({ width, height: 800 });
    const drawn = drawnView(page);
    const faults: string[] = [];
    for (const view of VIEWS) {
      await page.goto(`${company.base()}/${view}`);
      await drawn();
      const found = await page.evaluate<readonly string[]>(COVERED);
      const cut = await page.evaluate<readonly string[]>(CUT);
      const small = width > 500 ? [] : await page.evaluate<readonly string[]>(SMALL);
      if (await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth"))
        faults.push(`${view}: wide`);
      faults.push(...[...found, ...cut, ...small].map((fault) => `${view}: ${fault}`));
    }
    expect(faults).toEqual([]);
    await page.close();
  });

  it("has no empty chart for a person who sent no messages", async () => {
    const api = new URL("/api/query/", company.base());
    const ask = async <Data>(path: string): Promise<Data> =>
      ((await (await fetch(new URL(path, api))).json()) as { readonly data: Data }).data;
    const { contacts } = await ask<{ readonly contacts: readonly { readonly id: string; readonly email: string }[] }>(
      "contacts?limit=1000",
    );
    let silent = "";
    for (const { id, email } of contacts) {
      silent = id;
      const sent = `messages?limit=1&from=${encodeURIComponent(email)}`;
      if ((await ask<{ readonly pagination: { readonly total: number } }>(sent)).pagination.total === 0) break;
    }
    const page = await company.newPage({ width: 390, height: 800 });
    await page.goto(`${company.base()}/people/${silent}`);
    await page.locator(".time-chart .bars").waitFor();
    expect(await page.locator(".time-chart").count()).toBe(1);
    await page.close();
  });

  it("shows the only day of a result as a bar under one date", async () => {
    const page = await company.newPage({ width: 1280, height: 800 });
    const drawn = drawnView(page);
    await page.goto(`${company.base()}/search?q=on:2021-11-15`);
    await drawn();
    const [bar, ...others] = await page.locator(".bars .bar").all();
    expect(others).toEqual([]);
    const { width, height } = (await bar!.boundingBox())!;
    expect(width).toBeLessThan(height);
    expect((await page.locator(".histogram .ends").textContent())!.match(/Nov 15, 2021/g)).toHaveLength(1);
    // The whole time range can be clicked.
    const { x, y } = (await page.locator(".bars").boundingBox())!;
    await page.mouse.move(x + 4, y + 20);
    await page.locator(".bars output").getByText("Nov 15, 2021").waitFor();
    await page.close();
  });
});

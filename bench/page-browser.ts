import type { Page } from "playwright-core";
import { launchChromium } from "../test/chromium.ts";

/** Repetitions of each measurement; reports the median and the maximum. */
const ROUNDS = 7;
/** Rows to scroll over, and rows per frame: like dragging the scroll bar for some seconds. */
const SCROLLED_ROWS = 20_000;
const ROWS_A_FRAME = 100;

/** Records first paints since the start of the page, and long tasks. */
const WATCH = `
  window.firstDrawn = (selector) => new Promise((resolve) => {
    const look = () => document.querySelector(selector) === null
      ? requestAnimationFrame(look)
      : requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    look();
  });
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration);
  }).observe({ type: "longtask", buffered: true });
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) window.shift += value;
  }).observe({ type: "layout-shift", buffered: true });`;

/** Measures the page of a server from a user's point of view. @param largest id of the largest message */
export async function benchInBrowser(url: string, largest: string): Promise<void> {
  const browser = await launchChromium();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(WATCH);
  const base = `${url}/a/local`;
  console.log("| In Chromium | median ms | worst ms | Goal ms |\n|---|---|---|---|");
  await report("first picture of the overview", 600, () => firstPicture(page, `${base}/`, ".value-list li"));
  await report("first picture of a search by its address", 800, (round) =>
    firstPicture(page, `${base}/search?q=${TYPED[round % TYPED.length]}&sort=newest`, ".row"),
  );
  await report("first picture of a conversation by its address", 800, () =>
    firstPicture(page, `${base}/message/${largest}`, "article .text-of-mail"),
  );
  await report("Enter to painted results", 150, (round) => typedQuery(page, base, TYPED[round % TYPED.length]!));
  await report("click to the painted largest message", 500, async () => {
    await page.goto(`${base}/search?sort=size`);
    await page.locator(".row").first().waitFor();
    return afterInput(page, "article.named .text-of-mail", () => page.locator(".row").first().click());
  });
  await scroll(page, base);
  await browser.close();
}

const TYPED = ["california power", "please", "meeting", "the", "contract price", "pipeline", "call me"] as const;

async function report(name: string, goalMs: number, measured: (round: number) => Promise<number>): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await measured(round));
  const sorted = times.toSorted((left, right) => left - right);
  const [median, worst] = [sorted[ROUNDS >> 1]!, sorted.at(-1)!];
  console.log(
    `| ${name} | ${median.toFixed(0)} | ${worst.toFixed(0)} | ${goalMs}${median > goalMs ? " (missed)" : ""} |`,
  );
}

/** Milliseconds from the start of a page to its first paint, without cache. */
async function firstPicture(page: Page, address: string, selector: string): Promise<number> {
  await page.goto("about:blank");
  const session = await page.context().newCDPSession(page);
  await session.send("Network.clearBrowserCache");
  await session.detach();
  await page.goto(address, { waitUntil: "commit" });
  return page.evaluate<number>(`firstDrawn(${JSON.stringify(selector)})`);
}

/** Milliseconds from an input event to the frame with its result. */
async function afterInput(page: Page, selector: string, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(`
    window.answered = new Promise((resolve) => {
      const begin = ({ timeStamp }) => firstDrawn(${JSON.stringify(selector)}).then((at) => resolve(at - timeStamp));
      for (const kind of ["keydown", "mousedown"]) addEventListener(kind, begin, { once: true, capture: true });
    });
    true`);
  await act();
  return page.evaluate<number>("answered");
}

/** Milliseconds from Enter to the frame with the results, starting from all mail without highlights. */
async function typedQuery(page: Page, base: string, query: string): Promise<number> {
  await page.goto(`${base}/search`);
  await page.locator(".row").first().waitFor();
  await page.locator("#q").fill(query);
  return afterInput(page, ".search[aria-busy=false] .row mark", () => page.locator("#q").press("Enter"));
}

/** Scrolls through many rows as fast as by dragging, and returns the longest task. */
async function scroll(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/search`);
  await page.locator(".row").first().waitFor();
  const { rows, nodes } = await page.evaluate<{ rows: number; nodes: number }>(`new Promise((resolve) => {
    const box = document.querySelector(".rows");
    const height = box.querySelector("li").offsetHeight;
    window.longTasks.length = 0;
    let row = 0, nodes = 0;
    const step = () => {
      row += ${ROWS_A_FRAME};
      box.scrollTop = row * height;
      nodes = Math.max(nodes, document.querySelectorAll("*").length);
      if (row < ${SCROLLED_ROWS}) requestAnimationFrame(step);
      else setTimeout(() => resolve({ rows: Math.round(box.scrollTop / height), nodes }), 500);
    };
    step();
  })`);
  const longest = await page.evaluate<number>("Math.max(0, ...longTasks)");
  const shift = await page.evaluate<number>("shift");
  console.log(
    `\n${rows} rows scrolled: longest task ${longest.toFixed(0)} ms (goal 100), ${nodes} nodes at most, layout shift ${shift.toFixed(3)}`,
  );
}

import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROWSER } from "../chromium.ts";
import { drawnView, type ServedWeb, serveWeb } from "./web-fixture.ts";

/** System preferences of a reader that every page follows: reduced motion, forced colors. */

const VIEWS = ["", "search?q=berth&m=msg-000001", "message/msg-000001", "people", "notebook", "hits", "graph"];

let web: ServedWeb;

beforeAll(async () => {
  if (BROWSER !== undefined) web = await serveWeb({ hasNotebook: true });
});
afterAll(() => web?.stop());

async function openPage(options: BrowserContextOptions): Promise<Page> {
  const context = await web.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  return context.newPage();
}

/** Records animations as they begin: short ones may be over when the test looks. */
const WATCH_MOVEMENTS = `window.moving = [];
  for (const kind of ["transitionrun", "animationstart"])
    addEventListener(kind, ({ target, animationName, propertyName }) =>
      window.moving.push(target.className + " " + (animationName ?? propertyName)), true);`;
/** Animations up to the second next frame, in which events of the next one have arrived. */
const NEXT_MOVEMENTS = `new Promise((looked) =>
  requestAnimationFrame(() => requestAnimationFrame(() => looked(window.moving.splice(0)))))`;

/** Names of animations while a view waits for responses, and while a notice appears. */
async function movements(reducedMotion: "reduce" | "no-preference"): Promise<readonly string[]> {
  const page = await openPage({ reducedMotion });
  const drawn = drawnView(page);
  await page.addInitScript(WATCH_MOVEMENTS);
  const moving: string[] = [];
  const look = async (view: string): Promise<void> => {
    const names = await page.evaluate<readonly string[]>(NEXT_MOVEMENTS);
    moving.push(...names.map((name) => `${view}: ${name}`));
  };
  for (const view of VIEWS) {
    await page.goto(`${web.base}/a/local/${view}`);
    await drawn();
    await page.keyboard.press("c");
    await page.locator(".notice.shown").waitFor();
    await look(view);
  }
  await page.route("**/api/explore/**", () => {});
  await page.goto(`${web.base}/a/local/people`);
  await page.locator(".skeleton.shown").waitFor();
  await look("waiting");
  await page.context().close();
  return moving;
}

describe.skipIf(BROWSER === undefined)("reduced motion", () => {
  it("removes animations for users who prefer reduced motion, and only for them", async () => {
    expect(await movements("reduce")).toEqual([]);
    expect((await movements("no-preference")).length).toBeGreaterThan(VIEWS.length);
  });
});

/** The focused element if its focus is invisible; otherwise empty. */
const UNSEEN_FOCUS = `(() => {
  const focused = document.activeElement;
  const isSeen = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
  };
  const frames = [focused, focused.closest("form"), focused.closest(".filter-box"), focused.closest("label")];
  if (focused === document.body || focused.matches("main")) return "";
  return frames.some((frame) => frame !== null && isSeen(frame)) ? "" : focused.outerHTML.slice(0, 120);
})()`;
/** Steps through a view with Tab. */
const STEPS = 40;

describe.skipIf(BROWSER === undefined)("forced colors", () => {
  it.each(VIEWS)("the focus is always visible: /%s", async (view) => {
    const page = await openPage({ forcedColors: "active" });
    const drawn = drawnView(page);
    await page.goto(`${web.base}/a/local/${view}`);
    await drawn();
    const unseen = new Set<string>();
    for (let step = 0; step < STEPS; step++) {
      await page.keyboard.press("Tab");
      unseen.add(await page.evaluate<string>(UNSEEN_FOCUS));
    }
    unseen.delete("");
    expect([...unseen]).toEqual([]);
    await page.context().close();
  });

  it("selection and progress are visible with forced colors", async () => {
    const page = await openPage({ forcedColors: "active" });
    const drawn = drawnView(page);
    await page.goto(`${web.base}/a/local/search?q=berth&m=msg-000001`);
    await drawn();
    await page.keyboard.press("j");
    const styleOf = (selector: string, name: string): Promise<string> =>
      page.evaluate<string>(`getComputedStyle(document.querySelector("${selector}")).getPropertyValue("${name}")`);
    expect(await styleOf(".row.cursor", "outline-style")).not.toBe("none");
    await page.goto(`${web.base}/a/local/`);
    await drawn();
    expect(await styleOf(".value-list .share", "background-color")).not.toBe(
      await styleOf(".value-list", "background-color"),
    );
    await page.context().close();
  });
});

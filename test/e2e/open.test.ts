import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { scratchDirectory } from "./cli.ts";
import { LETTERS, rawMessage, writeMbox } from "./fixture-mail.ts";
import { killAll, type Started, start, until } from "./running-programs.ts";

const HELD_PHASE = pathToFileURL(join(import.meta.dirname, "held-phase.mjs")).href;

const scratch = scratchDirectory("open");
const home = join(scratch, "home");
const bin = join(scratch, "bin");
const opened = join(scratch, "opened");
const mbox = join(scratch, "harbour.mbox");
const archive = join(home, "Archives", "harbour");

beforeAll(() => {
  mkdirSync(bin);
  mkdirSync(home);
  writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nprintf '%s\\n' "$@" >> "${opened}"\n`, { mode: 0o755 });
});
afterEach(() => {
  killAll();
  rmSync(opened, { force: true });
});

/** Starts the command line for a user with a home and a browser. */
function run(args: readonly string[], flags: readonly string[] = [], held = ""): Started {
  return start(args, { HOME: home, USERPROFILE: home, PATH: `${bin}:/bin:/usr/bin`, HELD_PHASE: held }, flags);
}

const addressIn = (printed: string): string => /http:\/\/127\.0\.0\.1:\d+/.exec(printed)![0];
/** Waits until the browser was opened, and returns the addresses passed to it. */
async function openedPages(): Promise<string> {
  await until("the browser", () => existsSync(opened) && readFileSync(opened, "utf8").endsWith("\n"));
  return readFileSync(opened, "utf8");
}
const served = (one: Started): Promise<void> => until("the archive", () => one.printed().includes("is served on"));

async function total(one: Started): Promise<number> {
  const answer = await fetch(`${addressIn(one.printed())}/api/status`);
  return ((await answer.json()) as { readonly dataset: { readonly messages: number } }).dataset.messages;
}

async function end(one: Started): Promise<number | null> {
  one.child.kill("SIGINT");
  return one.closed;
}

describe.skipIf(process.platform !== "linux")("open", () => {
  it("extracts mail into a named directory, shows it, and opens it again at once", async () => {
    writeMbox(mbox, LETTERS.map(rawMessage));
    const first = run(["open", mbox, "--port", "0"]);
    await served(first);
    const [named, progress] = first.printed().split("\n");
    expect(named).toBe(`Archive: ${archive}`);
    expect(progress).toMatch(/^Progress: http:/);
    const address = addressIn(first.printed());
    expect(await openedPages()).toBe(`${address}/\n`);
    expect(await total(first)).toBe(LETTERS.length);
    const page = await fetch(`${address}/opening`);
    expect([page.status, new URL(page.url).pathname]).toEqual([200, "/a/local/"]);
    expect(await end(first)).toBe(0);

    const again = run([mbox, "--no-browser"]);
    await served(again);
    expect(again.printed()).not.toContain("phase");
    expect(await total(again)).toBe(LETTERS.length);
    expect(await end(again)).toBe(0);
    expect(readFileSync(opened, "utf8")).toBe(`${address}/\n`);
  });

  it("adds changed mail, and opens an archive by its path", async () => {
    writeMbox(
      mbox,
      [...LETTERS, { ...LETTERS[0]!, id: "late@harbour.example", body: "A late letter." }].map(rawMessage),
    );
    const changed = run(["open", mbox, "--no-browser", "--port", "0"]);
    await served(changed);
    expect(await total(changed)).toBe(LETTERS.length + 1);
    expect(await end(changed)).toBe(0);
    const named = run([archive, "--no-browser", "--port", "0"]);
    await served(named);
    expect(await total(named)).toBe(LETTERS.length + 1);
    expect(await end(named)).toBe(0);
    expect(readdirSync(join(home, "Archives"))).toEqual(["harbour"]);
  });

  it("shows progress on the page, and leaves no files when it is stopped", async () => {
    const output = join(scratch, "stopped", "archive");
    const one = run(["open", mbox, "-o", output, "--port", "0"], ["--import", HELD_PHASE], "topics");
    await until("the phase", () => one.printed().includes("held\n"));
    const address = addressIn(one.printed());
    const page = await fetch(`${address}/a/local/search?q=x`);
    expect([page.status, new URL(page.url).pathname]).toEqual([200, "/opening"]);
    expect(await page.text()).toContain('"server":"opening"');
    expect((await fetch(`${address}/api/status`)).status).toBe(404);
    const events = await fetch(`${address}/agent-stream`);
    const stream = events.body!.pipeThrough(new TextDecoderStream()).getReader();
    let received = "";
    for (let isDone = false; !isDone && !received.includes('"phase":'); ) {
      const { done, value } = await stream.read();
      isDone = done;
      received += value ?? "";
    }
    expect(received).toContain('"upload_id":"local","phase":');
    expect(await end(one)).toBe(130);
    expect(one.printed()).toContain("archivetool: stopped by SIGINT");
    expect(existsSync(join(scratch, "stopped"))).toBe(false);
  });

  it.each([
    ["a missing file", "none/mail.mbox", /^archivetool: .*none\/mail\.mbox: no such file or directory$/m],
    ["a missing file with the extension of a source", "none.mbox", /^archivetool: .*none\.mbox: no such file/],
    ["a file that is no mail", join(bin, "xdg-open"), /^archivetool: .*xdg-open: not a supported mail archive/],
  ])("prints one line about %s", async (_, path, message) => {
    const one = run([path, "--port", "0"]);
    expect(await one.closed).toBe(1);
    expect(one.printed()).toMatch(message);
    expect(one.printed()).toMatch(/^archivetool: .*\n(hint: .*\n)?$/);
    expect(existsSync(opened)).toBe(false);
    expect(readdirSync(join(home, "Archives"))).toEqual(["harbour"]);
  });
});

it.skipIf(process.platform !== "linux")("service --open shows the upload page", async () => {
  const one = run(["service", "--open", "--data", join(scratch, "data"), "--port", "0"]);
  expect(await openedPages()).toBe(`${addressIn(one.printed())}/\n`);
  expect(await end(one)).toBe(0);
});

import { describe, expect, it } from "vitest";
import { writeContractArchive } from "../../../test/contract/contract-archive.ts";
import { createProgram } from "../program.ts";
import { portNumber } from "./served-archive.ts";

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((good, bad) => {
    resolve = good;
    reject = bad;
  });
  return { promise, resolve, reject };
}

/** Starts a server command on a free port, passes its address to the callback, and stops it like Ctrl-C. */
async function withServer(
  command: "api" | "serve",
  use: (url: string, path: string) => Promise<void>,
): Promise<number> {
  const file = await writeContractArchive();
  const abort = new AbortController();
  try {
    const ready = deferred<string>();
    const host = { signal: abort.signal, print: (line: string) => ready.resolve(line), writeError: () => undefined };
    const ended = (await createProgram(host)).run([command, file.path, "--port", "0", "--quiet"]);
    ended.catch(ready.reject);
    const url = /http:\/\/\S+/.exec(await ready.promise)?.[0] ?? "";
    await use(url, file.path).finally(() => abort.abort());
    return await ended;
  } finally {
    file.remove();
  }
}

describe.each(["api", "serve"] as const)("archivetool %s", (command) => {
  const search = command === "api" ? "/search" : "/api/query/search";

  it("prints its address, responds, and exits with 0 on request", async () => {
    const code = await withServer(command, async (url) => {
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      const headers = { "content-type": "application/json" };
      const answer = await fetch(url + search, { method: "POST", headers, body: '{"query":"hawser"}' });
      expect(await answer.json()).toMatchObject({ data: { results: [{ message_id: "msg-000012" }] } });
    });
    expect(code).toBe(0);
  });

  it("reports that the port is in use", async () => {
    await withServer(command, async (url, path) => {
      const port = new URL(url).port;
      const host = { signal: new AbortController().signal, print: () => undefined, writeError: () => undefined };
      await expect((await createProgram(host)).run([command, path, "--port", port, "-q"])).rejects.toMatchObject({
        code: "PORT_IN_USE",
        message: `port ${port} of 127.0.0.1 is in use`,
      });
    });
  });
});

it("accepts only port numbers", () => {
  expect([portNumber("0"), portNumber("65535")]).toEqual([0, 65535]);
  for (const text of ["", "-1", "65536", "http", "80.5", "1e3", "123456"])
    expect(() => portNumber(text)).toThrow(/--port must be a number/);
});

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";

/** True if nginx is installed. */
export const HAS_NGINX = spawnSync("nginx", ["-v"]).status === 0;

export interface NginxProxy {
  readonly url: string;
  end(): Promise<void>;
}

/** An unused port. */
export function freePort(): Promise<number> {
  return new Promise((settle) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => settle(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/**
 * Starts nginx in a directory of the test and waits until it answers.
 * @param site lines of its `http` block, given the port to listen on
 */
export async function startNginx(directory: string, site: (port: number) => string): Promise<NginxProxy> {
  const port = await freePort();
  const path = join(directory, `nginx-${port}.conf`);
  const parts = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const paths = parts.map((name) => `${name}_temp_path ${join(directory, name)};`).join(" ");
  const head = `daemon off; master_process off; pid ${path}.pid; error_log ${path}.log; events {}`;
  mkdirSync(directory, { recursive: true });
  writeFileSync(path, `${head}\nhttp { access_log off; ${paths}\n${site(port)} }\n`);
  const tested = spawnSync("nginx", ["-t", "-p", directory, "-c", path], { encoding: "utf8" });
  expect(tested.stderr).toContain("test is successful");
  const child = spawn("nginx", ["-p", directory, "-c", path], { stdio: "ignore" });
  const ended = once(child, "exit");
  const url = `http://127.0.0.1:${port}`;
  const isUp = (): Promise<boolean> =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await expect.poll(isUp).toBe(true);
  return {
    url,
    async end() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

import { spawn, spawnSync } from "node:child_process";

/** Runs a command with inherited stdio, and exits with its exit code if it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { stdio: "inherit", shell: process.platform === "win32", ...options });
  if (result.error) {
    console.error(`${command}: ${result.error.message}`);
    process.exit(1);
  }
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** Runs commands concurrently like `run`; exits on the first failure. */
export async function runTogether(...commands) {
  await Promise.all(
    commands.map(async ([command, ...args]) => {
      const child = spawn(command, args, { stdio: "inherit", shell: process.platform === "win32" });
      const status = await new Promise((resolve) => {
        child.on("error", () => resolve(1));
        child.on("close", resolve);
      });
      if (status !== 0) process.exit(status ?? 1);
    }),
  );
}

import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

// The script ends servers by their process group, which Windows has not.
it.skipIf(process.platform === "win32").each(["tarball", "global", "npx", "no scripts"])(
  "is installed into a path with blanks and used: %s",
  (way) => {
    const script = join(ROOT, "scripts", "try-installations.mjs");
    // The driver is lent, where this Node.js needs it: tests ask no registry.
    const args = [script, "--way", way, "--driver", join(ROOT, "node_modules", "better-sqlite3")];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: "utf8",
      env: { ...process.env, npm_config_offline: "true" },
    });
    expect(status, stderr + stdout).toBe(0);
    expect(stderr).toContain(`${way}: extract, search, info, serve, service`);
    if (way !== "npx") expect(stdout).toMatch(/ 1 package, [1-9]\.\d MB \|/);
  },
);

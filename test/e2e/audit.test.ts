import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

/** Runs the audit with a fake `npm` that answers like a registry. */
function audit(
  signatures: string,
  issues: string,
): { readonly code: number | null; readonly lines: readonly string[] } {
  const directory = mkdtempSync(join(tmpdir(), "archivetool-audit-"));
  try {
    const npm = join(directory, "npm");
    writeFileSync(npm, `#!/bin/sh\nif [ "$2" = signatures ]; then echo '${signatures}'; else echo '${issues}'; fi\n`);
    chmodSync(npm, 0o755);
    const env = { ...process.env, PATH: `${directory}${delimiter}${process.env["PATH"]}` };
    const { status, stdout } = spawnSync(process.execPath, [resolve("scripts/audit.mjs")], { encoding: "utf8", env });
    return { code: status, lines: stdout.trim().split("\n") };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Issues of one bundled package and one build package, with the given severity. */
const issues = (ofProgram: string, ofTools: string): string =>
  JSON.stringify({
    vulnerabilities: {
      fastify: { severity: ofProgram, nodes: ["node_modules/fastify"] },
      vitest: { severity: ofTools, nodes: ["node_modules/vitest"] },
    },
  });
const signatures = (invalid: readonly string[]): string => JSON.stringify({ invalid, missing: [] });

describe.skipIf(process.platform === "win32")("the audit of the packages", () => {
  it("passes if all packages are signed and no bundled one has a severe issue", () => {
    expect(audit(signatures([]), issues("low", "critical"))).toEqual({
      code: 0,
      lines: [
        "npm audit signatures: 0 invalid, 0 without a signature",
        "npm audit: 1 known issues of what ships, 0 of them high or critical",
      ],
    });
  });

  it("fails on a wrong signature, and on a grave issue", () => {
    expect(audit(signatures(["left-pad"]), issues("low", "low")).code).toBe(1);
    expect(audit(signatures([]), issues("high", "low")).code).toBe(1);
  });

  it("lists packages that no registry has", () => {
    expect(audit('{"error":{"code":"ENOTFOUND"}}', "npm error network")).toEqual({
      code: 0,
      lines: ["skipped: npm audit signatures (no registry responds)", "skipped: npm audit (no registry responds)"],
    });
  });
});

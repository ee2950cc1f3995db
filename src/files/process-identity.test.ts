import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { endProcess, identifyProcess, isAlive } from "./process-identity.ts";

/** A process that ignores all signals until it is killed. */
function sleeper() {
  return spawn(
    process.execPath,
    ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')"],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
}

describe.skipIf(process.platform !== "linux")("a process that another service has started", () => {
  it("is found and ended", async () => {
    const child = sleeper();
    await once(child.stdout, "data");
    const identity = identifyProcess(child.pid!);
    expect(isAlive(identity)).toBe(true);
    const exit = once(child, "exit");
    await endProcess(identity);
    expect(isAlive(identity)).toBe(false);
    expect((await exit)[1]).toBe("SIGKILL");
    await endProcess(identity);
  });

  it("is not mistaken for a later one with its number", async () => {
    const child = sleeper();
    await once(child.stdout, "data");
    const { processId, startedAt } = identifyProcess(child.pid!);
    for (const other of ["another boot 1", `${startedAt}1`]) await endProcess({ processId, startedAt: other });
    await endProcess({ processId, startedAt: null });
    expect(child.exitCode).toBeNull();
    expect(isAlive({ processId, startedAt })).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
  });

  it("does not exist under an unused number", () => {
    expect(isAlive(identifyProcess(2 ** 30))).toBe(false);
  });
});

import { spawnSync } from "node:child_process";

/** True when a program to compare with is on this machine. */
export function isInstalled(program: string): boolean {
  return spawnSync("which", [program]).status === 0;
}

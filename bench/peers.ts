import { spawnSync } from "node:child_process";

/** True if a program to compare with is installed. */
export function isInstalled(program: string): boolean {
  return spawnSync("which", [program]).status === 0;
}

import { statfs } from "node:fs/promises";
import { ArchiveError } from "../../../errors.ts";

/** Bytes that may still be written to the file system of a path. */
export type FreeBytes = (path: string) => Promise<number>;

/** Free space for an unprivileged user. */
export const freeBytes: FreeBytes = async (path) => {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
};

/** Requires a free margin after the write. @throws ArchiveError DISK_FULL */
export async function requireSpace(free: Promise<number>, neededBytes: number, marginBytes: number): Promise<void> {
  if ((await free) - marginBytes >= neededBytes) return;
  throw new ArchiveError("DISK_FULL", "not enough disk space on the server", {
    hint: "delete uploads you no longer need, or add disk space",
  });
}

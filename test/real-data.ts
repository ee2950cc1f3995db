import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Path of an item of the real data (such as `mime/mail-parser` or `enron-14-custodians`). Returns null if it is
 * missing: then skip the test.
 */
export function realData(item: string): string | null {
  const root = process.env["ARCHIVETOOL_UNPACKED_DATA"];
  if (root === undefined) return null;
  const path = join(root, item);
  return existsSync(path) ? path : null;
}

import { readFileSync } from "node:fs";
import { ArchiveError } from "../../errors.ts";

/**
 * Bytes of address space that an extraction with two workers needs. With less, V8 ends the process when a thread starts
 * ("Failed to reserve virtual memory for CodeRange"): measured between 2.05 and 2.56 GB on Node.js 20.
 */
const ADDRESS_SPACE_MIN = 2_500_000_000;

/** The limits of this process as Linux lists them; "" on other systems. */
export function processLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}

/**
 * Throws EXTRACTION_CRASHED where the address space of the process is limited too far for threads.
 * @param limits as `processLimits` returns them
 */
export function requireAddressSpace(limits: string): void {
  const bytes = /^Max address space\s+(\d+)\s/m.exec(limits)?.[1];
  if (bytes === undefined || Number(bytes) >= ADDRESS_SPACE_MIN) return;
  const [allowed, needed] = [Number(bytes), ADDRESS_SPACE_MIN].map((size) => (size / 1e9).toFixed(1));
  throw new ArchiveError("EXTRACTION_CRASHED", `not enough memory: the address space is limited to ${allowed} GB`, {
    hint: `raise the limit to ${needed} GB or more: ulimit -v ${Math.ceil(ADDRESS_SPACE_MIN / 1024)}`,
  });
}

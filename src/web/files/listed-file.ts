import type { z } from "zod";
import type { filesSchema } from "../../http/explore-api/wire/wire-tables.ts";

/** The response of `/files`. */
export type FilePage = z.infer<typeof filesSchema>;
export type ListedFile = FilePage["files"][number];

/** Clause for messages with this attachment. */
export function fileClause(sha256: string): string {
  return `sha256:${sha256}`;
}

import type { z } from "zod";
import type { filesSchema } from "../../http/explore-api/wire/wire-tables.ts";

/** The answer of `/files`. */
export type FilePage = z.infer<typeof filesSchema>;
export type ListedFile = FilePage["files"][number];

/** What finds the messages that a file is attached to. */
export function fileClause(sha256: string): string {
  return `sha256:${sha256}`;
}

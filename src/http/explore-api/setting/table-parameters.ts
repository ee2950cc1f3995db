import * as z from "zod";
import { limit, mustBe, offset } from "../../query-api/wire-requests.ts";

/** Maximum rows of a table. */
const MAX_ROWS = 500;

export const page = { limit: limit(50, MAX_ROWS), offset };

/** One of several words, or absent. */
export function oneOf<const T extends readonly [string, ...string[]]>(known: T, description: string) {
  return z
    .enum(known, { error: mustBe(`one of ${known.join(", ")}`) })
    .optional()
    .describe(description);
}

import * as z from "zod";
import { countSchema } from "../../../document/wire-values.ts";
import { rowSchema } from "../../explore-api/wire/wire.ts";
import { problemsSchema } from "../../query-api/wire.ts";
import { SERVICE_CODES } from "../../refusal.ts";

/** Result of a search in all uploads. */

const searchedArchiveSchema = z.strictObject({
  upload_id: z.string(),
  filename: z.string(),
  total: countSchema.nullable().describe("messages found; null if the archive cannot be read"),
  error: z.enum(SERVICE_CODES).nullable(),
  messages: z.array(rowSchema).describe("the best of them"),
});

export const uploadSearchSchema = z.strictObject({
  total: countSchema.describe("sum over the archives"),
  searched: countSchema.describe("archives that were searched; those without results are not listed"),
  problems: problemsSchema,
  archives: z.array(searchedArchiveSchema).describe("most results first"),
});

export type UploadSearchWire = z.infer<typeof uploadSearchSchema>;
export type SearchedArchiveWire = z.infer<typeof searchedArchiveSchema>;

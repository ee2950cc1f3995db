import * as z from "zod";
import type { Archive, ArchivedMessage } from "../mail/archive.ts";
import type { Attachment } from "../mail/records/message.ts";
import type { Place, ToolResult } from "./answer.ts";

/** Default tokens of an answer: small enough for an assistant to keep its context. */
export const DEFAULT_TOKENS = 2000;
/** Bounds of a requested length. */
const MIN_TOKENS = 500;
export const MAX_TOKENS = 20_000;

/** Parameters of every tool. */
const PAGE_PARAMETERS = {
  cursor: z.string().max(32).optional().describe("cursor returned by the previous call"),
  max_tokens: z
    .number()
    .int()
    .min(MIN_TOKENS)
    .max(MAX_TOKENS)
    .default(DEFAULT_TOKENS)
    .describe("estimated maximum length of the result"),
};

/** Data that tools read. */
export interface MailSource {
  readonly archive: Archive;
  /**
   * Text of an attachment, read from its source; "" if its kind is not supported. @throws ArchiveError ORIGINAL_MOVED
   * and other errors of originals
   */
  fileText(message: ArchivedMessage, attachment: Attachment): Promise<string>;
}

/** One tool: its description for clients and its query. */
export interface ToolRow {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: z.ZodObject;
  /** @param start block and offset at which the answer begins */
  find(source: MailSource, parameters: unknown, start: Place): Promise<ToolResult>;
}

/** A tool with a typed `find`. */
interface WrittenTool<P extends z.ZodRawShape> extends Omit<ToolRow, "parameters" | "find"> {
  readonly parameters: P;
  find(source: MailSource, parameters: z.infer<z.ZodObject<P>>, start: Place): Promise<ToolResult>;
}

export function toolRow<P extends z.ZodRawShape>({ parameters, find, ...tool }: WrittenTool<P>): ToolRow {
  return {
    ...tool,
    parameters: z.object({ ...parameters, ...PAGE_PARAMETERS }),
    find: (source, given, start) => find(source, given as z.infer<z.ZodObject<P>>, start),
  };
}

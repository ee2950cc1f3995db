import type { FastifyRequest } from "fastify";
import * as z from "zod";
import { ArchiveError } from "../errors.ts";
import { formatText, formatValue } from "./format-value.ts";

/** A whole number in plain decimal; no sign, no exponent, no blanks. */
const DECIMAL = /^\d{1,16}$/;

/**
 * Parses the query string by the schema of each parameter. Unknown parameters are ignored. Throws INVALID_QUERY with
 * the name of the parameter, the value and what is allowed.
 */
export function checkedParameters<T extends z.ZodObject>(
  schema: T,
  query: Readonly<Record<string, unknown>>,
): z.infer<T> {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = Object.hasOwn(query, name) ? query[name] : undefined;
    if (Array.isArray(value))
      throw new ArchiveError("INVALID_QUERY", `${name} must be given once, not ${value.length} times`);
    if (value === undefined) continue;
    values[name] =
      isNumeric(schema.shape[name]) && typeof value === "string" && DECIMAL.test(value) ? Number(value) : value;
  }
  return checkedValue(schema, values, "");
}

/** The same for the query string of a request. */
export function queryOf<T extends z.ZodObject>(schema: T, { query }: Pick<FastifyRequest, "query">): z.infer<T> {
  return checkedParameters(schema, query as Readonly<Record<string, unknown>>);
}

/** A validated value, or INVALID_QUERY for the first error; `whole` names the value itself. */
export function checkedValue<T extends z.ZodType>(schema: T, value: unknown, whole: string): z.infer<T> {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  const issue = error.issues[0];
  const path = issue === undefined || issue.path.length === 0 ? whole : issue.path.map(String).join(".");
  throw new ArchiveError("INVALID_QUERY", `${path} ${issue?.message ?? "is not valid"}`);
}

function isNumeric(schema: unknown): boolean {
  return schema instanceof z.ZodDefault ? isNumeric(schema.unwrap()) : schema instanceof z.ZodNumber;
}

/**
 * The JSON value of a request body. Throws INVALID_QUERY when the content type is not JSON, or the bytes are not UTF-8
 * or not JSON. JSON.parse keeps its own stack, so deep nesting cannot overflow ours.
 */
export function jsonBody(bytes: unknown, contentType: string | undefined): unknown {
  const mediaType = contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (mediaType !== "application/json") {
    throw new ArchiveError("INVALID_QUERY", `content-type must be application/json, not ${formatValue(mediaType)}`);
  }
  if (!(bytes instanceof Uint8Array) || bytes.length === 0)
    throw new ArchiveError("INVALID_QUERY", "body must be JSON, not empty");
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    const reason = cause instanceof Error ? formatText(cause.message) : "";
    throw new ArchiveError("INVALID_QUERY", `body must be JSON in UTF-8: ${reason}`, { cause });
  }
}

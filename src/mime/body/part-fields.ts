import type { Disposition } from "../../mail/records/message.ts";
import { decodeHeaderText } from "../syntax/encoded-words.ts";

/** Types of texts as some programs misname them. */
const MISNAMED_TYPES: ReadonlyMap<string, string> = new Map([
  ["plain/text", "text/plain"],
  ["html/text", "text/html"],
  ["text/x-html", "text/html"],
  ["html", "text/html"],
]);

/** Incomplete types from real mail. An invalid type means text (RFC 2045 5.2), or a file if it has a name. */
export function mediaTypeOf(value: string, filename: string): string {
  const slash = value.indexOf("/");
  const meant = MISNAMED_TYPES.get(value);
  if (meant !== undefined) return meant;
  if (slash > 0 && slash < value.length - 1) return value;
  if (value === "multipart" || value === "multipart/") return "multipart/mixed";
  return filename === "" || value.startsWith("text") ? "text/plain" : "application/octet-stream";
}

/** RFC 2045 section 5.1. */
const TOKEN = /^[\w!#$%&'*+.^`{|}~-]+$/;

export function dispositionOf(value: string | undefined): Disposition | null {
  // A field of a web form is shown unless it is a file.
  if (value === undefined || value === "" || value === "form-data") return null;
  if (value === "inline") return value;
  // RFC 2183 2.8: an unknown disposition is an attachment. Invalid tokens are ignored.
  return TOKEN.test(value) ? "attachment" : null;
}

export function contentIdOf(field: string): string | null {
  if (field === "") return null;
  const id = decodeHeaderText(field).replace(/[<>\s]/g, "");
  return id === "" ? null : id;
}

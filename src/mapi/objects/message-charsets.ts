import { isUnicodeCharset } from "../../charset/decode-charset.ts";
import { firstField, parseHeaderBlock } from "../../mime/syntax/header-block.ts";
import { readParameterizedField } from "../../mime/syntax/parameters.ts";
import type { Properties } from "../../properties/properties.ts";
import { PID } from "../../properties/property-ids.ts";
import {
  ansiOfInternetCodePage,
  ansiOfLocale,
  charsetOfCodePage,
  type TextCharsets,
  textCharsets,
} from "../../properties/text-code-page.ts";

/** Charsets declared by one message: its code page, then those of transport, locale and headers. */
export function declaredCharsets(properties: Properties): TextCharsets {
  const own = properties.integer(PID.messageCodePage);
  const sent = properties.integer(PID.internetCodePage);
  const locale = properties.integer(PID.messageLocaleId);
  const ansi = charsetOfCodePage(ansiOfInternetCodePage(sent));
  // Latin charsets are inconclusive about the origin.
  const isTelling = ansi !== null || (sent !== null && isUnicodeCharset(charsetOfCodePage(sent) ?? ""));
  return textCharsets([
    charsetOfCodePage(own),
    ansi,
    charsetOfCodePage(ansiOfLocale(locale)),
    own === null && locale === null && ansi === null ? headerCharset(properties) : null,
    isTelling ? charsetOfCodePage(sent) : null,
  ]);
}

/**
 * Charsets of the 8-bit texts of a message, likeliest first. @param ofFile declared charsets of the surrounding file
 */
export function messageCharsets(properties: Properties, ofFile: TextCharsets): TextCharsets {
  const declared = declaredCharsets(properties);
  return ofFile.length === 0 ? declared : textCharsets([...declared, ...ofFile]);
}

/** Finds the field by a search, since headers are long and every message has one. */
const CONTENT_TYPE = /^content-type[ \t]*:/im;
/** Maximum characters read of the field. */
const MAX_FIELD = 1024;

/** The charset of the Content-Type among the transport headers; null for Unicode and ASCII, which are inconclusive. */
function headerCharset(properties: Properties): string | null {
  const headers = properties.text(PID.transportHeaders) ?? "";
  const at = headers.search(CONTENT_TYPE);
  if (at < 0) return null;
  const lines = Buffer.from(headers.slice(at, at + MAX_FIELD), "latin1");
  const field = firstField(parseHeaderBlock(lines), "content-type");
  const charset = readParameterizedField(field).parameters.get("charset") ?? null;
  return charset === null || isUnicodeCharset(charset) ? null : charset;
}

import type { Disposition } from "../../mail/records/message.ts";
import type { MimeFindingCode } from "../syntax/findings.ts";
import {
  fieldStart,
  findField,
  firstField,
  type HeaderBlock,
  rawField,
  scanHeaderBlock,
} from "../syntax/header-block.ts";
import { endOfLeadIn } from "../syntax/lead-in.ts";
import { ENCODING_FIELD, readParameterizedField } from "../syntax/parameters.ts";
import { type Delimiter, guessedBoundary, OpenBoundaries, usesBoundary } from "./boundaries.ts";
import { type LostMultipart, lostMultipart, PREAMBLE_WORD } from "./lost-multipart.ts";
import { messageBytes, withLineFeeds } from "./message-bytes.ts";
import { contentIdOf, dispositionOf, mediaTypeOf } from "./part-fields.ts";
import { partName } from "./part-name.ts";
import { decodeTransfer, type TransferEncoding, transferEncoding } from "./transfer-encoding.ts";

/** A node of the MIME tree (RFC 2045): spans over the bytes of the message; decoded on access. */
export interface MimeEntity {
  /** The bytes that all offsets refer to: the message, or a copy of the same length if its line ends were bare CRs. */
  readonly source: Buffer;
  readonly headers: HeaderBlock;
  readonly start: number;
  readonly bodyStart: number;
  /** End of the body, before the line break that belongs to a boundary. */
  readonly end: number;
  /** Lower case `type/subtype`. */
  readonly mediaType: string;
  /** Decoded Content-Type parameters by lower-case name. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly charset: string | null;
  /** Charset of text without one that is not UTF-8, or null. */
  readonly unnamedCharset: string | null;
  readonly encoding: TransferEncoding;
  /** Decoded; "" if there is none. */
  readonly filename: string;
  /** Null if not declared. */
  readonly disposition: Disposition | null;
  /** Content-ID without angle brackets. */
  readonly contentId: string | null;
  /** Parts of a multipart; the one nested message of a message/rfc822. */
  readonly children: readonly MimeEntity[];
  readonly findings: readonly MimeFindingCode[];
}

/** Maximum depth of opened parts: real mail nests below ten, attacks a hundred thousand deep. */
export const MAX_NESTING_DEPTH = 100;
/** Maximum parts of a message; the rest is one part. The largest known digests have some hundreds. */
export const MAX_PARTS = 10_000;

/** A node while its end and children are still being found. */
interface OpenEntity extends Omit<MimeEntity, "end" | "children" | "findings" | "mediaType"> {
  end: number;
  mediaType: string;
  readonly children: OpenEntity[];
  readonly findings: MimeFindingCode[];
}

/** Maximum nesting of opened multiparts that are themselves encoded. */
const MAX_ENCODED_LEVELS = 8;

/** An entity that encloses the next content. A message/rfc822 has no boundary. */
interface Frame {
  readonly entity: OpenEntity;
  readonly boundary: string | null;
  readonly defaultMediaType: string;
}

interface Walk {
  readonly source: Buffer;
  readonly frames: Frame[];
  readonly boundaries: OpenBoundaries;
  partCount: number;
  /** Charset of the first text part, used for raw 8-bit names of files after it. */
  textCharset: string | null;
  readonly unnamedCharset: string | null;
}

/**
 * Parses the MIME tree of a message in one pass, without recursion. Never throws; irregularities become findings of the
 * part.
 */
export function readStructure(bytes: Buffer, unnamedCharset: string | null = null): MimeEntity {
  return readTree(messageBytes(bytes), { level: 0, unnamedCharset });
}

/** @param level number of enclosing encoded multiparts */
function readTree(
  source: Buffer,
  { level, unnamedCharset }: Pick<Walk, "unnamedCharset"> & { level: number },
): OpenEntity {
  const walk: Walk = {
    source,
    frames: [],
    boundaries: new OpenBoundaries(source),
    partCount: 0,
    textCharset: null,
    unnamedCharset,
  };
  const root = openEntity(walk, {
    start: endOfLeadIn(source, 0, source.length),
    limit: source.length,
    defaultMediaType: "text/plain",
  });
  const lost = isPlainBody(root) ? lostMultipart(source, root.bodyStart) : null;
  if (lost !== null) openLost(walk, root, lost);
  if (walk.frames.length > 0 || root.mediaType.startsWith("multipart/")) readParts(walk, root, level);
  if (lost !== null && isAlternative(root)) root.mediaType = "multipart/alternative";
  return root;
}

function isPlainBody({ mediaType, encoding, filename, disposition }: OpenEntity): boolean {
  return mediaType === "text/plain" && encoding === "identity" && filename === "" && disposition !== "attachment";
}

function openLost(walk: Walk, root: OpenEntity, { boundary, firstPart }: LostMultipart): void {
  root.mediaType = "multipart/mixed";
  root.findings.push("multipart-not-named");
  walk.frames.push({ entity: root, boundary, defaultMediaType: "text/plain" });
  walk.boundaries.open(boundary);
  if (firstPart === null) return;
  const limit = walk.boundaries.next(firstPart)?.contentEnd ?? walk.source.length;
  addPart(walk, root, { start: firstPart, limit, defaultMediaType: "text/plain" });
}

/** True for exactly one plain text and one HTML page, which have the same content. */
function isAlternative({ children }: OpenEntity): boolean {
  return (
    children.length === 2 &&
    children[0]!.mediaType === "text/plain" &&
    children[1]!.mediaType === "text/html" &&
    children.every(({ disposition }) => disposition !== "attachment")
  );
}

function readParts(walk: Walk, root: OpenEntity, level: number): void {
  let delimiter = walk.boundaries.next(innermostBody(root));
  addUndelimitedPart(walk, delimiter);
  while (delimiter !== null) {
    closeAbove(walk, delimiter.frame, delimiter.contentEnd);
    const position = delimiter.lineEnd;
    if (delimiter.isClose) {
      endMultipart(walk, delimiter);
      delimiter = walk.boundaries.next(position);
      continue;
    }
    const frame = walk.frames[delimiter.frame]!;
    if (walk.partCount >= MAX_PARTS) {
      addRest(walk, frame.entity, position);
      break;
    }
    // A part extends to the next delimiter: its header must not include one, and the search is done once.
    const upcoming = walk.boundaries.next(position);
    const limit = Math.max(position, upcoming === null ? walk.source.length : upcoming.contentEnd);
    const openBefore = walk.frames.length;
    const part = openEntity(walk, { start: position, limit, defaultMediaType: frame.defaultMediaType });
    frame.entity.children.push(part);
    if (walk.frames.length === openBefore) delimiter = upcoming;
    else {
      delimiter = walk.boundaries.next(innermostBody(part));
      addUndelimitedPart(walk, delimiter);
    }
  }
  for (const { entity, boundary } of walk.frames) if (boundary !== null) entity.findings.push("multipart-not-closed");
  settleEmpty(walk.source, root, level);
}

/** Closes a multipart at its closing line, unless another of its parts follows at once. */
function endMultipart({ boundaries, frames }: Walk, delimiter: Delimiter): void {
  if (boundaries.isReopened(delimiter)) return;
  boundaries.close(delimiter.frame);
  frames.length = delimiter.frame;
}

/**
 * Adds a part whose boundary line was lost: the header of its multipart continues with the Content-Type of a text, and
 * the text becomes an invisible preamble.
 */
function addUndelimitedPart(walk: Walk, upcoming: Delimiter | null): void {
  const frame = walk.frames.at(-1);
  if (frame === undefined || frame.boundary === null || upcoming?.frame !== walk.frames.length - 1 || upcoming.isClose)
    return;
  const { entity } = frame;
  // Offsets of fields are unknown.
  if (entity.headers.findings.includes("header-cut")) return;
  const second = findField(entity.headers, "content-type", findField(entity.headers, "content-type") + 1);
  if (second < 0 || !hasText(walk.source, entity.bodyStart, upcoming.contentEnd)) return;
  if (walk.source.subarray(entity.bodyStart, upcoming.contentEnd).includes(PREAMBLE_WORD)) return;
  if (!readParameterizedField(rawField(entity.headers, second)).value.startsWith("text/")) return;
  addPart(walk, entity, {
    start: fieldStart(entity.headers, second),
    limit: upcoming.contentEnd,
    defaultMediaType: "text/plain",
  });
  entity.findings.push("delimiter-missing");
}

/** Adds a part without a boundary line. */
function addPart(walk: Walk, entity: OpenEntity, place: Place): void {
  entity.children.push(entityOf(walk, scanHeaderBlock(walk.source, place.start, place.limit), place));
  walk.partCount++;
}

function innermostBody(part: OpenEntity): number {
  let innermost = part;
  while (innermost.children.length > 0) innermost = innermost.children[0]!;
  return innermost.bodyStart;
}

/** Ends everything opened inside a frame. */
function closeAbove(walk: Walk, frame: number, contentEnd: number): void {
  for (let index = frame + 1; index < walk.frames.length; index++) {
    const { entity, boundary } = walk.frames[index]!;
    entity.end = Math.max(entity.bodyStart, contentEnd);
    if (boundary !== null) entity.findings.push("multipart-not-closed");
  }
  walk.boundaries.close(frame + 1);
  walk.frames.length = frame + 1;
}

function addRest(walk: Walk, entity: OpenEntity, position: number): void {
  entity.findings.push("too-many-parts");
  const headers: HeaderBlock = { text: "", spans: [], nameBits: 0, start: position, bodyStart: position, findings: [] };
  const place = { start: position, limit: walk.source.length, defaultMediaType: "application/octet-stream" };
  entity.children.push(entityOf(walk, headers, place));
}

/** Position of a part according to the boundaries around it. */
interface Place {
  readonly start: number;
  readonly limit: number;
  readonly defaultMediaType: string;
}

/**
 * Reads the header at an offset, and opens frames for a multipart or a nested message, down to the innermost header.
 */
function openEntity(walk: Walk, place: Place): OpenEntity {
  const { source } = walk;
  const outermost = entityOf(walk, scanHeaderBlock(source, place.start, place.limit), place);
  walk.partCount++;
  let entity = outermost;
  while (opensNestedMessage(walk, entity)) {
    walk.frames.push({ entity, boundary: null, defaultMediaType: "text/plain" });
    walk.boundaries.open(null);
    const start = endOfLeadIn(source, entity.bodyStart, place.limit);
    const nested = entityOf(walk, scanHeaderBlock(source, start, place.limit), {
      ...place,
      defaultMediaType: "text/plain",
    });
    walk.partCount++;
    entity.children.push(nested);
    entity = nested;
  }
  if (isMisnamedMultipart(entity)) {
    entity.mediaType = "multipart/mixed";
    entity.findings.push("multipart-not-named");
  }
  if (entity.mediaType.startsWith("multipart/")) openMultipart(walk, entity);
  return outermost;
}

/** True for a misspelled type, such as `mulitpart/mixed`, with a boundary that the body uses. */
function isMisnamedMultipart({ mediaType, parameters, source, bodyStart, end }: OpenEntity): boolean {
  const boundary = parameters.get("boundary");
  if (boundary === undefined || boundary === "" || /^(?:multipart|message|text)\//.test(mediaType)) return false;
  return bodyStart > 0 && usesBoundary(source.subarray(bodyStart - 1, end), boundary);
}

function isTooDeep(walk: Walk, entity: OpenEntity): boolean {
  if (walk.frames.length < MAX_NESTING_DEPTH) return false;
  entity.findings.push("nesting-too-deep");
  return true;
}

function opensNestedMessage(walk: Walk, entity: OpenEntity): boolean {
  return entity.mediaType === "message/rfc822" && entity.encoding === "identity" && !isTooDeep(walk, entity);
}

function openMultipart(walk: Walk, entity: OpenEntity): void {
  if (isTooDeep(walk, entity)) return;
  const boundary = boundaryOf(walk, entity);
  if (boundary === null) return;
  const defaultMediaType = entity.mediaType === "multipart/digest" ? "message/rfc822" : "text/plain";
  walk.frames.push({ entity, boundary, defaultMediaType });
  walk.boundaries.open(boundary);
}

/**
 * The boundary parameter. If it is missing, or the first lines contradict it, the boundary that the body uses; null if
 * there is none.
 */
function boundaryOf(walk: Walk, entity: OpenEntity): string | null {
  const parameter = Buffer.from(entity.parameters.get("boundary") ?? "", "utf8").toString("latin1");
  if (parameter === "") entity.findings.push("boundary-missing");
  if (entity.bodyStart === 0) return parameter === "" ? null : parameter;
  const body = walk.source.subarray(entity.bodyStart - 1, entity.end);
  // A boundary must not end in blanks (RFC 2046 5.1.1); they are often missing in the body.
  const stated = parameter.endsWith(" ") && !usesBoundary(body, parameter) ? parameter.trimEnd() : parameter;
  const guessed = guessedBoundary(body, stated, walk.boundaries);
  if (guessed === null) return stated === "" ? null : stated;
  entity.findings.push("boundary-guessed");
  return guessed;
}

/** Multiparts without parts are read as text. */
function settleEmpty(source: Buffer, root: OpenEntity, level: number): void {
  const stack = [root];
  for (let entity = stack.pop(); entity !== undefined; entity = stack.pop()) {
    for (const child of entity.children) stack.push(child);
    const isEmpty = entity.children.length === 0 && entity.mediaType.startsWith("multipart/");
    if (!isEmpty || entity.findings.includes("nesting-too-deep")) continue;
    if (level < MAX_ENCODED_LEVELS && openEncoded(entity, level)) continue;
    if (hasText(source, entity.bodyStart, entity.end)) {
      entity.findings.push("boundary-not-found");
      entity.mediaType = "text/plain";
    }
  }
}

/**
 * Opens a multipart that was encoded as a whole, which RFC 2045 6.4 forbids, but some programs do. Returns false if its
 * decoded body has no parts either.
 */
function openEncoded(entity: OpenEntity, level: number): boolean {
  const { source, start, bodyStart, end, encoding } = entity;
  if (encoding === "identity") return false;
  const decoded = decodeTransfer(source.subarray(bodyStart, end), encoding);
  const whole = withLineFeeds(Buffer.concat([source.subarray(start, bodyStart), decoded]));
  const inner = readTree(whole, { level: level + 1, unnamedCharset: entity.unnamedCharset });
  if (inner.children.length === 0) return false;
  for (const child of inner.children) entity.children.push(child);
  const unclosed = entity.findings.indexOf("multipart-not-closed");
  if (unclosed >= 0 && !inner.findings.includes("multipart-not-closed")) entity.findings.splice(unclosed, 1);
  entity.findings.push("multipart-encoded");
  return true;
}

function hasText(source: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (source[at]! > 0x20) return true;
  return false;
}

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

function entityOf(walk: Walk, headers: HeaderBlock, place: Place): OpenEntity {
  const findings = [...headers.findings];
  const contentType = firstField(headers, "content-type");
  const type = contentType === "" ? null : readParameterizedField(contentType, walk.textCharset);
  const dispositionField = firstField(headers, "content-disposition");
  const disposition = dispositionField === "" ? null : readParameterizedField(dispositionField, walk.textCharset);
  const encodingField = firstField(headers, ENCODING_FIELD);
  const encoding = transferEncoding(
    encodingField === "" ? (type?.parameters.get(ENCODING_FIELD) ?? "") : encodingField,
  );
  if (encoding === null) findings.push("encoding-unknown");
  const parameters = type?.parameters ?? NO_PARAMETERS;
  const charset = parameters.get("charset") ?? null;
  if (charset !== null && type?.value.startsWith("text/") === true) walk.textCharset ??= charset;
  const filename = partName(headers, { type, disposition });
  return {
    source: walk.source,
    headers,
    start: headers.start,
    bodyStart: headers.bodyStart,
    end: place.limit,
    mediaType: type === null ? place.defaultMediaType : mediaTypeOf(type.value, filename),
    parameters,
    charset,
    unnamedCharset: walk.unnamedCharset,
    encoding: encoding ?? "identity",
    filename,
    disposition: dispositionOf(disposition?.value),
    contentId: contentIdOf(firstField(headers, "content-id")),
    children: [],
    findings,
  };
}

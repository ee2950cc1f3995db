import { formatOfName } from "../../mail/records/source-formats.ts";
import { wordSet } from "../../mail/words/word-table.ts";
import type { MimeEntity } from "./structure.ts";

/** Leaf parts of a message by their use (RFC 8621 section 4.1.4). A part may be in both body lists. */
interface SelectedParts {
  readonly text: readonly MimeEntity[];
  readonly html: readonly MimeEntity[];
  readonly attachments: readonly MimeEntity[];
  readonly calendars: readonly MimeEntity[];
}

/** State passed from a multipart to its parts. `text` or `html` is null once the other kind was selected. */
interface Branch {
  readonly subtype: string;
  readonly isInAlternative: boolean;
  text: MimeEntity[] | null;
  html: MimeEntity[] | null;
}

/** A multipart whose parts are laid out by a presentation, like multimedia messages of phones: every text is shown. */
const PRESENTATION = "application/smil";

/** A multipart during the traversal. */
interface Visit extends Branch {
  readonly parts: readonly MimeEntity[];
  /** Index of the root part, to which the others belong (RFC 2387 3.2). */
  readonly root: number;
  readonly isPresentation: boolean;
  next: number;
  readonly textCount: number;
  readonly htmlCount: number;
}

interface Selection {
  readonly text: MimeEntity[];
  readonly html: MimeEntity[];
  readonly attachments: MimeEntity[];
  readonly calendars: MimeEntity[];
}

/** Types shown as text although they are neither plain nor HTML: older formats whose source is readable. */
const READABLE_TYPES = wordSet(
  "text/plain text/enriched text/richtext text/markdown text/x-markdown text/x-plain text/ascii text",
);

/** Chooses body and attachment parts; nested messages are attachments and not entered. Iterative. */
export function selectParts(root: MimeEntity): SelectedParts {
  const selection: Selection = { text: [], html: [], attachments: [], calendars: [] };
  const stack: Visit[] = [
    visit([root], null, { subtype: "mixed", isInAlternative: false, text: selection.text, html: selection.html }),
  ];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const index = top.next;
    top.next++;
    if (index >= top.parts.length) {
      endVisit(top);
      stack.pop();
      continue;
    }
    const part = top.parts[index]!;
    if (!part.mediaType.startsWith("multipart/") || part.findings.includes("nesting-too-deep"))
      placeLeaf(part, index, top, selection);
    else {
      const subtype = part.mediaType.slice("multipart/".length);
      const isInAlternative = top.isInAlternative || subtype === "alternative";
      stack.push(visit(part.children, part, { subtype, isInAlternative, text: top.text, html: top.html }));
    }
  }
  if (root.mediaType === "multipart/report" && selection.text.length === 0 && selection.html.length === 0)
    selection.text.push(...root.children.filter(({ mediaType }) => REPORT_TYPES.has(mediaType)));
  return selection;
}

/** Text of a report without a readable part; it stays a file as well. */
const REPORT_TYPES = wordSet("message/delivery-status message/disposition-notification message/feedback-report");

/** Fields are listed individually: copying with a spread took a third of the time of a short message. */
function visit(parts: readonly MimeEntity[], multipart: MimeEntity | null, from: Branch): Visit {
  return {
    subtype: from.subtype,
    isInAlternative: from.isInAlternative,
    parts,
    root: multipart === null || from.subtype !== "related" ? 0 : rootOf(multipart),
    isPresentation: parts.some(({ mediaType }) => mediaType === PRESENTATION),
    next: 0,
    text: from.text,
    html: from.html,
    textCount: from.text === null ? -1 : from.text.length,
    htmlCount: from.html === null ? -1 : from.html.length,
  };
}

/**
 * The part that `start` names; else the first part of the type that `type` names; else the first page, if the first part
 * is not one; else the first part.
 */
function rootOf({ children, parameters }: MimeEntity): number {
  const start = parameters.get("start")?.replace(/[<>\s]/g, "") ?? "";
  const named = start === "" ? -1 : children.findIndex(({ contentId }) => contentId === start);
  if (named >= 0) return named;
  const type = parameters.get("type")?.trim().toLowerCase() ?? "";
  const typed = children.findIndex(({ mediaType }) => mediaType === type);
  if (typed >= 0) return typed;
  return isReadable(children[0]) ? 0 : Math.max(0, children.findIndex(isReadable));
}

function isReadable(part: MimeEntity | undefined): boolean {
  return part !== undefined && (part.mediaType === "text/html" || part.mediaType.startsWith("multipart/"));
}

/** Assigns a leaf; the rules are in order of precedence. */
function placeLeaf(part: MimeEntity, index: number, visit: Visit, selection: Selection): void {
  if (part.mediaType === "text/calendar") {
    selection.calendars.push(part);
    if (part.disposition === "attachment" || part.filename !== "") selection.attachments.push(part);
    return;
  }
  if (part.mediaType === "application/ics" || isUntypedCalendar(part)) selection.calendars.push(part);
  const kind = bodyKind(part, visit);
  const isShown = index === visit.root || (visit.subtype !== "related" && part.filename === "") || visit.isPresentation;
  // Gateways send the texts of a presentation as files.
  const isFile = part.disposition === "attachment" && !(visit.isPresentation && part.mediaType === "text/plain");
  if (kind === null || isFile || !isShown) selection.attachments.push(part);
  else placeBody(part, kind, visit);
}

/** True for a calendar file sent as bytes without a type. */
function isUntypedCalendar({ mediaType, filename }: MimeEntity): boolean {
  return mediaType === "application/octet-stream" && formatOfName(filename)?.name === "ics";
}

function placeBody(part: MimeEntity, kind: "text" | "html", visit: Visit): void {
  if (visit.subtype === "alternative") {
    (kind === "text" ? visit.text : visit.html)?.push(part);
    return;
  }
  if (visit.isInAlternative) {
    if (kind === "text") visit.html = null;
    else visit.text = null;
  }
  visit.text?.push(part);
  visit.html?.push(part);
}

function bodyKind({ mediaType }: MimeEntity, { subtype, parts }: Visit): "text" | "html" | null {
  if (mediaType === "text/html" || mediaType === "application/xhtml+xml") return "html";
  if (mediaType === "text/plain") return "text";
  if (!READABLE_TYPES.has(mediaType)) return null;
  // In an alternative, a plain or HTML part has the same content.
  return subtype === "alternative" && parts.some((twin) => isTwin(twin.mediaType)) ? null : "text";
}

function isTwin(mediaType: string): boolean {
  return mediaType === "text/plain" || mediaType === "text/html" || mediaType.startsWith("multipart/");
}

/** An alternative with only one kind serves as both (RFC 8621 4.1.4). */
function endVisit(visit: Visit): void {
  const { text, html } = visit;
  if (visit.subtype !== "alternative" || text === null || html === null) return;
  if (text.length === visit.textCount) for (let at = visit.htmlCount; at < html.length; at++) text.push(html[at]!);
  else if (html.length === visit.htmlCount) for (let at = visit.textCount; at < text.length; at++) html.push(text[at]!);
}

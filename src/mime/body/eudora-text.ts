import { SPACE } from "../../mail/words/ascii.ts";
import { enrichedToText } from "./enriched-text.ts";
import { unfoldFlowed } from "./flowed-text.ts";

/** A body as stored by Eudora: only the text of a message, with a mark of its type. */
interface EudoraBody {
  readonly text: string | null;
  readonly html: string | null;
}

const OPENING = /^\s{0,200}<x-(flowed|html|rich)>/i;
/** Characters searched for the mark. */
const OPENING_LENGTH = 220;
/**
 * `Attachment Converted: "C:\EUDORA\Attach\plan.doc"`, at the end of the text, with type and number on a Mac:
 * `Attachment converted: Disk:plan.doc (WDBN/MSWD) (0001)`.
 */
const CONVERTED =
  /^Attachment [Cc]onverted: {0,9}"?([^"\n]{1,1024}?)"?(?: \([^()\n]{4,9}\) \([\dA-Fa-f]{4,8}\))? {0,9}$/gm;
/** In every such line, on Windows and on a Mac; searched for first, because few texts have one. */
const CONVERTED_SIGN = "Attachment ";
/** Maximum files of one message. */
const MAX_CONVERTED_FILES = 1_000;

/** Maximum sections of a body, one for each part of the message. */
const MAX_SECTIONS = 100;

/** The body inside the marks of Eudora, and the text after them; null for other text. @param text line ends are LF. */
export function readEudoraBody(text: string): EudoraBody | null {
  const bodies: EudoraBody[] = [];
  let rest = text;
  for (let section = firstSection(rest); section !== null; section = firstSection(rest)) {
    bodies.push(section.body);
    rest = section.rest;
    if (bodies.length === MAX_SECTIONS) break;
  }
  if (bodies.length === 0) return null;
  if (bodies.every(({ html }) => html === null))
    return { text: `${bodies.map((body) => body.text).join("")}${rest}`, html: null };
  const shown = [...bodies, { text: rest, html: null }].map(({ html, text }) => html ?? preformatted(text ?? ""));
  return { text: null, html: shown.filter((page) => page !== "").join("\n") };
}

/** The section that a text begins with, and the text after it; null if it begins with other text. */
function firstSection(text: string): { readonly body: EudoraBody; readonly rest: string } | null {
  const opening = text[firstVisible(text)] === "<" ? OPENING.exec(text.slice(0, OPENING_LENGTH)) : null;
  if (opening === null) return null;
  const kind = opening[1]!.toLowerCase();
  const close = `</x-${kind}>`;
  const start = opening[0].length;
  const end = text.toLowerCase().indexOf(close, start);
  const inner = text.slice(text[start] === "\n" ? start + 1 : start, end < 0 ? text.length : end);
  const rest = end < 0 ? "" : text.slice(end + close.length);
  if (kind === "html") return { body: { text: null, html: inner }, rest };
  const plain = kind === "flowed" ? unfoldFlowed(inner, false) : enrichedToText(inner, "enriched");
  return { body: { text: plain, html: null }, rest };
}

function preformatted(text: string): string {
  return text.trim() === "" ? "" : `<pre>${escaped(text)}</pre>`;
}

function firstVisible(text: string): number {
  let at = 0;
  const end = Math.min(text.length, OPENING_LENGTH);
  while (at < end && text.charCodeAt(at) <= SPACE) at++;
  return at;
}

/** Paths of files that Eudora took out of a message, as it notes them in the text. */
export function convertedFiles(text: string): readonly string[] {
  if (!text.includes(CONVERTED_SIGN)) return [];
  const paths: string[] = [];
  for (const [, path] of text.matchAll(CONVERTED)) {
    if (paths.length < MAX_CONVERTED_FILES) paths.push(path!);
  }
  return paths;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

import { COMMA, QUOTE } from "../mail/ascii.ts";
import { decodeHeaderText } from "./encoded-words.ts";
import { englishLabel } from "./gmail-labels.ts";

/**
 * Labels kept of one message: Gmail allows 10,000 in an account, and each stands in the row and the pages of its
 * message.
 */
const MAX_LABELS = 1_000;
/** Characters kept of a label; Gmail allows 225. It stands in every list of them. */
const MAX_LABEL_LENGTH = 1_024;
/** Characters of the field that are looked at for one label: blanks around it and quotes are none of its own. */
const MAX_LABEL_SPAN = 4 * MAX_LABEL_LENGTH;

export interface Labels {
  readonly labels: readonly string[];
  /** True when labels, or the ends of some, were left out. */
  readonly areCut: boolean;
}

/**
 * Reads X-Gmail-Labels as Google Takeout writes it: encoded words, labels between commas, those with commas in quotes.
 * Those of Gmail's own have their English names. Empty and repeated ones go.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: quotes, commas and the limits of labels meet in one pass
export function readLabels(field: string): Labels {
  if (field === "") return NO_LABELS;
  const text = decodeHeaderText(field);
  const labels = new Set<string>();
  let areCut = false;
  let isQuoted = false;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isQuoted = !isQuoted;
    if (at < text.length && (code !== COMMA || isQuoted)) continue;
    const label = text
      .slice(start, Math.min(at, start + MAX_LABEL_SPAN))
      .replaceAll('"', "")
      .trim();
    if (label.length > MAX_LABEL_LENGTH || at - start > MAX_LABEL_SPAN) areCut = true;
    if (label !== "")
      labels.add(
        label.length > MAX_LABEL_LENGTH ? label.slice(0, MAX_LABEL_LENGTH).toWellFormed() : englishLabel(label),
      );
    start = at + 1;
    if (labels.size < MAX_LABELS || start >= text.length) continue;
    areCut = true;
    break;
  }
  return { labels: [...labels], areCut };
}

const NO_LABELS: Labels = { labels: [], areCut: false };

/** Tags that Thunderbird has from the start, by their keywords. */
const THUNDERBIRD_TAGS: ReadonlyMap<string, string> = new Map([
  ["$label1", "Important"],
  ["$label2", "Work"],
  ["$label3", "Personal"],
  ["$label4", "To Do"],
  ["$label5", "Later"],
]);
/** Keywords that programs set on their own: nobody chose them. */
const OWN_KEYWORDS: ReadonlySet<string> = new Set(["nonjunk", "notjunk", "junk", "$notjunk", "$junk"]);

/**
 * Reads keywords that people gave to a message: X-Mozilla-Keys (Thunderbird), X-Keywords (Dovecot, UW IMAP) and X-Label
 * (mutt, where blanks are part of a label). Empty and repeated ones go.
 */
export function readKeywords(mozillaKeys: string, keywords: string, label: string): Labels {
  if (mozillaKeys === "" && keywords === "" && label === "") return NO_LABELS;
  const separator = keywords.includes(",") ? "," : /[\t-\r ]+/;
  const written = [...mozillaKeys.split(/[\t-\r ]+/), ...keywords.split(separator), ...label.split(",")];
  const labels = new Set<string>();
  let areCut = false;
  for (const word of written) {
    const keyword = decodeHeaderText(word.slice(0, MAX_LABEL_SPAN)).trim();
    const name = THUNDERBIRD_TAGS.get(keyword.toLowerCase()) ?? keyword;
    if (name === "" || name.startsWith("$") || OWN_KEYWORDS.has(name.toLowerCase())) continue;
    if (labels.size >= MAX_LABELS || name.length > MAX_LABEL_LENGTH) areCut = true;
    if (labels.size < MAX_LABELS) labels.add(name.slice(0, MAX_LABEL_LENGTH).toWellFormed());
  }
  return { labels: [...labels], areCut };
}

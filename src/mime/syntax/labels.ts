import { COMMA, QUOTE } from "../../mail/words/ascii.ts";
import { decodeHeaderText } from "./encoded-words.ts";
import { fieldSet, hasAnyField } from "./field-set.ts";
import { englishLabel } from "./gmail-labels.ts";
import { findField, firstField, type HeaderBlock } from "./header-block.ts";

/**
 * Limit of labels per message: Gmail allows 10,000 per account, and each is repeated in the row and pages of its
 * message.
 */
const MAX_LABELS = 1_000;
/** Longest label in characters, because every list repeats it; Gmail allows 225. */
const MAX_LABEL_LENGTH = 1_024;
/** Characters scanned for one label, including the blanks and quotes around it. */
const MAX_LABEL_SPAN = 4 * MAX_LABEL_LENGTH;

export interface Labels {
  readonly labels: readonly string[];
  /** True if labels were omitted or truncated. */
  readonly areCut: boolean;
}

/**
 * Parses X-Gmail-Labels of Google Takeout: encoded words, comma-separated, labels with commas in quotes. Gmail's own
 * labels get their English names. Empty and repeated labels are dropped.
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

/** Default tags of Thunderbird, by their keywords. */
const THUNDERBIRD_TAGS: ReadonlyMap<string, string> = new Map([
  ["$label1", "Important"],
  ["$label2", "Work"],
  ["$label3", "Personal"],
  ["$label4", "To Do"],
  ["$label5", "Later"],
]);
/** Keywords that programs set automatically. */
const OWN_KEYWORDS: ReadonlySet<string> = new Set(["nonjunk", "notjunk", "junk", "$notjunk", "$junk"]);

type KeywordField = readonly [name: string, separator: "blank" | "comma" | "either"];

/** Fields with keywords, and what separates them: blanks, commas, or commas where there is one. */
const KEYWORD_FIELDS: readonly KeywordField[] = [
  // Thunderbird.
  ["x-mozilla-keys", "blank"],
  // Dovecot and UW IMAP.
  ["x-keywords", "either"],
  // mutt.
  ["x-label", "comma"],
  // RFC 5322 section 3.6.5: Outlook writes categories there.
  ["keywords", "comma"],
];

/** Fields with the importance of a message; the first one counts. */
const IMPORTANCE_FIELDS = ["importance", "x-priority", "priority", "x-msmail-priority"] as const;

/** Fields that most mail lacks: they are checked before anything is allocated. */
const MARK_FIELDS = fieldSet([
  ...KEYWORD_FIELDS.map(([name]) => name),
  ...IMPORTANCE_FIELDS,
  "sensitivity",
  "x-message-flag",
  "x-unsent",
  "content-base",
]);

/** Maximum characters of a URL. */
const MAX_URL = 2000;

/** The page of a feed item, as Thunderbird writes it; mail that was received has the base of its links there. */
function feedLink(header: HeaderBlock): string | undefined {
  const url = firstField(header, "content-base").slice(0, MAX_URL);
  return /^https?:\/\/[!-~]+$/.test(url) && findField(header, "received") < 0 ? `link:${url}` : undefined;
}

/** Keywords and other marks in the header, without empty and repeated keywords. */
export function readMarks(header: HeaderBlock): Marks {
  if (!hasAnyField(header, MARK_FIELDS)) return NO_MARKS;
  const flags = new Set<string>();
  let areCut = false;
  for (const word of KEYWORD_FIELDS.flatMap((field) => writtenKeywords(header, field))) {
    const keyword = decodeHeaderText(word.slice(0, MAX_LABEL_SPAN)).trim();
    const flag = flagOfKeyword(keyword);
    if (flag === null) continue;
    if (flags.size >= MAX_LABELS || keyword.length > MAX_LABEL_LENGTH) areCut = true;
    if (flags.size < MAX_LABELS) flags.add(flag);
  }
  const importance = IMPORTANCE.get(
    IMPORTANCE_FIELDS.map((name) => firstWord(header, name)).find((word) => word !== "") ?? "",
  );
  const sensitivity = SENSITIVITY.get(firstWord(header, "sensitivity"));
  const marks = [importance, sensitivity, feedLink(header), ...draftMarks(header), ...flags].filter(
    (mark) => mark !== undefined,
  );
  return marks.length === 0 ? NO_MARKS : { marks, areCut };
}

/** Outlook and Windows Mail mark unsent messages, and Outlook the follow-up that recipients are to see. */
function draftMarks(header: HeaderBlock): readonly string[] {
  const followUp = decodeHeaderText(firstField(header, "x-message-flag").slice(0, MAX_LABEL_LENGTH)).trim();
  return [
    ...(firstWord(header, "x-unsent") === "1" ? ["draft"] : []),
    ...(followUp === "" ? [] : [`follow-up:${followUp.toWellFormed()}`]),
  ];
}

/** The flag of a keyword; null for one that programs set on their own. */
export function flagOfKeyword(keyword: string): string | null {
  const lower = keyword.toLowerCase();
  if (lower === "$forwarded") return "forwarded";
  const name = THUNDERBIRD_TAGS.get(lower) ?? keyword;
  // IMAP's own flags begin with a backslash; they are read from Status and the store.
  if (name === "" || name.startsWith("$") || name.startsWith("\\") || OWN_KEYWORDS.has(lower)) return null;
  return `label:${name.slice(0, MAX_LABEL_LENGTH).toWellFormed()}`;
}

export interface Marks {
  /** Flags as words of the archive. */
  readonly marks: readonly string[];
  /** True if keywords were omitted or truncated. */
  readonly areCut: boolean;
}

const NO_MARKS: Marks = { marks: [], areCut: false };

/** Values of Importance, Priority and X-Priority (1 highest, 5 lowest); what is usual has no word. */
const IMPORTANCE: ReadonlyMap<string, string> = new Map([
  ...["high", "urgent", "1", "2"].map((word) => [word, "importance:high"] as const),
  ...["low", "non-urgent", "4", "5"].map((word) => [word, "importance:low"] as const),
]);
const SENSITIVITY: ReadonlyMap<string, string> = new Map([
  ["personal", "sensitivity:personal"],
  ["private", "sensitivity:private"],
  ["company-confidential", "sensitivity:confidential"],
]);

/** The first word of a field in lower case; for `1 (Highest)`, the number. */
function firstWord(header: HeaderBlock, name: string): string {
  return /^[\w-]{1,40}/.exec(firstField(header, name).toLowerCase())?.[0] ?? "";
}

function writtenKeywords(header: HeaderBlock, [name, separator]: KeywordField): readonly string[] {
  const text = firstField(header, name);
  if (text === "") return [];
  if (separator === "blank" || (separator === "either" && !text.includes(","))) return text.split(/[\t-\r ]+/);
  return text.includes('"') ? unquotedWords(text) : text.split(",");
}

/** Words separated by commas; words that contain a comma are quoted. */
function unquotedWords(text: string): readonly string[] {
  const words: string[] = [];
  let word = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === '"') isQuoted = !isQuoted;
    else if (character === "," && !isQuoted) {
      words.push(word);
      word = "";
    } else word += character === "\\" && isQuoted && at + 1 < text.length ? text[++at]! : character;
  }
  return [...words, word];
}

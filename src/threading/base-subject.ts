import { wordSet } from "../mail/words/word-table.ts";

/**
 * The part of a Subject that identifies a thread, without reply marks and list tags (RFC 5256 section 2.1, extended
 * to other languages).
 */
export interface BaseSubject {
  /** Case-folded, white space collapsed; "" when nothing is left. Messages of one thread share it. */
  readonly key: string;
  /** True if it had a reply or forward mark. */
  readonly isReply: boolean;
}

/** Reply and forward marks of mail clients, lower case, without the colon. Sources: the clients' own localizations. */
const REPLY_MARKS = wordSet(
  [
    "re fw fwd", // English
    "aw wg antw antwort weitergeleitet", // German
    "sv vs vb vl ang", // Swedish, Norwegian, Danish, Finnish
    "rv res enc ref rif i", // Spanish, Portuguese, Italian
    "tr réf réponse transféré rép", // French
    "doorst betr antw", // Dutch
    "odp pd podaj dot", // Polish
    "ynt ilt i̇lt", // Turkish
    "vá továbbítás", // Hungarian
    "απ πρθ σχετ", // Greek
    "ha на отв отв пересл", // Russian (На: also typed with Latin letters)
    "atb pārs", // Latvian, Lithuanian
    "bls trs", // Indonesian
    "回复 回覆 答复 答覆 转发 轉寄 转寄 轉發 返信 転送 回信 답장 회신 전달 fs ts", // Chinese, Japanese, Korean
    "تحويل رد", // Arabic
    "השב הועבר", // Hebrew
    "ตอบ ส่งต่อ", // Thai
    "ответ пересылка",
  ].join(" "),
);

/** Maximum characters of a mark, including its counter (`Re[12]`): a later colon belongs to the subject. */
const MAX_MARK_LENGTH = 20;
/** Maximum marks and tags stripped from one subject; more is an attack, not a conversation. */
const MAX_STRIPPED = 200;
/** Maximum characters of a subject. Clients truncate at 255; headers may be megabytes. */
const MAX_SUBJECT_LENGTH = 2_000;
/** A list tag such as `[archive-dev]` is short; longer brackets are part of the subject. */
const MAX_TAG_LENGTH = 50;

/** Removes reply and forward marks and list tags, in any order and number. Linear in the length of the subject. */
export function baseSubject(subject: string): BaseSubject {
  let rest = withSingleBlanks(subject.slice(0, MAX_SUBJECT_LENGTH)).trim();
  let isReply = false;
  for (let round = 0; round < MAX_STRIPPED && rest.length > 0; round++) {
    const afterMark = stripReplyMark(rest);
    if (afterMark !== null) {
      isReply = true;
      rest = afterMark;
      continue;
    }
    const afterTag = stripListTag(rest);
    if (afterTag === null) break;
    rest = afterTag;
  }
  if (/\(fwd\)$/i.test(rest)) {
    isReply = true;
    rest = rest.slice(0, -5).trim();
  }
  return { key: rest.toLowerCase().normalize("NFC"), isReply };
}

/** Nearly all subjects have single blanks already, which a test detects faster. */
function withSingleBlanks(text: string): string {
  return /\s\s|[^\S ]/u.test(text) ? text.replace(/\s+/gu, " ") : text;
}

/** The subject after one leading `Re:`, `AW [2]:`, `回复：`, … or null if there is none. */
function stripReplyMark(text: string): string | null {
  const end = Math.min(text.length, MAX_MARK_LENGTH);
  for (let index = 1; index < end; index++) {
    const char = text[index];
    if (char !== ":" && char !== "：") continue;
    const mark = text
      .slice(0, index)
      .replace(/[[(]\d{1,4}[\])]$|\*\d{1,4}$|\^\d{1,4}$/u, "")
      .trim()
      .toLowerCase();
    return REPLY_MARKS.has(mark) ? text.slice(index + 1).trimStart() : null;
  }
  return null;
}

/** The subject after one leading `[list-tag]`, or null. A subject that is only a tag keeps it. */
function stripListTag(text: string): string | null {
  if (text[0] !== "[") return null;
  const close = text.indexOf("]");
  if (close < 2 || close > MAX_TAG_LENGTH) return null;
  const rest = text.slice(close + 1).trimStart();
  return rest === "" ? null : rest;
}

/** Subjects without specific meaning. Compared with `BaseSubject.key`. */
const COMMON_SUBJECTS: ReadonlySet<string> = new Set(
  (
    "no subject|(no subject)|(kein betreff)|kein betreff|(sans objet)|sans objet|(sin asunto)|sin asunto|<no subject>|none|untitled|" +
    "hi|hello|hey|hi there|hallo|bonjour|hola|ciao|good morning|greetings|test|testing|fyi|f.y.i.|update|updates|question|questions|" +
    "meeting|meetings|lunch|dinner|coffee|call|conference call|thanks|thank you|thank you!|thanks!|danke|merci|gracias|help|info|information|news|" +
    "report|reports|status|status report|weekly report|daily report|reminder|invoice|important|urgent|request|document|documents|" +
    "file|files|attachment|attachments|message|mail|email|e-mail|note|notes|schedule|agenda|today|tomorrow|vacation|" +
    "out of office|automatic reply|delivery status notification (failure)|undeliverable|read receipt|newsletter|welcome|confirmation|" +
    "your order|order|receipt|photos|pictures|hi!|hello!|hey!|test message|new message|follow up|follow-up|checking in|per our conversation|draft|revised|contract|contracts"
  ).split("|"),
);

/** True if unrelated people also use a base subject: a single common participant does not make it the same topic. */
export function isCommonSubject(key: string): boolean {
  return COMMON_SUBJECTS.has(key);
}

/** Minimum letters and digits of a meaningful subject (`NS50`). In other scripts one character is a word. */
const MIN_SUBJECT_CHARACTERS = 3;

/** True if a base subject is too general to join threads. */
export function isGenericSubject(key: string): boolean {
  const characters = key.replace(/[^\p{L}\p{N}]/gu, "");
  return characters.length === 0 || (characters.length < MIN_SUBJECT_CHARACTERS && /^[\x20-\x7e]*$/.test(key));
}

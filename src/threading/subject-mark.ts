import { wordSet } from "../mail/words/word-table.ts";
import { baseSubject } from "./base-subject.ts";

/** Prefixes of forwarded subjects, lower case; all are marks that `baseSubject` removes. */
const FORWARD_MARKS = wordSet(
  "fw fwd wg weitergeleitet vb vl rv enc i tr transféré doorst pd ilt i̇lt továbbítás πρθ пересл пересылка pārs trs " +
    "转发 轉寄 转寄 轉發 転送 전달 fs تحويل הועבר ส่งต่อ",
);
/** Maximum characters before the colon of a mark. */
const MAX_MARK_LENGTH = 20;

/** The meaning of the outermost mark of a subject, or null. */
export function subjectMark(subject: string): "reply" | "forward" | null {
  if (!baseSubject(subject).isReply) return null;
  const word = subject
    .trimStart()
    .slice(0, MAX_MARK_LENGTH)
    .split(/[:：[(\s]/u, 1)[0]!;
  return FORWARD_MARKS.has(word.toLowerCase()) ? "forward" : "reply";
}

import { NOTICE_SIGNS } from "./mail-phrases.ts";

/** Characters around such words that a sentence may have on either side. */
const MAX_REACH = 400;

const SIGN = new RegExp(NOTICE_SIGNS.join("|"), "gi");
const SENTENCE_START = /[.!?*_]\s|\n\s*\n/g;
const SENTENCE_END = /[.!?](?=\s|$)|\n\s*\n/g;

/** A text without the sentences that only legal notices below mail hold, wherever they stand; the text itself mostly. */
export function withoutNotices(text: string): string {
  let kept = "";
  let end = 0;
  SIGN.lastIndex = 0;
  for (let sign = SIGN.exec(text); sign !== null; sign = SIGN.exec(text)) {
    const floor = Math.max(end, sign.index - MAX_REACH);
    let start = floor;
    for (const { index } of text.slice(floor, sign.index).matchAll(SENTENCE_START)) start = floor + index + 1;
    const from = sign.index + sign[0].length;
    SENTENCE_END.lastIndex = 0;
    const stop = SENTENCE_END.exec(text.slice(from, from + MAX_REACH));
    kept += text.slice(end, start);
    end = from + (stop === null ? Math.min(MAX_REACH, text.length - from) : stop.index + 1);
    SIGN.lastIndex = end;
  }
  return end === 0 ? text : kept + text.slice(end);
}

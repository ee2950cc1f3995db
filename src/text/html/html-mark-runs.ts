import { decodeHTML } from "entities";
import { MAX_MARKS } from "./mark-runs.ts";

/** Marks, joining characters and character references, which can encode marks. */
const HTML_MARKS = /(?:[\p{M}\p{Cf}]|&#?\w{2,12};)+/gu;
const HTML_UNIT = /&#?\w{2,12};|[^&]/gu;
const MARK = /^[\p{M}\p{Cf}]+$/u;
/** An opportunity for a line break, which also ends what a browser shapes together. It is not copied with the text. */
const BREAK = "<wbr>";

/** Breaks up runs of marks in the texts of a page, which may cross elements. */
export class MarkRunBreaker {
  /** Number of marks at the end of the text so far. */
  private marks = 0;

  /** @param html the text between two tags, with its references */
  write(html: string): string {
    if (html === "") return "";
    let end = 0;
    const written: string[] = [];
    for (const { 0: run, index } of html.matchAll(HTML_MARKS)) {
      if (index > end) this.marks = 0;
      written.push(html.slice(end, index), this.withBreaks(run));
      end = index + run.length;
    }
    if (end < html.length) this.marks = 0;
    written.push(html.slice(end));
    return written.join("");
  }

  private withBreaks(run: string): string {
    return (run.match(HTML_UNIT) ?? [])
      .map((unit) => {
        this.marks = MARK.test(unit.startsWith("&") ? decodeHTML(unit) : unit) ? this.marks + 1 : 0;
        if (this.marks <= MAX_MARKS) return unit;
        this.marks = 1;
        return BREAK + unit;
      })
      .join("");
  }
}

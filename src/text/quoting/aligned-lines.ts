import { SPACE, TAB } from "../../mail/words/ascii.ts";
import { BodyLines } from "./body-lines.ts";

export type AlignedKind = "patch" | "table";

/** A range of whole lines, in UTF-16 offsets. */
interface AlignedStretch {
  readonly kind: AlignedKind;
  readonly start: number;
  readonly end: number;
}

/** Minimum rows of a table: two lines of an address or a signature may have gaps by chance. */
const MIN_ROWS = 3;
/** Gaps that make a line a row, wherever they are. */
const MIN_GAPS = 2;
/** Maximum characters of a cell, averaged over a line: prose in one long line has gaps by chance. */
const MAX_MEAN_CELL = 40;
/** Columns between two stops of a tab. */
const TAB_COLUMNS = 8;
/** Maximum gaps of a line. */
const MAX_GAPS = 64;

/** Blanks after a sentence that are not a gap: many writers use two. */
const MAX_SENTENCE_GAP = 3;

const ENDS_OF_SENTENCES: ReadonlySet<number> = new Set([...".?!:;,\"')"].map((sign) => sign.charCodeAt(0)));
const CELL_SIGNS: ReadonlySet<number> = new Set([..."$-+(#.<@\"'"].map((sign) => sign.charCodeAt(0)));
/** Characters of horizontal rules between rows. */
const RULE_SIGNS: ReadonlySet<number> = new Set([..."-=+|_ \t"].map((sign) => sign.charCodeAt(0)));

/** Starts of lines between the hunks of a patch, as written by diff, git, Subversion and quilt. */
const PATCH_HEADS = [
  "diff ",
  "index ",
  "Index: ",
  "=====",
  "--- ",
  "+++ ",
  "@@ ",
  "new file mode ",
  "deleted file mode ",
  "old mode ",
  "new mode ",
  "similarity index ",
  "rename from ",
  "rename to ",
  "Binary files ",
  "\\ No newline",
];
/** Blanks that `isGap` may treat as a gap, excluding indentation. */
const BLANKS_IN_LINE = /\t|(?<![ \n]) {4}|(?<![ \n.?!:;,"')]) {2}/;
/** Every patch has a hunk. */
const HUNK_BEGINNING = "@@ -";
/** Hunk header with the ranges of changed lines, and its maximum length. */
const HUNK_HEAD = /^@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@/;
const MAX_HUNK_HEAD = 60;

/**
 * Finds text that depends on columns: patches and tables, which a proportional font or joined blanks would spoil.
 * Linear in the text; ignores lines after MAX_ANALYZED_LINES.
 */
export function alignedStretches(text: string): readonly AlignedStretch[] {
  const gaps = new Gaps(text);
  const mayHavePatch = text.includes(HUNK_BEGINNING);
  // Quick check for every message: most have neither.
  if (!mayHavePatch && gaps.next === text.length) return [];
  const lines = new BodyLines(text);
  const found: AlignedStretch[] = [];
  for (let line = 0; line < lines.count; ) {
    const patchEnd = mayHavePatch ? endOfPatch(lines, line) : line;
    const end = patchEnd > line || !gaps.isIn(lines, line) ? patchEnd : endOfTable(lines, line);
    if (end > line)
      found.push({ kind: patchEnd > line ? "patch" : "table", start: lines.starts[line]!, end: lines.starts[end]! });
    line = Math.max(end, line + 1);
  }
  return found;
}

/**
 * Finds lines that can have a gap, queried in ascending order: most have none, and no table begins with such a line.
 */
class Gaps {
  private readonly pattern = new RegExp(BLANKS_IN_LINE, "g");
  /** Position of the next candidate; the end of the text if there is none. */
  next = -1;

  constructor(private readonly text: string) {
    this.moveTo(0);
  }

  isIn({ starts }: BodyLines, line: number): boolean {
    if (this.next < starts[line]!) this.moveTo(starts[line]!);
    return this.next < starts[line + 1]!;
  }

  private moveTo(start: number): void {
    this.pattern.lastIndex = start;
    this.next = this.pattern.exec(this.text)?.index ?? this.text.length;
  }
}

/** The line after the patch that begins at a line; the line itself if there is none. */
function endOfPatch(lines: BodyLines, first: number): number {
  if (!beginsPatch(lines, first)) return first;
  let end = first;
  let hasHunk = false;
  for (let line = first; line < lines.count; line++) {
    // Empty context lines often lose their blank.
    if (lines.isBlank(line)) continue;
    const head = headOf(lines, line);
    const isHunk = HUNK_HEAD.test(head);
    hasHunk ||= isHunk;
    if (!isHunk && !(hasHunk && /^[-+ ]/.test(head)) && !PATCH_HEADS.some((start) => head.startsWith(start))) break;
    // `-- ` begins a signature, even after a patch.
    if (head.trimEnd() === "--") break;
    end = line + 1;
  }
  return hasHunk ? end : first;
}

/** Recognized by its header, so that lists with hyphens and rules do not count. */
function beginsPatch(lines: BodyLines, line: number): boolean {
  const head = headOf(lines, line);
  if (head.startsWith("diff -") || head.startsWith("Index: ") || HUNK_HEAD.test(head)) return true;
  return head.startsWith("--- ") && line + 1 < lines.count && headOf(lines, line + 1).startsWith("+++ ");
}

function headOf(lines: BodyLines, line: number): string {
  const start = lines.starts[line]!;
  return lines.body.slice(start, Math.min(lines.starts[line + 1]!, start + MAX_HUNK_HEAD));
}

/** The same for a table. */
function endOfTable(lines: BodyLines, first: number): number {
  let rows = 0;
  let line = first;
  let before: readonly number[] = [];
  for (; line < lines.count && !lines.isBlank(line); line++) {
    const gaps = gapsOf(lines, line);
    const isRow = isRowOf(gaps, rows === 0 ? null : before, lines.ends[line]! - lines.firsts[line]!);
    if (!isRow && !(rows > 0 && isRule(lines, line))) break;
    if (isRow) {
      rows++;
      before = gaps;
    }
  }
  return rows >= MIN_ROWS ? line : first;
}

/**
 * @param before gaps of the row above; null if there is none
 * @param length of the line without its outer blanks
 */
function isRowOf(gaps: readonly number[], before: readonly number[] | null, length: number): boolean {
  if (length > MAX_MEAN_CELL * (gaps.length + 1)) return false;
  if (gaps.length >= MIN_GAPS) return true;
  return gaps.length > 0 && (before === null || gaps.some((gap) => before.includes(gap)));
}

/**
 * Columns at which cells begin after a gap: a tab, or several blanks that do not end a sentence. Marks of lists,
 * quotations and frames are not cells.
 */
function gapsOf({ body, starts, firsts, ends }: BodyLines, line: number): readonly number[] {
  const gaps: number[] = [];
  let column = firsts[line]! - starts[line]!;
  let blanks = 0;
  let before = 0;
  let hasCell = false;
  for (let at = firsts[line]!; at < ends[line]! && gaps.length < MAX_GAPS; at++) {
    const code = body.charCodeAt(at);
    if (code === TAB || code === SPACE) {
      blanks += code === TAB ? MIN_GAPS : 1;
      column += code === TAB ? TAB_COLUMNS - (column % TAB_COLUMNS) : 1;
      continue;
    }
    if (hasCell && isGap(blanks, before) && beginsCell(code)) gaps.push(column);
    hasCell ||= isLetterOrDigit(code);
    blanks = 0;
    before = code;
    column++;
  }
  return gaps;
}

/** @param before the character in front of the blanks */
function isGap(blanks: number, before: number): boolean {
  return blanks > MAX_SENTENCE_GAP || (blanks > 1 && !ENDS_OF_SENTENCES.has(before));
}

/** Cells can begin with non-ASCII letters and currency signs. */
function beginsCell(code: number): boolean {
  return isLetterOrDigit(code) || CELL_SIGNS.has(code);
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code > 127;
}

/** True for a drawn line, such as `----- -----` or `+----+`. */
function isRule({ body, firsts, ends }: BodyLines, line: number): boolean {
  for (let at = firsts[line]!; at < ends[line]!; at++) if (!RULE_SIGNS.has(body.charCodeAt(at))) return false;
  return true;
}

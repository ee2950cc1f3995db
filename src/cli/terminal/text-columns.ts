/** Characters that take two cells of a terminal: East Asian Wide and Fullwidth blocks (Unicode TR 11) and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Zero-width characters: combining marks and joiners. */
const NARROW = /\p{Mn}|\p{Me}|\u200b|\u200c|\u200d/u;

/** Columns of a text on a terminal. */
export function cellsOf(text: string): number {
  let cells = 0;
  for (const character of text) cells += cellsOfCharacter(character);
  return cells;
}

function cellsOfCharacter(character: string): number {
  if (character < "\u0300") return 1;
  if (NARROW.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Truncates a text to `cells` columns with an ellipsis. */
export function cutText(text: string, cells: number): string {
  if (cellsOf(text) <= cells) return text;
  let kept = "";
  let used = 1;
  for (const character of text) {
    used += cellsOfCharacter(character);
    if (used > cells) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** Lines of at most `cells`, broken at blanks; a longer word is broken where the line ends. */
export function wrapText(text: string, cells: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of text.split(" ").filter((part) => part !== "")) {
    const width = cellsOf(word);
    if (used > 0 && used + 1 + width > cells) {
      lines.push(line);
      line = "";
      used = 0;
    }
    if (used > 0) {
      line += " ";
      used++;
    }
    for (const character of word) {
      const own = cellsOfCharacter(character);
      if (used + own > cells) {
        lines.push(line);
        line = "";
        used = 0;
      }
      line += character;
      used += own;
    }
  }
  if (used > 0) lines.push(line);
  return lines;
}

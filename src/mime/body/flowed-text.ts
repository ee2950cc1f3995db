const SIGNATURE = "-- ";

/** Maximum joined lines; the rest stays as sent. No person writes a longer text. */
const MAX_FLOWED_LINES = 200_000;

/**
 * Joins the soft-broken lines of `format=flowed` text (RFC 3676 section 4), whose line ends are LF. With DelSp, removes
 * the blank that marks a soft break, too. Marks of quoted lines are restored as `>` and a blank; lines of different
 * depth are never joined.
 */
export function unfoldFlowed(text: string, isDelSp: boolean): string {
  const end = endOfLines(text, MAX_FLOWED_LINES);
  return end === text.length ? unfold(text, isDelSp) : `${unfold(text.slice(0, end), isDelSp)}${text.slice(end)}`;
}

/** End of the first `most` lines of a text, before their last line break; the end of the text if it has fewer. */
function endOfLines(text: string, most: number): number {
  let end = -1;
  for (let lines = 0; lines < most; lines++) {
    end = text.indexOf("\n", end + 1);
    if (end < 0) return text.length;
  }
  return end;
}

function unfold(text: string, isDelSp: boolean): string {
  const output: string[] = [];
  let paragraph: string[] = [];
  let depth = 0;
  const endParagraph = (): void => {
    if (paragraph.length > 0) output.push(marked(paragraph.join(""), depth));
    paragraph = [];
  };
  for (const line of text.split("\n")) {
    const lineDepth = quoteDepth(line);
    let content = line.slice(lineDepth);
    if (content.startsWith(" ")) content = content.slice(1);
    const isSignature = content === SIGNATURE;
    if (lineDepth !== depth || isSignature) endParagraph();
    depth = lineDepth;
    const isFlowed = content.endsWith(" ") && !isSignature;
    paragraph.push(isFlowed && isDelSp ? content.slice(0, -1) : content);
    if (!isFlowed) endParagraph();
  }
  endParagraph();
  return output.join("\n");
}

function quoteDepth(line: string): number {
  let depth = 0;
  while (line.charCodeAt(depth) === 0x3e) depth++;
  return depth;
}

function marked(line: string, depth: number): string {
  if (depth === 0) return line;
  return line === "" ? ">".repeat(depth) : `${">".repeat(depth)} ${line}`;
}

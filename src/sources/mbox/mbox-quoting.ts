const FROM = Buffer.from("From ");
const QUOTE = 0x3e;

/**
 * Removes one `>` from every line `>From `, `>>From `, … (mboxrd). Returns the same buffer if there is none.
 * Only mboxrd can be undone: mboxo quotes `From ` and leaves `>From ` unchanged, so the original is ambiguous.
 * @param endsLine true for bytes after which the program that wrote the mailbox quotes `From `.
 */
export function unquoteFromLines(message: Buffer, endsLine: (byte: number) => boolean): Buffer {
  const marks = quoteMarks(message, endsLine);
  if (marks.length === 0) return message;
  const unquoted = Buffer.allocUnsafe(message.length - marks.length);
  let from = 0;
  let to = 0;
  for (const mark of marks) {
    to += message.copy(unquoted, to, from, mark);
    from = mark + 1;
  }
  message.copy(unquoted, to, from);
  return unquoted;
}

/** Positions of the `>` to take out: the last one before "From " of each quoted line. */
function quoteMarks(message: Buffer, endsLine: (byte: number) => boolean): readonly number[] {
  const marks: number[] = [];
  for (let at = message.indexOf(FROM); at >= 0; at = message.indexOf(FROM, at + FROM.length)) {
    if (message[at - 1] !== QUOTE) continue;
    let first = at - 1;
    while (first > 0 && message[first - 1] === QUOTE) first--;
    if (first === 0 || endsLine(message[first - 1]!)) marks.push(at - 1);
  }
  return marks;
}

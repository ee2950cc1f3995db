import type { MailboxTotal } from "../../../mail/archive.ts";
import type { Counts, SourceRecord } from "../../../mail/records/provenance.ts";
import { lastNameAt } from "../../../mail/records/source-names.ts";
import { sharedMailboxNames } from "../../../mail/shared-mailboxes.ts";
import { quoted } from "../../../search/ranges/facet-counts.ts";
import type { MailboxWire } from "../wire/wire-provenance.ts";
import { sourceClause } from "./provenance.ts";

/** A row of the tree. */
type MailboxRow = Omit<MailboxWire, "ways">;

/** Maximum depth of separate folders; deeper ones share a row, since a name may contain a thousand slashes. */
const MAX_DEPTH = 16;

/** Data of a mailbox of one source. */
interface Known {
  readonly name: string;
  readonly counts: Counts | null;
  readonly messages: number;
}

/** The mailboxes of all sources as rows, in tree order. A folder that contains only folders has a row, too. */
export function mailboxTree(
  sources: readonly SourceRecord[],
  totals: readonly MailboxTotal[],
  messagesOfSource: ReadonlyMap<number, number>,
): readonly MailboxRow[] {
  const known = sources.map((source, index) =>
    knownOf(
      source,
      totals.filter((total) => total.source === index),
    ),
  );
  const shared = sharedMailboxNames(
    known.flatMap((mailboxes, source) => mailboxes.map(({ name }) => ({ mailbox: name, source }))),
  );
  const clauseOf = (source: number, name: string): string =>
    quoted("mailbox", shared.has(name) ? `${source}:${name}` : name);
  return sources.flatMap(({ path, counts }, source) => {
    const messages = messagesOfSource.get(source) ?? 0;
    const label = path.toWellFormed();
    const row = { source, depth: 0, label, name: null, counts, messages, clause: sourceClause(source) };
    const [only, ...others] = rowsOf(source, known[source]!, clauseOf);
    if (only !== undefined && others.length === 0 && isNamesake(path, only.label) && only.messages === messages)
      return [{ ...row, name: only.name }];
    return only === undefined ? [row] : [row, only, ...others];
  });
}

/** True for a file that is named after a mailbox, with or without an extension. */
function isNamesake(path: string, label: string): boolean {
  const file = path.slice(lastNameAt(path)).replace(/[/\\]$/, "");
  return file === label || file.replace(/\.[^.]+$/, "") === label;
}

function knownOf({ mailboxes }: SourceRecord, totals: readonly MailboxTotal[]): readonly Known[] {
  const messages = new Map(totals.map((total) => [total.mailbox, total.messages]));
  const met = mailboxes.map(({ name, counts }) => ({ name, counts, messages: messages.get(name) ?? 0 }));
  const isMet = new Set(mailboxes.map(({ name }) => name));
  const earlier = totals.filter(({ mailbox }) => !isMet.has(mailbox));
  return [...met, ...earlier.map((total) => ({ name: total.mailbox, counts: null, messages: total.messages }))];
}

function partsOf(name: string): readonly string[] {
  const parts = name.split("/");
  return parts.length <= MAX_DEPTH ? parts : [...parts.slice(0, MAX_DEPTH - 1), parts.slice(MAX_DEPTH - 1).join("/")];
}

function rowsOf(
  source: number,
  mailboxes: readonly Known[],
  clauseOf: (source: number, name: string) => string,
): readonly MailboxRow[] {
  const sorted = mailboxes
    .map((mailbox) => ({ ...mailbox, parts: partsOf(mailbox.name) }))
    .sort((left, right) => compareParts(left.parts, right.parts));
  const rows: MailboxRow[] = [];
  let open: readonly string[] = [];
  for (const { name, counts, messages, parts } of sorted) {
    for (let depth = sharedDepth(open, parts); depth < parts.length - 1; depth++)
      rows.push(folderRow(source, depth + 1, parts[depth]!));
    rows.push({
      source,
      depth: parts.length,
      label: parts.at(-1)!.toWellFormed(),
      name: name.toWellFormed(),
      counts,
      messages,
      clause: clauseOf(source, name),
    });
    open = parts;
  }
  return withoutRepeats(rows);
}

/** Rows without folders whose only content is one folder or mailbox with the same name. */
function withoutRepeats(rows: readonly MailboxRow[]): readonly MailboxRow[] {
  const kept: MailboxRow[] = [];
  /** Depths of omitted folders around the row. */
  const left: number[] = [];
  for (const [at, row] of rows.entries()) {
    while (left.length > 0 && row.depth <= left.at(-1)!) left.pop();
    if (row.name === null && hasOnlyNamesake(rows, at)) left.push(row.depth);
    else kept.push({ ...row, depth: row.depth - left.length });
  }
  return kept;
}

function hasOnlyNamesake(rows: readonly MailboxRow[], at: number): boolean {
  const { depth, label } = rows[at]!;
  if (rows[at + 1]?.label !== label) return false;
  for (let next = at + 2; next < rows.length && rows[next]!.depth > depth; next++)
    if (rows[next]!.depth === depth + 1) return false;
  return true;
}

function folderRow(source: number, depth: number, label: string): MailboxRow {
  return { source, depth, label: label.toWellFormed(), name: null, counts: null, messages: 0, clause: "" };
}

/** Number of leading parts that two names have in common. */
function sharedDepth(left: readonly string[], right: readonly string[]): number {
  let depth = 0;
  while (depth < left.length && left[depth] === right[depth]) depth++;
  return depth;
}

/** Sorts a folder before its contents. */
function compareParts(left: readonly string[], right: readonly string[]): number {
  const at = sharedDepth(left, right);
  const [first, second] = [left[at], right[at]];
  if (first === undefined || second === undefined) return left.length - right.length;
  return first.localeCompare(second, "en", { numeric: true, sensitivity: "base" }) || (first < second ? -1 : 1);
}

import type { Archive } from "../mail/archive.ts";
import type { ExploredMessage, ExploredSort, RankedMatch, WordMatch } from "../mail/exploration.ts";
import { countOf } from "../text/tokens/format-count.ts";
import type { Block, Place, ToolResult } from "./answer.ts";
import { dateText, peopleText, personText } from "./message-lines.ts";
import { plainLine } from "./plain-text.ts";

/** Rows per query: about as many as fit into an answer of the default length. */
const PAGE_ROWS = 25;
/** Maximum recipients in a row of a list. */
const ROW_RECIPIENTS = 2;
/** Maximum messages with the same text in a row. */
const ROW_REPEATS = 5;

interface Wanted {
  readonly query: string;
  readonly match: RankedMatch;
  readonly sort: ExploredSort;
  /** True to show matches in rows. */
  readonly hasSnippets: boolean;
}

/** The messages that match a query, one row each. */
export async function searchMessages(
  archive: Archive,
  { hasSnippets, match, ...request }: Wanted,
  start: Place,
): Promise<ToolResult> {
  const pageOf = (combined: WordMatch, offset: number) =>
    archive.explore.page({ ...request, match: combined, repeats: "folded", offset, limit: PAGE_ROWS });
  const strict = await pageOf(match === "any" ? "any" : "all", start.block);
  const isFallback = match === "auto" && strict.total === 0;
  const first = isFallback ? await pageOf("any", start.block) : strict;
  const page = (offset: number) => pageOf(isFallback || match === "any" ? "any" : "all", offset);
  async function* blocks(): AsyncGenerator<Block> {
    let { messages } = first;
    for (let offset = start.block; messages.length > 0; ) {
      for (const message of messages) yield rowBlock(message, hasSnippets);
      offset += messages.length;
      if (offset >= first.rows) return;
      ({ messages } = await page(offset));
    }
  }
  const counted = `${countOf(first.total, "message")} in ${countOf(first.conversations, "conversation")}`;
  const combined =
    isFallback && first.total > 0 ? ["No message has all the words; showing messages with any of them."] : [];
  return { preface: [counted, ...combined, ...first.problems.map(plainLine)], blocks: blocks() };
}

function rowBlock(message: ExploredMessage, hasSnippet: boolean): Block {
  const { id, threadId, threadMessages, attachments, attachmentCount, sameText } = message;
  const snippet = plainLine(message.snippet.map(([text]) => text).join(""));
  const files =
    attachmentCount === 0 ? [] : [`files: ${attachments.slice(0, ROW_RECIPIENTS).map(plainLine).join(", ")}`];
  const same =
    sameText.length === 0
      ? []
      : [
          `same text: ${sameText.slice(0, ROW_REPEATS).join(", ")}${sameText.length > ROW_REPEATS ? ` and ${sameText.length - ROW_REPEATS} more` : ""}`,
        ];
  const to = peopleText(message.to.slice(0, ROW_RECIPIENTS), message.recipientCount);
  return {
    head: [
      `${id} ${dateText(message.sentAt)} ${plainLine(message.subject) || "(no subject)"}`,
      `  ${personText(message.from)}${to === "" ? "" : ` to ${to}`}`,
      `  ${[`${threadId} (${countOf(threadMessages, "message")})`, ...files, ...same].join("; ")}`,
      ...(hasSnippet && snippet !== "" ? [`  | ${snippet}`] : []),
    ],
  };
}

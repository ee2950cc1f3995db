import type { Archive, SearchFilter } from "../../mail/archive.ts";
import { formatInstant, type Instant } from "../../mail/dates/instant.ts";
import type { RecordRequest } from "../../mail/located-records.ts";
import { itemDate } from "../../mail/records/item.ts";
import { countOf } from "../../text/tokens/format-count.ts";
import { printable } from "../../text/tokens/printable.ts";
import type { Line } from "../terminal/line.ts";
import { cutText } from "../terminal/text-columns.ts";
import { INDENT, LINE_CELLS, snippetLines } from "./hit-lines.ts";

/** Events, and items, shown after messages; without messages the limit applies. */
const BESIDE_MESSAGES = 3;

/** An event or item that a query finds. */
interface RecordHit {
  readonly id: string;
  /** `event`, or the kind of an item. */
  readonly kind: string;
  readonly date: Instant | null;
  readonly subject: string;
  readonly mailbox: string;
  readonly snippet: string;
}

export interface RecordHits {
  readonly events: number;
  readonly items: number;
  readonly hits: readonly RecordHit[];
}

/** The best events, then items, that contain every word of the query; none with a sender filter. */
export async function findRecords(
  { events, items }: Pick<Archive, "events" | "items">,
  query: string,
  { filter, limit }: { readonly filter: SearchFilter; readonly limit: number },
): Promise<RecordHits> {
  if (filter.from !== undefined) return { events: 0, items: 0, hits: [] };
  const { after = null, before = null } = filter;
  const request: RecordRequest = { query, match: "all", sort: "relevance", after, before, offset: 0, limit };
  const [foundEvents, foundItems] = [await events.page(request), await items.page({ ...request, kind: null })];
  return {
    events: foundEvents.total,
    items: foundItems.total,
    hits: [
      ...foundEvents.found.map(({ record, snippet }): RecordHit => {
        const { id, start, subject, mailbox } = record;
        return { id, kind: "event", date: start, subject, mailbox, snippet };
      }),
      ...foundItems.found.map(({ record, snippet }): RecordHit => {
        const { id, kind, subject, mailbox } = record;
        return { id, kind, date: itemDate(record), subject, mailbox, snippet };
      }),
    ],
  };
}

/** Formats matching events and items as lines of at most 80 cells. */
export function recordLines({ events, items, hits }: RecordHits, hasColors: boolean): readonly Line[] {
  const counts = [events === 0 ? "" : countOf(events, "event"), items === 0 ? "" : countOf(items, "item")];
  const summary = counts.filter((count) => count !== "").join(" and ");
  return summary === "" ? [] : [`Also found: ${summary}`, "", ...hits.flatMap((hit) => linesOf(hit, hasColors))];
}

/** Limits the records printed after a number of messages. */
export function limitRecords(records: RecordHits, messages: number): RecordHits {
  if (messages === 0) return records;
  const isEvent = ({ kind }: RecordHit): boolean => kind === "event";
  const [events, items] = [records.hits.filter(isEvent), records.hits.filter((hit) => !isEvent(hit))];
  return { ...records, hits: [...events.slice(0, BESIDE_MESSAGES), ...items.slice(0, BESIDE_MESSAGES)] };
}

function linesOf(hit: RecordHit, hasColors: boolean): readonly Line[] {
  const date = formatInstant(hit.date)?.slice(0, 10) ?? "undated   ";
  const place = cutText(printable(`${hit.id}, ${hit.mailbox}`), LINE_CELLS - INDENT.length);
  const subject = cutText(printable(hit.subject), LINE_CELLS - INDENT.length) || "(no subject)";
  return [
    `${INDENT}${date}  ${hit.kind.replaceAll("_", " ")}`,
    [INDENT, { style: "heading", text: subject }],
    ...snippetLines(hit.snippet, hasColors),
    INDENT + place,
    "",
  ];
}

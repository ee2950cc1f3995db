import type { RowWire } from "../../../http/explore-api/wire/wire.ts";
import { useAddress, useApplication, useRoute } from "../../application.ts";
import { RowMarks } from "../../notebook/mark-editor.tsx";
import { dayOf } from "../../parts/formats.ts";
import { Icon } from "../../parts/icon.tsx";
import { nameOf } from "../../parts/person.ts";
import { number } from "../../words/nouns.ts";
import { WORDS } from "../../words/words.ts";

/** Pixels of a row of the list. */
export const RESULT_ROW_HEIGHT = 104;

export interface RowProps {
  readonly row: RowWire;
  readonly isCurrent: boolean;
  /** True for the focused row. */
  readonly isCursor: boolean;
  /** @param isRange true to select all rows up to it */
  readonly onOpen: (isRange: boolean) => void;
}

/** A message of a result. */
export function ResultRow({ row, isCurrent, isCursor, onOpen }: RowProps) {
  const { isUtc } = useApplication();
  const address = useAddress();
  const { search } = WORDS;
  const isRead = useIsRead(row.id);
  return (
    <a
      class={rowClass("row", isCursor, isRead)}
      href={address("message", { id: row.id })}
      aria-current={isCurrent ? "true" : undefined}
      onClick={(event) => followHere(event, onOpen)}
    >
      <span class="line">
        <bdi class="who">{row.from === null ? WORDS.noSender : nameOf(row.from)}</bdi>
        <Marks row={row} />
        <time class="when">{row.sent_at === null ? WORDS.undated : dayOf(row.sent_at, isUtc.value)}</time>
      </span>
      <span class="subject" dir="auto">
        <RowMarks id={row.id} threadId={row.thread_id} />
        {row.subject === "" ? WORDS.noSubject : row.subject}
      </span>
      <span class="snippet" dir="auto">
        <Snippet pieces={row.snippet} />
      </span>
      <span class="visually-hidden">
        {search.conversationHits(row.thread_hits, row.thread_messages)}
        {isRead ? `, ${search.isRead}` : ""}
      </span>
    </a>
  );
}

/** True if this browser has shown the message. */
export function useIsRead(id: string): boolean {
  const { openedIn } = useApplication();
  return openedIn(useRoute().archive).ids.value.has(id);
}

export function rowClass(name: string, isCursor: boolean, isRead: boolean): string {
  return `${name}${isCursor ? " cursor" : ""}${isRead ? " read" : ""}`;
}

/** A plain click opens the message in the view, a Shift click selects; modified clicks open a new tab as usual. */
export function followHere(event: MouseEvent, onOpen: (isRange: boolean) => void): void {
  if (event.metaKey || event.ctrlKey || event.button !== 0) return;
  event.preventDefault();
  onOpen(event.shiftKey);
}

function Marks({ row }: { readonly row: RowWire }) {
  const { search } = WORDS;
  return (
    <span class="marks">
      {row.thread_messages > 1 ? (
        <span class="mark-of" title={search.conversationHits(row.thread_hits, row.thread_messages)}>
          <Icon name="conversation" />
          {row.thread_messages}
        </span>
      ) : null}
      {row.places > 1 ? (
        <span class="mark-of" title={search.places(row.places)}>
          <Icon name="copies" />
          {row.places}
        </span>
      ) : null}
      {row.same_text.count > 0 ? (
        <span
          class="mark-of"
          title={`${search.sameText(row.same_text.count)}: ${row.same_text.message_ids.join(", ")}`}
        >
          +{row.same_text.count}
        </span>
      ) : null}
      {row.attachment_count > 0 ? (
        <span class="mark-of" title={`${number(row.attachment_count, "file")}: ${row.attachments.join(", ")}`}>
          <Icon name="attachment" />
          {row.attachment_count}
        </span>
      ) : null}
    </span>
  );
}

/** A snippet of the text with marked matches. */
function Snippet({ pieces }: { readonly pieces: RowWire["snippet"] }) {
  // Ranges keep their positions.
  return <>{pieces.map(([text, isMatch], index) => (isMatch ? <mark key={index}>{text}</mark> : text))}</>;
}

import { messageAddress, messagesAddress, searchAddress } from "./address-state.ts";
import { make, makeLink, makeMailText } from "./elements.ts";
import { type MessagePage, PAGE_SIZE, type SearchAnswer } from "./query-api.ts";

/** Characters of a body shown in a list. */
const PREVIEW_LENGTH = 200;

interface Row {
  readonly id: string;
  readonly from: string;
  readonly subject: string;
  readonly sentAt: string | null;
  readonly text: Node;
}

/** The answer to a search, best first. */
export function searchView(query: string, limit: number, answer: SearchAnswer): readonly Node[] {
  const { results } = answer;
  const isFull = results.length === limit;
  const title =
    results.length === 0 ? "Nothing found" : `${isFull ? "Best " : ""}${counted(results.length, "message")}`;
  const rows = results.map(({ message_id, from_email, subject, sent_at, snippet }) =>
    messageRow({ id: message_id, from: from_email, subject, sentAt: sent_at, text: markedText(snippet) }),
  );
  const more = isFull ? [make("p", "pages", makeLink("", searchAddress(query, limit + PAGE_SIZE), "Show more"))] : [];
  return [heading(title, `${answer.query_time_ms} ms`), make("ol", "messages", ...rows), ...more];
}

/** A page of messages of a sender or topic, newest first. */
export function listView(parameters: URLSearchParams, { messages, pagination }: MessagePage): readonly Node[] {
  const { total, limit, offset } = pagination;
  const of = parameters.get("from") ?? parameters.get("topic_id");
  const rows = messages.map(({ id, from_email, subject, sent_at, body }) =>
    messageRow({
      id,
      from: from_email,
      subject,
      sentAt: sent_at,
      text: document.createTextNode(body.slice(0, PREVIEW_LENGTH)),
    }),
  );
  const links = [
    ...(offset > 0 ? [makeLink("", messagesAddress(parameters, Math.max(0, offset - limit)), "Newer")] : []),
    ...(offset + limit < total ? [makeLink("", messagesAddress(parameters, offset + limit), "Older")] : []),
  ];
  const span = total === 0 ? "" : `${offset + 1} to ${offset + messages.length}, newest first`;
  return [
    heading(`${counted(total, "message")}${of === null ? "" : ` of ${of}`}`, span),
    make("ol", "messages", ...rows),
    make("p", "pages", ...links),
  ];
}

export function heading(title: string, note: string): HTMLElement {
  return make(
    "div",
    "heading",
    make("h2", "", title),
    make("span", "quiet", note),
    makeLink("", "#/", "Back to the overview"),
  );
}

function messageRow({ id, from, subject, sentAt, text }: Row): HTMLElement {
  const head = make(
    "span",
    "head",
    makeMailText("span", "from", from || "(no sender)"),
    make("time", "quiet", sentAt?.slice(0, 10) ?? "undated"),
  );
  const preview = make("span", "preview", text);
  preview.dir = "auto";
  return make(
    "li",
    "",
    makeLink("", messageAddress(id), head, makeMailText("span", "subject", subject || "(no subject)"), preview),
  );
}

/** A snippet with what stands between `**` marked. */
function markedText(snippet: string): Node {
  const fragment = document.createDocumentFragment();
  for (const [index, part] of snippet.split("**").entries())
    fragment.append(index % 2 === 1 ? make("mark", "", part) : part);
  return fragment;
}

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

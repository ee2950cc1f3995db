import type { MessageDetailWire } from "../../query-api/wire.ts";
import { messageAddress } from "./address-state.ts";
import { make, makeLink, makeMailText } from "./elements.ts";
import { counted, heading } from "./message-list.ts";
import type { ThreadMessages } from "./query-api.ts";

/** Messages of a thread that are listed. */
const SHOWN_THREAD = 200;

/** One message as text, its attachments, and the thread it stands in. */
export function messageView(message: MessageDetailWire, thread: ThreadMessages): readonly Node[] {
  return [
    heading(message.subject || "(no subject)", message.sent_at?.replace("T", " ").replace("Z", " UTC") ?? "undated"),
    addressFields(message),
    makeMailText("pre", "body", message.body),
    ...attachmentList(message),
    ...threadList(message, thread),
  ];
}

function addressFields(message: MessageDetailWire): HTMLElement {
  const fields: readonly (readonly [string, readonly string[]])[] = [
    ["From", message.from_email === "" ? [] : [message.from_email]],
    ["Sent by", message.sender_email === null ? [] : [message.sender_email]],
    ["To", message.to_emails],
    ["Cc", message.cc_emails],
    ["Bcc", message.bcc_emails],
  ];
  const list = make("dl", "fields");
  for (const [name, emails] of fields) {
    if (emails.length === 0) continue;
    const links = emails.flatMap((email, index) => [
      ...(index === 0 ? [] : [", "]),
      makeLink("", `#/messages?${new URLSearchParams({ from: email })}`, makeMailText("bdi", "", email)),
    ]);
    list.append(make("dt", "", name), make("dd", "", ...links));
  }
  if (message.quotes.length > 0) list.append(make("dt", "", "Quotes"), make("dd", "", ...quotedLinks(message.quotes)));
  return list;
}

function quotedLinks(quotes: MessageDetailWire["quotes"]): readonly (Node | string)[] {
  return quotes.flatMap((id, index) => [...(index === 0 ? [] : [", "]), makeLink("", messageAddress(id), id)]);
}

function attachmentList({ attachments }: MessageDetailWire): readonly Node[] {
  if (attachments.length === 0) return [];
  const rows = attachments.map(({ filename, media_type, size_bytes }) =>
    make(
      "li",
      "",
      makeMailText("bdi", "", filename),
      make("span", "quiet", ` ${media_type}, ${size_bytes.toLocaleString("en-US")} bytes`),
    ),
  );
  return [make("h3", "", counted(attachments.length, "attachment")), make("ul", "", ...rows)];
}

function threadList(message: MessageDetailWire, { messages }: ThreadMessages): readonly Node[] {
  if (messages.length < 2) return [];
  const rows = messages.slice(0, SHOWN_THREAD).map(({ id, from_email, subject, sent_at }) => {
    const head = make(
      "span",
      "head",
      makeMailText("span", "from", from_email || "(no sender)"),
      make("time", "quiet", sent_at?.slice(0, 10) ?? "undated"),
    );
    const link = makeLink("", messageAddress(id), head, makeMailText("span", "subject", subject || "(no subject)"));
    if (id === message.id) link.setAttribute("aria-current", "true");
    return make("li", "", link);
  });
  return [make("h3", "", `Thread of ${counted(messages.length, "message")}`), make("ol", "messages", ...rows)];
}

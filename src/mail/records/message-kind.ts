/**
 * Kind of a message, by its Outlook class or by MIME content type and header fields. It does not affect what is kept
 * or counted.
 */
export const MESSAGE_KINDS = [
  "mail",
  "list",
  "meeting_request",
  "meeting_answer",
  "meeting_cancellation",
  "task_request",
  "delivery_report",
  "non_delivery_report",
  "read_receipt",
  "recall",
  "sharing",
  "rss",
  "voicemail",
  "fax",
  "sms",
  "chat",
  "vault_stub",
  "signed",
  "encrypted",
  "rights_protected",
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Names for groups of kinds in queries. */
const FAMILIES: Partial<Readonly<Record<MessageKind, string>>> = {
  meeting_request: "meeting",
  meeting_answer: "meeting",
  meeting_cancellation: "meeting",
  delivery_report: "report",
  non_delivery_report: "report",
  read_receipt: "report",
};

/** A kind in plain words. */
export function kindText(kind: MessageKind): string {
  return kind.replaceAll("_", " ");
}

/**
 * The words that find a kind: its own name, as one word so that "delivery report" does not match "non-delivery report",
 * and that of its family.
 */
export function kindTokens(kind: MessageKind): readonly string[] {
  const own = kind.replaceAll("_", "");
  const family = FAMILIES[kind];
  return family === undefined ? [own] : [own, family];
}

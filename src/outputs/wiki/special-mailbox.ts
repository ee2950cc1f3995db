import { wordSet } from "../../mail/words/word-table.ts";

/** Mailbox names for received and for sent mail, in the languages of mail programs; in the form of `mailboxWord`. */
const INBOX_WORDS = wordSet(
  "inbox notesinbox posteingang boîtederéception bandejadeentrada postainarrivo postvakin inkorgen innboks indbakke caixadeentrada входящие 收件箱 受信トレイ 받은편지함",
);
const SENT_WORDS = wordSet(
  "sent sentitems sentmail sentmessages outbox gesendet gesendeteobjekte gesendeteelemente élémentsenvoyés messagesenvoyés envoyés enviados elementosenviados " +
    "postainviata inviata verzonden verzondenitems skickat skickadeobjekt sendteelementer sendtpost itensenviados отправленные 已发送邮件 送信済みアイテム 보낸편지함",
);

export type SpecialMailbox = "inbox" | "sent" | "other";

/**
 * Distinguishes received from sent mail by the last level of a mailbox path: `lay-k/_sent`, `[Gmail]/Sent Mail`,
 * `INBOX.Sent`.
 */
export function specialMailbox(mailbox: string): SpecialMailbox {
  const word = mailboxWord(mailbox);
  if (INBOX_WORDS.has(word)) return "inbox";
  return SENT_WORDS.has(word) ? "sent" : "other";
}

function mailboxWord(mailbox: string): string {
  const last = mailbox.split(/[/.\\]/).findLast((level) => level.trim() !== "") ?? "";
  return last.toLowerCase().replace(/[\s_\-[\]]/gu, "");
}

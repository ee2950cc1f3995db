import type { Correspondence } from "../../contacts/correspondence.ts";
import type { MessageIndex } from "../../mail/records/ordinal.ts";
import type { Ledger } from "./deduplicate.ts";

/** Correspondence between addresses. Call after references are joined and before dates are settled. */
export function correspondenceOf(ledger: Ledger): Correspondence {
  const { from, sentAt, replyAddresses } = ledger;
  return {
    messageCount: ledger.messageCount,
    authorOf: (message) => from.at(message),
    addRecipients: (message, recipients) => ledger.addRecipients(message as MessageIndex, recipients),
    sentAt: (message) => sentAt.at(message),
    threadOf: (message) => ledger.threadSoFar(message as MessageIndex),
    *replyAddresses() {
      for (let at = 0; at < replyAddresses.length; at++)
        yield [replyAddresses.keys.at(at), replyAddresses.members.at(at)];
    },
    ownAddresses: () => ledger.book.ownAddresses(),
  };
}

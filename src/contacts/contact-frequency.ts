import type { Frequency } from "../mail/records/contact.ts";

/** Share of the contacts, and least messages, for each class above `low`, best first. */
const CLASSES = [
  { frequency: "high", share: 0.1, leastMessages: 10 },
  { frequency: "medium", share: 0.4, leastMessages: 3 },
] as const satisfies readonly {
  readonly frequency: Frequency;
  readonly share: number;
  readonly leastMessages: number;
}[];

/**
 * Classifies contacts by the number of messages they send and receive: `high` is the top tenth with at least 10
 * messages, `medium` the top four tenths with at least 3. Contacts with equal counts are in one class: the one of the
 * first of them.
 * @param messageCounts messages sent or received, of each contact
 * @returns the class of a contact with so many messages
 */
export function frequencyClasses(messageCounts: Iterable<number>): (messages: number) => Frequency {
  /** Contacts by message count; there are few different counts. */
  const contacts = new Map<number, number>();
  let all = 0;
  for (const count of messageCounts) {
    contacts.set(count, (contacts.get(count) ?? 0) + 1);
    all++;
  }
  const descending = [...contacts].sort(([one], [other]) => other - one);
  const bounds = CLASSES.map(({ frequency, share, leastMessages }) => {
    let left = Math.ceil(all * share);
    const last = descending.find(([, having]) => (left -= having) <= 0);
    return { frequency, atLeast: Math.max(leastMessages, last?.[0] ?? leastMessages) };
  });
  return (messages) => bounds.find(({ atLeast }) => messages >= atLeast)?.frequency ?? "low";
}

import type { Frequency } from "../mail/contact.ts";

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
 * Classes contacts by how much they write and are written to: `high` is the top tenth with at least 10 messages,
 * `medium` the top four tenths with at least 3. Contacts with equal counts are in one class: the one of the first of
 * them.
 * @param messageCounts messages sent or received, by contact.
 */
export function frequencyOf(messageCounts: ArrayLike<number>): readonly Frequency[] {
  const descending = Float64Array.from(messageCounts).sort().reverse();
  const bounds = CLASSES.map(({ frequency, share, leastMessages }) => {
    const last = Math.ceil(descending.length * share) - 1;
    return { frequency, atLeast: Math.max(leastMessages, descending[last] ?? leastMessages) };
  });
  return Array.from(
    messageCounts,
    (count): Frequency => bounds.find(({ atLeast }) => count >= atLeast)?.frequency ?? "low",
  );
}

/** Messages of a sender or mailbox with a detected language, from which the others inherit it. */
const MIN_DETECTED = 3;
/** Minimum share of one language among them: people who write in two often write short messages in either. */
const MAJORITY = 2 / 3;

/** Numbers by message, in memory or in a file. */
interface Numbers {
  readonly length: number;
  at(message: number): number | undefined;
}

/** Per-message inputs for inferring languages. */
interface LanguageColumns {
  /** Number of the detected language, 0 if the text is too short. */
  readonly detected: Numbers;
  /** 1 if there is text. */
  readonly hasText: Numbers;
  /** Numbers of sender and mailbox; -1 and 0 for none. */
  readonly senders: Numbers;
  readonly mailboxes: Numbers;
}

/**
 * Infers the language of messages whose text is too short to detect it: that of most other messages of the sender,
 * otherwise of most messages in the mailbox. 0 if neither has one language, if the text decides, and if there is no
 * text.
 */
export function inferLanguages({ detected, hasText, senders, mailboxes }: LanguageColumns): Uint32Array {
  const ofSender = majorities(detected, senders);
  const ofMailbox = majorities(detected, mailboxes);
  const inferred = new Uint32Array(detected.length);
  for (let message = 0; message < inferred.length; message++) {
    if (detected.at(message) !== 0 || hasText.at(message) === 0) continue;
    inferred[message] = ofSender.get(senders.at(message)!) ?? ofMailbox.get(mailboxes.at(message)!) ?? 0;
  }
  return inferred;
}

/** The language of most messages of each group that has one. */
function majorities(detected: Numbers, groups: Numbers): ReadonlyMap<number, number> {
  const counts = new Map<number, Map<number, number>>();
  for (let message = 0; message < detected.length; message++) {
    const [language, group] = [detected.at(message)!, groups.at(message)!];
    if (language === 0 || group < 0) continue;
    const own = counts.get(group) ?? new Map<number, number>();
    counts.set(group, own);
    own.set(language, (own.get(language) ?? 0) + 1);
  }
  const found = new Map<number, number>();
  for (const [group, own] of counts) {
    let [best, most, all] = [0, 0, 0];
    for (const [language, count] of own) {
      all += count;
      if (count > most) [best, most] = [language, count];
    }
    if (all >= MIN_DETECTED && most >= all * MAJORITY) found.set(group, best);
  }
  return found;
}

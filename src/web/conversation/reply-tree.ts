/** A message and its parent. */
interface Answering {
  readonly id: string;
  readonly parent: string | null;
}

/** Messages in the order of the reply tree, each with its depth; replies to missing messages are at the top level. */
export function replyTree<T extends Answering>(
  messages: readonly T[],
): readonly (readonly [message: T, depth: number])[] {
  const known = new Set(messages.map(({ id }) => id));
  const answers = new Map<string | null, T[]>();
  for (const message of messages) {
    const parent = message.parent !== null && known.has(message.parent) ? message.parent : null;
    const siblings = answers.get(parent) ?? [];
    siblings.push(message);
    answers.set(parent, siblings);
  }
  const ordered: (readonly [T, number])[] = [];
  const waiting = (answers.get(null) ?? []).toReversed().map((message): readonly [T, number] => [message, 0]);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [message, depth] = next;
    ordered.push(next);
    for (const answer of (answers.get(message.id) ?? []).toReversed()) waiting.push([answer, depth + 1]);
  }
  return ordered;
}

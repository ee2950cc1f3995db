/** Identifies an item or event of a source after its content has changed. */
export interface Identified {
  /** Equal for possibly the same object: source, kind, and creation time. */
  readonly group: string;
  readonly subject: string;
  /** True if the group suffices; else the subject must be equal, too. */
  readonly isSure: boolean;
}

/**
 * Finds records of earlier runs that were changed in place: they are no longer in their source, and a new record has
 * the same identity. If fewer are new than missing, some were deleted, and which ones is unknown: all of them stay,
 * so that nothing is lost silently. @param gone records of the sources read again that were not found unchanged.
 * @param added new records. @returns indexes into `gone`, ascending.
 */
export function supersededOf(gone: readonly Identified[], added: readonly Identified[]): readonly number[] {
  const bySubject = (one: Identified): string => `${one.group}\n${one.subject}`;
  const addedInGroup = countBy(added, ({ group }) => group);
  const goneInGroup = countBy(gone, ({ group }) => group);
  const addedOfSubject = countBy(added, bySubject);
  const goneOfSubject = countBy(gone, bySubject);
  const found: number[] = [];
  for (const [index, one] of gone.entries()) {
    const isByGroup = one.isSure && (goneInGroup.get(one.group) ?? 0) <= (addedInGroup.get(one.group) ?? 0);
    const subject = bySubject(one);
    const isBySubject = one.subject !== "" && (goneOfSubject.get(subject) ?? 0) <= (addedOfSubject.get(subject) ?? 0);
    if (isByGroup || isBySubject) found.push(index);
  }
  return found;
}

function countBy(things: readonly Identified[], keyOf: (one: Identified) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of things) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return counts;
}

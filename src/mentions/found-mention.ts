import type { MentionKind } from "../mail/records/mention.ts";
import type { RedactedType } from "../mail/records/provenance.ts";

/**
 * Form of a name. A whole one is a common given name and a family name without adjacent capitalized words. A prefix
 * looks like one, but begins a longer name; it is only counted, not a mention. A shortened one lacks the middle name of
 * the text; only contacts have it.
 */
export const NAME_FORMS = { full: "m", whole: "w", prefix: "b", reversed: "f", titled: "t", shortened: "c" } as const;

/** Prefix characters: of the kind of a candidate, and of the form of a person's name. */
export const MARK_OF_KIND: Readonly<Record<MentionKind, string>> = {
  mentions: "",
  others: "",
  org: "o",
  phone: "p",
  iban: "i",
  amount: "a",
  site: "s",
  reference: "r",
};

const KIND_OF_MARK: ReadonlyMap<string, MentionKind> = new Map(
  Object.entries(MARK_OF_KIND).map(([kind, mark]) => [mark, kind as MentionKind]),
);

export function kindOfFound(found: string): MentionKind {
  return KIND_OF_MARK.get(found[0]!) ?? "mentions";
}

/** The kinds that are the same as a redacted type. Other kinds are found in the redacted text. */
const KIND_OF_TYPE: Readonly<Partial<Record<RedactedType, MentionKind>>> = { phone: "phone", iban: "iban" };

/** The kinds that an archive with redacted types leaves out. */
export function omittedKinds(redacted: readonly RedactedType[]): ReadonlySet<MentionKind> {
  return new Set(redacted.flatMap((type) => KIND_OF_TYPE[type] ?? []));
}

import type { ContactOrdinal } from "./ordinal.ts";

/** Kinds of mentions; each has an operator and a facet with its name. */
export const MENTION_KINDS = ["mentions", "others", "org", "phone", "iban", "amount", "site", "reference"] as const;
/**
 * `mentions` are people of the archive, `others` other people; `site` is the registrable domain of a link, `reference`
 * an invoice, case or other number.
 */
export type MentionKind = (typeof MENTION_KINDS)[number];

/** A row for each kind. */
export function byMentionKind<Row>(rowOf: (kind: MentionKind) => Row): Readonly<Record<MentionKind, Row>> {
  return Object.fromEntries(MENTION_KINDS.map((kind) => [kind, rowOf(kind)])) as Record<MentionKind, Row>;
}

/**
 * A value that texts mention: a name, `+14155550132`, `USD 10000`, `x.example`. The contact of a person of the archive.
 */
export type MentionedValue = readonly [label: string, contact?: ContactOrdinal];

import type { PiiType, RedactedType } from "../mail/records/provenance.ts";
import type { Span } from "./characters.ts";
import { matchBrokenCard, matchCreditCard } from "./credit-card.ts";
import type { DigitGroups } from "./digit-groups.ts";
import { matchEmail } from "./email.ts";
import { matchIban } from "./iban.ts";
import { type Ipv6Match, matchIpv4, matchIpv6 } from "./ip.ts";
import { matchPhone } from "./phone.ts";
import { matchSsn } from "./ssn.ts";

/** State of the scan before the current position. */
interface PassedText {
  /** End of the last span or marker. */
  readonly floor: number;
  /** Type of that span. */
  readonly lastType: RedactedType | null;
}

/** Matcher of a type by its trigger. */
type PiiMatcher =
  | {
      /** A group of digits: its chain is split into groups once for all types. */
      readonly trigger: "number";
      /** @param isBroken digits continue after a tab or line break. */
      match(groups: DigitGroups, group: number, passed: PassedText, isBroken: boolean): Span | null;
    }
  | { readonly trigger: "colon"; match(text: string, colon: number, floor: number, knownEnd: number): Ipv6Match }
  /** "@", or its encoding in a link; the domain begins after it. */
  | { readonly trigger: "at"; match(text: string, at: number, domain: number): Span | null }
  /** Two letters followed by two digits. */
  | { readonly trigger: "letters"; match(text: string, start: number, floor: number): Span | null };

export type PiiRow = PiiMatcher & { readonly type: PiiType };

/** Matchers of all types; of those with the same trigger, the stricter one comes first. */
const MATCHERS: Readonly<Record<PiiType, readonly PiiMatcher[]>> = {
  iban: [{ trigger: "letters", match: matchIban }],
  email: [{ trigger: "at", match: matchEmail }],
  ip: [
    { trigger: "colon", match: matchIpv6 },
    { trigger: "number", match: (groups, group, { floor }) => matchIpv4(groups, group, floor) },
  ],
  ssn: [{ trigger: "number", match: (groups, group, { floor }) => matchSsn(groups, group, floor) }],
  credit_card: [
    {
      trigger: "number",
      match: (groups, group, { floor }, isBroken) =>
        matchCreditCard(groups, group, floor) ?? (isBroken ? matchBrokenCard(groups, group, floor) : null),
    },
  ],
  phone: [
    {
      trigger: "number",
      match: (groups, group, { floor, lastType }) =>
        matchPhone(groups, group, { floor, isAfterPhone: lastType === "phone" }),
    },
  ],
};

export const PII_ROWS: readonly PiiRow[] = Object.entries(MATCHERS).flatMap(([type, matchers]) =>
  matchers.map((matcher) => ({ ...matcher, type: type as PiiType })),
);

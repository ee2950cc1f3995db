import type { AddressEvidence } from "../mail/records/contact.ts";

/** A resolved person, role or list. */
export interface ResolvedContact {
  readonly name: string;
  /** The address most used, as written; "" when the contact is known by name only. */
  readonly email: string;
  /** Every other address, in its most used spelling. */
  readonly aliases: readonly string[];
  /** Internet domains of the addresses, in order of first appearance. */
  readonly domains: readonly string[];
  /** One entry for each address, the main one first. */
  readonly evidence: readonly AddressEvidence[];
  /** A machine writes here: no-reply, daemons, list managers. */
  readonly isRobot: boolean;
  /** Shared by several people: info, sales, announcements. */
  readonly isRole: boolean;
}

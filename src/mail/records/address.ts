/** One mailbox of an address field (RFC 5322 section 3.4). Groups are flattened to their members. */
export interface Address {
  /** Display name, decoded; "" if there is none. */
  readonly name: string;
  /** addr-spec as it was written, without angle brackets or comments; "" when only a name was given. */
  readonly email: string;
}

/** As a reader is shown it: the address alone where the name says no more, the name alone where there is no address. */
export function formatAddress({ name, email }: Address): string {
  if (email === "") return name;
  return name === "" || name === email ? email : `${name} <${email}>`;
}

/** Both parts, as indexed and as compared with signatures: `Ann Reed <areed@x.example>`. */
export function addressText({ name, email }: Address): string {
  return `${name} <${email}>`;
}

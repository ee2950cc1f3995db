/** One mailbox of an address field (RFC 5322 section 3.4). Groups are flattened to their members. */
export interface Address {
  /** Display name, decoded; "" if there is none. */
  readonly name: string;
  /** addr-spec as written, without angle brackets or comments; "" if there is only a name. */
  readonly email: string;
}

/** Display form: only the address if the name repeats it, only the name if there is no address. */
export function formatAddress({ name, email }: Address): string {
  if (email === "") return name;
  return name === "" || name === email ? email : `${name} <${email}>`;
}

/** Both parts, as indexed and as compared with signatures: `Ann Reed <areed@x.example>`. */
export function addressText({ name, email }: Address): string {
  return `${name} <${email}>`;
}

import type { Address } from "../../mail/address.ts";
import type { Instant } from "../../mail/instant.ts";
import type { CopyDifferences } from "../../mail/message.ts";
import { decodeHex, encodeHex } from "./json-columns.ts";

/** What differs in a copy, as columns of its occurrence; all NULL when nothing does. */
export type CopyColumns = readonly [otherId: string | null, sha256: Uint8Array | null, differs: string | null];
export const COPY_COLUMNS = "other_id, sha256, differs";

/** Addresses are pairs, as in the other tables. */
type Pair = readonly [name: string, email: string];
type StoredDifferences = {
  readonly [K in Exclude<keyof CopyDifferences, "messageId" | "sha256">]: NonNullable<CopyDifferences[K]> extends readonly Address[]
    ? readonly Pair[]
    : NonNullable<CopyDifferences[K]> extends Address
      ? Pair | null
      : CopyDifferences[K];
};

export function encodeCopy({ messageId, sha256, ...rest }: CopyDifferences): CopyColumns {
  const stored: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(rest)) if (value !== undefined) stored[field] = pairs(value);
  const differs = Object.keys(stored).length === 0 ? null : JSON.stringify(stored);
  return [messageId ?? null, sha256 === undefined ? null : encodeHex(sha256), differs];
}

type Value = NonNullable<CopyDifferences[keyof CopyDifferences]> | null;

function pairs(value: Value): unknown {
  if (Array.isArray(value)) return value.map((one: string | Address) => (typeof one === "string" ? one : [one.name, one.email]));
  return typeof value === "object" && value !== null && "email" in value ? [value.name, value.email] : value;
}

export function decodeCopy(otherId: string | null, sha256: Uint8Array | null, differs: string | null): CopyDifferences {
  const ids = {
    ...(otherId === null ? {} : { messageId: otherId }),
    ...(sha256 === null ? {} : { sha256: decodeHex(sha256) }),
  };
  if (differs === null) return ids;
  const { from, sender, replyTo, to, cc, bcc, ...plain } = JSON.parse(differs) as StoredDifferences;
  return {
    ...ids,
    ...(plain as { readonly sentAt?: Instant | null }),
    ...(from === undefined ? {} : { from: address(from) }),
    ...(sender === undefined ? {} : { sender: address(sender) }),
    ...(replyTo === undefined ? {} : { replyTo: replyTo.map(addressOf) }),
    ...(to === undefined ? {} : { to: to.map(addressOf) }),
    ...(cc === undefined ? {} : { cc: cc.map(addressOf) }),
    ...(bcc === undefined ? {} : { bcc: bcc.map(addressOf) }),
  };
}

function addressOf([name, email]: Pair): Address {
  return { name, email };
}

function address(pair: Pair | null): Address | null {
  return pair === null ? null : addressOf(pair);
}

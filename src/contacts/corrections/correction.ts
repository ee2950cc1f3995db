import { addressKey } from "../addresses/address-form.ts";

/** A correction of people by the user. Later corrections override earlier ones. */
export type Correction =
  | { readonly kind: "person"; readonly name: string | null; readonly addresses: readonly string[] }
  | { readonly kind: "apart"; readonly one: string; readonly other: string }
  | { readonly kind: "list"; readonly address: string };

/** A name set by the user, with the main address. */
interface GivenName {
  readonly name: string;
  readonly main: string;
}

/** Effect of the corrections, overriding all rules. Addresses are keys (`addressKey`). */
export interface SettledCorrections {
  /** Addresses of one person each: two or more, the first one first. */
  readonly groups: readonly (readonly string[])[];
  /** Addresses of two people, in both directions. */
  readonly apart: ReadonlyMap<string, ReadonlySet<string>>;
  /** If a person is named twice, the later name counts. */
  readonly names: readonly GivenName[];
  readonly lists: readonly string[];
}

/** State while corrections are applied in order. */
class Settling {
  readonly groups = new Map<string, readonly string[]>();
  readonly apart = new Map<string, Set<string>>();
  readonly names = new Map<string, GivenName>();
  readonly lists = new Set<string>();

  /** Joins addresses without a restriction; overrides restrictions between these themselves. */
  addPerson(name: string | null, addresses: readonly string[]): void {
    const [main] = addresses;
    if (main === undefined) return;
    for (const address of addresses) {
      this.lists.delete(address);
      for (const other of addresses) this.apart.get(address)?.delete(other);
    }
    for (const address of addresses.slice(1)) this.join(main, address);
    if (name === null) return;
    this.names.delete(main);
    this.names.set(main, { name, main });
  }

  /** Keeps two addresses apart: if they were joined, the second one leaves. */
  addApart(one: string, other: string): void {
    if (one === other) return;
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const)
      this.apart.set(from, (this.apart.get(from) ?? new Set()).add(to));
    const group = this.groups.get(one);
    if (group?.includes(other)) this.remove(other, group);
  }

  addList(address: string): void {
    const group = this.groups.get(address);
    if (group !== undefined) this.remove(address, group);
    this.names.delete(address);
    this.lists.add(address);
  }

  private join(one: string, other: string): void {
    const ones = this.groups.get(one) ?? [one];
    const others = this.groups.get(other) ?? [other];
    if (ones === others) return;
    if (ones.some((from) => others.some((to) => this.apart.get(from)?.has(to)))) return;
    const both = [...ones, ...others];
    for (const address of both) this.groups.set(address, both);
  }

  private remove(address: string, group: readonly string[]): void {
    const rest = group.filter((other) => other !== address);
    for (const other of rest) this.groups.set(other, rest);
    this.groups.delete(address);
  }
}

/** Combines all corrections. */
export function settleCorrections(corrections: readonly Correction[]): SettledCorrections {
  const settling = new Settling();
  for (const correction of corrections) {
    if (correction.kind === "apart") settling.addApart(addressKey(correction.one), addressKey(correction.other));
    else if (correction.kind === "list") settling.addList(addressKey(correction.address));
    else settling.addPerson(correction.name, [...new Set(correction.addresses.map(addressKey))]);
  }
  return {
    groups: [...new Set(settling.groups.values())].filter((group) => group.length > 1),
    apart: settling.apart,
    names: [...settling.names.values()],
    lists: [...settling.lists],
  };
}

export const NO_CORRECTIONS: SettledCorrections = settleCorrections([]);

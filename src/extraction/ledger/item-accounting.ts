import type { Address } from "../../mail/records/address.ts";
import type { ItemSkeleton } from "../staging/item-skeleton.ts";
import { supersededOf } from "./superseded.ts";

/** An item of an earlier run. */
interface RestoredItem {
  readonly skeleton: ItemSkeleton;
  readonly source: number;
  readonly ordinal: number;
  isMet: boolean;
}

/**
 * Outlook items of this run and of earlier ones, other than mail. If a source is read again, known items are not
 * duplicated, and one changed in place replaces its earlier state.
 */
export class ItemAccounting {
  private readonly restored: RestoredItem[] = [];
  /** Restored items that have not been seen again, by source and key. */
  private readonly waiting = new Map<string, RestoredItem[]>();
  private readonly added: { readonly skeleton: ItemSkeleton; readonly source: number }[] = [];
  private readonly addresses: Address[] = [];
  /** Items that no earlier run had, or had in an earlier version. */
  addedItems = 0;

  /** Restores an item of an earlier run, in ordinal order. */
  restore(skeleton: ItemSkeleton, source: number, ordinal: number): void {
    const item = { skeleton, source, ordinal, isMet: false };
    this.restored.push(item);
    const key = `${source} ${skeleton.key}`;
    const alike = this.waiting.get(key);
    if (alike === undefined) this.waiting.set(key, [item]);
    else alike.push(item);
  }

  /** Returns true if the item is new: items of a source that is read again are kept as often as before. */
  add(skeleton: ItemSkeleton, source: number): boolean {
    const known = this.waiting.get(`${source} ${skeleton.key}`)?.pop();
    if (known !== undefined) {
      known.isMet = true;
      return false;
    }
    this.addresses.push(...skeleton.addresses);
    this.addedItems++;
    if (this.restored.length > 0) this.added.push({ skeleton, source });
    return true;
  }

  /** Ordinals of items of earlier runs that a newer version has replaced. Call it after all sources are read. */
  superseded(): readonly number[] {
    const unmet = this.restored.filter(({ isMet }) => !isMet);
    const found = supersededOf(unmet.map(identified), this.added.map(identified));
    return found.map((index) => unmet[index]!.ordinal);
  }

  /**
   * Items of a source that stay in the archive although the source no longer has them. Call it after all sources are
   * read.
   */
  goneOf(source: number): number {
    const replaced = new Set(this.superseded());
    return this.restored.filter((item) => item.source === source && !item.isMet && !replaced.has(item.ordinal)).length;
  }

  /** Addresses in kept items. */
  *entries(): Generator<Address> {
    const gone = new Set(this.superseded());
    for (const { skeleton, ordinal } of this.restored) if (!gone.has(ordinal)) yield* skeleton.addresses;
    yield* this.addresses;
  }
}

function identified({ skeleton, source }: { readonly skeleton: ItemSkeleton; readonly source: number }) {
  const { itemKind, created, subject, mailbox } = skeleton;
  // Without an id, two items are the same if they were created in the same second, or else have the same name and
  // folder.
  const group = created === null ? `${source} ${itemKind} in ${mailbox}` : `${source} ${itemKind} at ${created}`;
  return { group, subject, isSure: created !== null };
}

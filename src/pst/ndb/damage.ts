/** A damaged part of a store. */
export interface Damage {
  readonly code: DamageCode;
  readonly message: string;
}

type DamageCode =
  | "page-damaged"
  | "block-damaged"
  | "block-missing"
  | "structure-damaged"
  | "limit-reached"
  | "tree-rebuilt"
  | "rtf-damaged";

/** Maximum faults noted per item: a shredded attachment would otherwise fill the report with its blocks. */
const MAX_NOTES = 20;

/** Maximum bytes of an item's large values cached between its fingerprint and its use. Larger ones are read twice. */
const KEPT_BYTES_PER_ITEM = 32 << 20;

/** Collects the faults found while an item is read. Readers of the layers below add notes and continue. */
export class DamageLog {
  private notes: Damage[] = [];
  private budget: number;
  private keepBudget = KEPT_BYTES_PER_ITEM;

  /** @param budgetPerItem maximum bytes of blocks read per item, which limits stores with circular references. */
  constructor(private readonly budgetPerItem: number) {
    this.budget = budgetPerItem;
  }

  note(code: DamageCode, message: string): void {
    if (this.notes.length >= MAX_NOTES) return;
    if (this.notes.some((known) => known.message === message)) return;
    this.notes.push({ code, message });
  }

  /** Subtracts bytes from the budget of the item; returns false if it is used up. */
  spend(bytes: number): boolean {
    if (this.budget < bytes) {
      this.note("limit-reached", `more than ${this.budgetPerItem} bytes read for one item`);
      return false;
    }
    this.budget -= bytes;
    return true;
  }

  /** True if a value of that size may be cached until the item is done: fingerprint and reader then share one read. */
  mayKeep(bytes: number): boolean {
    if (bytes > this.keepBudget) return false;
    this.keepBudget -= bytes;
    return true;
  }

  /** Bytes the item may still have read. */
  remaining(): number {
    return this.budget;
  }

  /** Returns the notes since the last call and resets the budget. */
  drain(): readonly Damage[] {
    const drained = this.notes;
    this.notes = [];
    this.budget = this.budgetPerItem;
    this.keepBudget = KEPT_BYTES_PER_ITEM;
    return drained;
  }
}

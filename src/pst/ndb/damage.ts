/** A damaged part of a store. */
export interface Damage {
  /** kebab-case, stable; listed in docs/reference/formats/pst.md. */
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

/** Faults noted for one item at most: a shredded attachment would otherwise fill the report with its blocks. */
const MAX_NOTES = 20;

/** Large values of one item kept between its fingerprint and its use. Beyond it they are read twice. */
const KEPT_BYTES_PER_ITEM = 32 << 20;

/** Collects what went wrong while one item is read. Readers of the layers below note here and go on. */
export class DamageLog {
  private notes: Damage[] = [];
  private budget: number;
  private keepBudget = KEPT_BYTES_PER_ITEM;
  private readonly budgetPerItem: number;

  /**
   * @param budgetPerItem bytes of blocks one item may have read: what keeps a store that points everywhere at itself
   * finite.
   */
  constructor(budgetPerItem: number) {
    this.budgetPerItem = budgetPerItem;
    this.budget = budgetPerItem;
  }

  note(code: DamageCode, message: string): void {
    if (this.notes.length >= MAX_NOTES) return;
    if (this.notes.some((known) => known.message === message)) return;
    this.notes.push({ code, message });
  }

  /** Takes bytes off the budget of the item; false when it is used up. */
  spend(bytes: number): boolean {
    if (this.budget < bytes) {
      this.note("limit-reached", `more than ${this.budgetPerItem} bytes read for one item`);
      return false;
    }
    this.budget -= bytes;
    return true;
  }

  /**
   * True when a value of that size may be kept in memory until the item is done: fingerprint and reader then share one
   * read.
   */
  mayKeep(bytes: number): boolean {
    if (bytes > this.keepBudget) return false;
    this.keepBudget -= bytes;
    return true;
  }

  /** Bytes the item may still have read. */
  remaining(): number {
    return this.budget;
  }

  /** Returns what was noted since the last call and resets the budget. */
  drain(): readonly Damage[] {
    const drained = this.notes;
    this.notes = [];
    this.budget = this.budgetPerItem;
    this.keepBudget = KEPT_BYTES_PER_ITEM;
    return drained;
  }

  /** Returns the notes so far and keeps them. */
  peek(): readonly Damage[] {
    return this.notes;
  }
}

import { type IndexedTerm, visitTerm } from "./indexed-term.ts";

/** State of a message that no further condition can admit again. */
const EXCLUDED = 0xffff;

/**
 * The messages that pass all conditions so far. Each fulfilled condition raises the level of a message by one; those on
 * the current level are admitted. At most 65,534 conditions.
 */
export class DocumentFilter {
  readonly states: Uint16Array;
  level = 0;

  /** @param first lowest document number. @param end one above the highest. */
  constructor(
    private readonly first: number,
    end: number,
  ) {
    this.states = new Uint16Array(end);
    this.states.fill(EXCLUDED, 0, first);
  }

  /** An independent copy, which can be narrowed separately. */
  copy(): DocumentFilter {
    const copied = new DocumentFilter(this.first, this.states.length);
    copied.states.set(this.states);
    copied.level = this.level;
    return copied;
  }

  admits(document: number): boolean {
    return this.states[document] === this.level;
  }

  /** Only messages with the term; none if it is null. */
  require(term: IndexedTerm | null): void {
    const { states, level } = this;
    if (term !== null && term.column !== null) {
      const { frequencies } = term.column;
      for (let document = this.first; document < states.length; document++) {
        if (states[document] === level && frequencies[document] !== 0) states[document] = level + 1;
      }
    } else if (term !== null) {
      visitTerm(term, (document) => {
        if (states[document] === level) states[document] = level + 1;
      });
    }
    this.level = level + 1;
  }

  /** Only these messages; repetitions are allowed. */
  requireAny(documents: Iterable<number>): void {
    const { states, level } = this;
    for (const document of documents) if (states[document] === level) states[document] = level + 1;
    this.level = level + 1;
  }

  /** Only messages that pass the test. */
  requireWhere(passes: (document: number) => boolean): void {
    const { states, level } = this;
    for (let document = this.first; document < states.length; document++) {
      if (states[document] === level && !passes(document)) states[document] = EXCLUDED;
    }
  }

  /** Only messages without the term. */
  exclude(term: IndexedTerm | null): void {
    if (term !== null) visitTerm(term, (document) => this.excludeOne(document));
  }

  excludeOne(document: number): void {
    if (document < this.states.length) this.states[document] = EXCLUDED;
  }

  /** Calls `visit` with each admitted message. */
  visit(visit: (document: number) => void): void {
    const { states, level } = this;
    for (let document = this.first; document < states.length; document++)
      if (states[document] === level) visit(document);
  }
}

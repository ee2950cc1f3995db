/** A message and its score. */
export interface RankedDocument {
  readonly document: number;
  readonly score: number;
}

/**
 * The best `limit` of many messages: a heap with the worst of them on top. Equal scores go to the newer, then to the
 * smaller number.
 */
export class TopDocuments {
  /** The heap as two columns: an object for each of 400,000 offers would cost more than the heap. */
  private readonly documents: number[] = [];
  private readonly scores: number[] = [];

  /** @param sentAt instants by document number. */
  constructor(
    private readonly limit: number,
    private readonly sentAt: Float64Array,
  ) {}

  /** Messages below this score cannot enter the result. */
  get floor(): number {
    return this.documents.length < this.limit ? Number.NEGATIVE_INFINITY : this.scores[0]!;
  }

  offer(document: number, score: number): void {
    const { documents, scores, limit } = this;
    if (documents.length < limit) {
      documents.push(document);
      scores.push(score);
      this.rise(documents.length - 1, document, score);
    } else if (limit > 0 && this.isWorse(documents[0]!, scores[0]!, document, score)) {
      this.sinkFromTop(document, score);
    }
  }

  /** Best first. */
  ranked(): RankedDocument[] {
    return Array.from(this.bestFirst(), (at) => ({ document: this.documents[at]!, score: this.scores[at]! }));
  }

  /** The same without scores, because an object per message would be most of the memory. */
  numbers(): Uint32Array {
    return this.bestFirst().map((at) => this.documents[at]!);
  }

  /** Indexes into the heap. */
  private bestFirst(): Uint32Array {
    const { documents, scores } = this;
    return Uint32Array.from(documents, (_, at) => at).sort((left, right) =>
      this.isWorse(documents[left]!, scores[left]!, documents[right]!, scores[right]!) ? 1 : -1,
    );
  }

  private isWorse(left: number, leftScore: number, right: number, rightScore: number): boolean {
    if (leftScore !== rightScore) return leftScore < rightScore;
    const leftSent = this.sentAt[left]!;
    const rightSent = this.sentAt[right]!;
    return leftSent === rightSent ? left > right : leftSent < rightSent;
  }

  private rise(at: number, document: number, score: number): void {
    const { documents, scores } = this;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isWorse(document, score, documents[parent]!, scores[parent]!)) break;
      documents[at] = documents[parent]!;
      scores[at] = scores[parent]!;
      at = parent;
    }
    documents[at] = document;
    scores[at] = score;
  }

  private sinkFromTop(document: number, score: number): void {
    const { documents, scores } = this;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= documents.length) break;
      if (
        child + 1 < documents.length &&
        this.isWorse(documents[child + 1]!, scores[child + 1]!, documents[child]!, scores[child]!)
      )
        child++;
      if (!this.isWorse(documents[child]!, scores[child]!, document, score)) break;
      documents[at] = documents[child]!;
      scores[at] = scores[child]!;
      at = child;
    }
    documents[at] = document;
    scores[at] = score;
  }
}

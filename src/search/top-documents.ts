/** The best `limit` of many messages: a heap with the worst of them on top. */
export class TopDocuments {
  private readonly heap: number[] = [];
  private readonly limit: number;
  private readonly scores: Float64Array;
  private readonly sentAt: Float64Array;

  /** @param scores and @param sentAt by document number. Equal scores go to the newer, then to the smaller number. */
  constructor(limit: number, scores: Float64Array, sentAt: Float64Array) {
    this.limit = limit;
    this.scores = scores;
    this.sentAt = sentAt;
  }

  /** Below this score no message can enter any more. */
  get floor(): number {
    return this.heap.length < this.limit ? Number.NEGATIVE_INFINITY : this.scores[this.heap[0]!]!;
  }

  offer(document: number): void {
    const { heap, limit } = this;
    if (heap.length < limit) {
      heap.push(document);
      this.rise(heap.length - 1);
    } else if (limit > 0 && this.isWorse(heap[0]!, document)) {
      heap[0] = document;
      this.sinkTop();
    }
  }

  /** Best first. */
  ranked(): number[] {
    return [...this.heap].sort((left, right) => (this.isWorse(left, right) ? 1 : -1));
  }

  private isWorse(left: number, right: number): boolean {
    const score = this.scores[left]! - this.scores[right]!;
    if (score !== 0) return score < 0;
    const [leftSent, rightSent] = [this.sentAt[left]!, this.sentAt[right]!];
    return leftSent === rightSent ? left > right : leftSent < rightSent;
  }

  private rise(at: number): void {
    const { heap } = this;
    const document = heap[at]!;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isWorse(document, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = document;
  }

  private sinkTop(): void {
    const { heap } = this;
    const document = heap[0]!;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.isWorse(heap[child + 1]!, heap[child]!)) child += 1;
      if (!this.isWorse(heap[child]!, document)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = document;
  }
}

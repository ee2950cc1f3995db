/** An asynchronous queue for one consumer. */
export class Feed<T> implements AsyncIterable<T> {
  private waiting: T[] = [];
  private isEnded = false;
  private wake: () => void = () => undefined;

  push(item: T): void {
    this.waiting.push(item);
    this.wake();
  }

  /** Ends the iteration after the remaining items. */
  end(): void {
    this.isEnded = true;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      yield* this.waiting.splice(0);
      if (this.waiting.length > 0) continue;
      if (this.isEnded) return;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}

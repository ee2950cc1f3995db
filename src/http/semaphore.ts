/** FIFO semaphore that limits concurrency. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];
  private free: number;

  constructor(atOnce: number) {
    this.free = atOnce;
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // The slot passes to the next waiter, so that newcomers cannot overtake it.
      if (next === undefined) this.free++;
      else next();
    }
  }
}

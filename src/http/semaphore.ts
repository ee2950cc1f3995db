/** Lets a few pieces of work run at a time; the others wait, and go in the order they came. */
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
      // The place is handed on, so that nobody who comes now goes before.
      if (next === undefined) this.free++;
      else next();
    }
  }
}

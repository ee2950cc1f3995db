/** What was asked for last, by its key: of more than `most` things the one that was not asked for longest goes. */
export class Latest<T> {
  private readonly things = new Map<string, T>();
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  get(key: string): T | undefined {
    return this.things.get(key);
  }

  /** Enters what was just asked for, or moves it up. */
  keep(key: string, thing: T): void {
    this.things.delete(key);
    for (const oldest of this.things.keys()) {
      if (this.things.size < this.most) break;
      this.things.delete(oldest);
    }
    this.things.set(key, thing);
  }
}

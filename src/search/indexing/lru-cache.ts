/** A cache by key that evicts the least recently used entry above `most` entries. */
export class LruCache<T> {
  private readonly things = new Map<string, T>();

  constructor(private readonly most: number) {}

  get(key: string): T | undefined {
    return this.things.get(key);
  }

  /** Adds an entry, or marks it as recently used. */
  keep(key: string, thing: T): void {
    this.things.delete(key);
    for (const oldest of this.things.keys()) {
      if (this.things.size < this.most) break;
      this.things.delete(oldest);
    }
    this.things.set(key, thing);
  }
}

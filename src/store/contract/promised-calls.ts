/** Synchronous versions of calls that return promises. */
export type Immediate<T> = {
  readonly [K in keyof T]: T[K] extends (...given: infer Given) => Promise<infer Answer>
    ? (...given: Given) => Answer
    : never;
};

/** Wraps synchronous calls as promises that reject with their errors. */
export function promised<T>(calls: Immediate<T>): T {
  const wrapped = Object.entries(calls as Readonly<Record<string, (...given: readonly unknown[]) => unknown>>).map(
    ([name, call]) => [name, async (...given: readonly unknown[]) => call(...given)],
  );
  return Object.fromEntries(wrapped) as T;
}

/** Watches whether the database of a server can be reached. */
export interface DatabaseWatch {
  /** False from a probe that failed until one succeeds again. */
  readonly isReachable: boolean;
  /** Settles as `answer` does, or rejects with STORE_UNREACHABLE as soon as the database cannot be reached. */
  whileReachable<T>(answer: Promise<T>): Promise<T>;
  /** Calls the listener each time the database can no longer be reached. */
  onLoss(listener: () => void): void;
  close(): Promise<void>;
}

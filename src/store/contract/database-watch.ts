/** Watches whether the database of a server is reachable. */
export interface DatabaseWatch {
  /** False after a failed probe, until one succeeds. */
  readonly isReachable: boolean;
  /** Settles like `answer`, or rejects with STORE_UNREACHABLE as soon as the database is unreachable. */
  whileReachable<T>(answer: Promise<T>): Promise<T>;
  /** Calls the listener whenever the database becomes unreachable. */
  onLoss(listener: () => void): void;
  close(): Promise<void>;
}

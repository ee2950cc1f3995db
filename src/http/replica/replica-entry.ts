import type { SearchEntry } from "../../store/archive-thread.ts";

/** What the thread of a replica is told. */
export interface ReplicaData {
  /** The database whose collections it searches. */
  readonly server: string;
  /** Where other replicas ask it. */
  readonly host: string;
  readonly port: number;
}

/** The search thread of a replica. */
export function replicaEntry(replica: ReplicaData): SearchEntry {
  return { file: "http/replica-thread.js", data: { replica }, isHeard: true };
}

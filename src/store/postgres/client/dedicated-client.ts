import type { PostgresClient } from "./postgres-client.ts";

/** Queries and transactions of a catalog. */
export interface DedicatedClient {
  ask<T>(question: (client: PostgresClient) => Promise<T>): Promise<T>;
  change<T>(question: (client: PostgresClient) => Promise<T>): Promise<T>;
}

import type { PostgresClient } from "./postgres-client.ts";

/** How what belongs to a catalogue asks its database: alone, or in a transaction. */
export interface DedicatedClient {
  ask<T>(question: (client: PostgresClient) => Promise<T>): Promise<T>;
  change<T>(question: (client: PostgresClient) => Promise<T>): Promise<T>;
}

import type { SqlValue } from "../../tables/sql-value.ts";
import type { StoredColumn } from "../../tables/stored-tables.ts";
import type { Parameter, PostgresClient } from "../client/postgres-client.ts";

/**
 * One published state of a collection, as it was when it was opened: it stays until this is closed, and a connection that
 * was lost is made again.
 */
export interface OpenEpoch {
  readonly hasIndex: boolean;
  /** True if nobody may read the notebook of the collection. */
  readonly isNotebookHidden: boolean;
  /** Rows of a statement whose $1 is the state (valid-rows.ts); further values are $2 and following. */
  rows(sql: string, ...values: Parameter[]): Promise<SqlValue[][]>;
  /**
   * Rows of a query as COPY gives them, bytes as they are and not as twice as many characters: for many texts. The query
   * is planned each time.
   */
  copiedRows(query: (state: number) => string, columns: readonly StoredColumn[]): Promise<SqlValue[][]>;
  /** A connection with the state for what is no statement, such as COPY. */
  connected(): Promise<{ readonly client: PostgresClient; readonly state: number }>;
  close(): Promise<void>;
}

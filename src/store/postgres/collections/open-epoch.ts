import type { SqlValue } from "../../tables/sql-value.ts";
import type { StoredColumn } from "../../tables/stored-tables.ts";
import type { Parameter, PostgresClient } from "../client/postgres-client.ts";

/** One published state of a collection, unchanged until it is closed. Reconnects if the connection is lost. */
export interface OpenEpoch {
  readonly hasIndex: boolean;
  /** True if the notebook of the collection must not be read. */
  readonly isNotebookHidden: boolean;
  /** Rows of a statement whose $1 is the state (valid-rows.ts); further values are $2 and following. */
  rows(sql: string, ...values: Parameter[]): Promise<SqlValue[][]>;
  /**
   * Rows of a query by COPY, as bytes instead of twice as many characters, for many texts. The query is planned each
   * time.
   */
  copiedRows(query: (state: number) => string, columns: readonly StoredColumn[]): Promise<SqlValue[][]>;
  /** A connection for calls other than statements, such as COPY. */
  connected(): Promise<{ readonly client: PostgresClient; readonly state: number }>;
  close(): Promise<void>;
}

import type { SqlValue } from "../../tables/sql-value.ts";
import type { Question, Statement } from "../../tables/statement.ts";
import type { PostgresClient } from "./postgres-client.ts";

/** Runs a query on any database. */
export async function askIn<Answer>(client: PostgresClient, question: Question<Answer>): Promise<Answer> {
  return question.answer(await runIn(client, question));
}

export function runIn(client: PostgresClient, { sql, values }: Statement): Promise<SqlValue[][]> {
  return client.rows(numbered(sql), values);
}

/** Numbers the parameters of a statement. */
export function numbered(sql: string, start = 1): string {
  const [first, ...others] = sql.split("?");
  return others.reduce((text, piece, index) => `${text}$${index + start}${piece}`, first!);
}

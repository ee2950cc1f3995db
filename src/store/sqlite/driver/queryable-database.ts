import type { SqlValue } from "../../tables/sql-value.ts";
import type { Question, Statement } from "../../tables/statement.ts";
import type { SqliteDatabase, SqliteStatement } from "./sqlite-database.ts";

/** Runs statements with bound values. */
export interface QueryableDatabase {
  ask<Answer>(question: Question<Answer>): Answer;
  /** Runs a statement without result rows. Returns the number of changed rows. */
  run(statement: Statement): number;
}

/** Each distinct statement is prepared once; there are a few dozen. */
export function queryableDatabase(database: SqliteDatabase): QueryableDatabase {
  const known = new Map<string, SqliteStatement>();
  const prepared = (sql: string, prepare: () => SqliteStatement): SqliteStatement => {
    const statement = known.get(sql) ?? prepare();
    known.set(sql, statement);
    return statement;
  };
  return {
    ask: ({ sql, values, answer }) =>
      answer(prepared(sql, () => database.prepare(sql).raw()).all(...values) as SqlValue[][]),
    run: ({ sql, values }) => prepared(sql, () => database.prepare(sql)).run(...values).changes,
  };
}

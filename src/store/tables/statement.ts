import type { Column, RowOf } from "./column.ts";
import type { SqlValue } from "./sql-value.ts";
import { insertRowsSql, type Place, type Table, upsertSql } from "./table.ts";

/** SQL with a value for each of its `?`. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A statement and the decoder of its rows. */
export interface Question<Answer> extends Statement {
  answer(rows: readonly (readonly SqlValue[])[]): Answer;
}

/** A part of a statement: a value, SQL, a list of columns, or a table name. */
type Part = SqlValue | { readonly sql: string; readonly values?: readonly SqlValue[] } | Table<unknown>;

/**
 * A piece of SQL. The literal text is SQL; interpolated values are parameters unless they are pieces of SQL themselves.
 */
export function sql(texts: TemplateStringsArray, ...parts: readonly Part[]): Statement {
  const values: SqlValue[] = [];
  let text = texts[0]!;
  for (const [index, part] of parts.entries()) {
    text += pieceOf(part, values) + texts[index + 1]!;
  }
  return { sql: text, values };
}

/** Writes a part; its values are appended to the earlier ones. */
function pieceOf(part: Part, values: SqlValue[]): string {
  if (part !== null && typeof part === "object") {
    if ("places" in part) return part.name;
    if ("sql" in part) {
      if (part.values !== undefined) values.push(...part.values);
      return part.sql;
    }
  }
  values.push(part);
  return "?";
}

/** Empty SQL. */
export const NO_SQL: Statement = sql``;

/** Values between the parentheses of IN. */
export function listed(values: readonly SqlValue[]): Statement {
  return { sql: values.map(() => "?").join(", "), values };
}

type AnyColumns = Readonly<Record<string, Column<unknown>>>;

/** Columns of some fields, with their values in a row. */
function encoded<C>({ places }: Table<C>, row: Partial<RowOf<C>>): { places: readonly Place[]; values: SqlValue[] } {
  const given = places.filter(({ field }) => field in row);
  return {
    places: given,
    values: given.map(({ field, encode }) => encode((row as Readonly<Record<string, unknown>>)[field])),
  };
}

/** Inserts the fields of a row; other properties are ignored. */
export function inserted<C extends AnyColumns>(table: Table<C>, row: Partial<RowOf<C>>): Statement {
  const { places, values } = encoded(table, row);
  return { sql: insertRowsSql(table.name, places, 1), values };
}

/** An INSERT that replaces a row with the same key. */
export function upserted<C extends AnyColumns>(
  table: Table<C>,
  key: readonly (keyof C & string)[],
  row: RowOf<C>,
): Statement {
  const others = Object.keys(table.columns).filter((field) => !(key as readonly string[]).includes(field));
  const valuesOf = (fields: readonly string[]): SqlValue[] =>
    fields.map((field) => table.columns[field]!.encode(row[field as keyof C]));
  return { sql: upsertSql(table, key, others), values: [...valuesOf(key), ...valuesOf(others)] };
}

/** The assignments after SET. */
export function assigned<C extends AnyColumns>(table: Table<C>, row: Partial<RowOf<C>>): Statement {
  const { places, values } = encoded(table, row);
  return { sql: places.map(({ name }) => `${name} = ?`).join(", "), values };
}

type Decode<Row> = (values: readonly SqlValue[]) => Row;

/** All rows of a statement. */
export function every<Row>(statement: Statement, decode: Decode<Row>): Question<readonly Row[]> {
  return { ...statement, answer: (rows) => rows.map(decode) };
}

/** Returns the single row of a statement, or null. */
export function single<Row>(statement: Statement, decode: Decode<Row>): Question<Row | null> {
  return { ...statement, answer: ([row]) => (row === undefined ? null : decode(row)) };
}

/** The single value. */
export function scalar<Value extends SqlValue>(statement: Statement): Question<Value> {
  return {
    ...statement,
    answer([row]) {
      const [only] = row!;
      return only as Value;
    },
  };
}

/** True if there is a row: for a change that returns its rows, true if anything changed. */
export function some(statement: Statement): Question<boolean> {
  return { ...statement, answer: (rows) => rows.length > 0 };
}

/** Queries by call name. */
type Questions = Readonly<Record<string, (...given: never[]) => Question<unknown>>>;

type Calls<Q extends Questions> = {
  readonly [K in keyof Q]: (
    ...given: Parameters<Q[K]>
  ) => ReturnType<Q[K]> extends Question<infer Answer> ? Answer : never;
};

/** Asynchronous versions of the same calls. */
type AsyncAnswers<T> = {
  readonly [K in keyof T]: T[K] extends (...given: infer Given) => infer Answer
    ? (...given: Given) => Promise<Answer>
    : never;
};

/** A call for each of the queries. */
export function answering<Q extends Questions>(
  questions: Q,
  ask: <Answer>(question: Question<Answer>) => Answer,
): Calls<Q> {
  return callsOf(questions, ask) as Calls<Q>;
}

/** The asynchronous version. */
export function asyncCalls<Q extends Questions>(
  questions: Q,
  ask: <Answer>(question: Question<Answer>) => Promise<Answer>,
): AsyncAnswers<Calls<Q>> {
  return callsOf(questions, ask) as AsyncAnswers<Calls<Q>>;
}

function callsOf(questions: Questions, ask: (question: Question<unknown>) => unknown) {
  const calls = Object.entries(questions).map(([name, questionOf]) => [
    name,
    (...given: never[]) => ask(questionOf(...given)),
  ]);
  return Object.fromEntries(calls);
}

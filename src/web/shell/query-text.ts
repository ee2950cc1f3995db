import type { ClauseWire } from "../../http/explore-api/wire/wire.ts";
import { FACET_CLAUSES, type FacetName } from "../../mail/exploration.ts";

/**
 * Edits the text of a query at the positions of its clauses (`understood` of the responses). Chips, facets and the
 * histogram change only this text.
 */

/** True if a query includes or excludes a clause. */
export type Choice = "included" | "excluded" | null;

/** Separator of the alternatives in a facet clause. */
const OR = " OR ";

/** A clause with its text in the query. */
export interface ClauseText extends ClauseWire {
  readonly text: string;
}

/** Clauses of a query with their texts, only from a response to exactly this query. */
export function clauseTexts(q: string, understood: readonly ClauseWire[]): readonly ClauseText[] {
  return understood.map((clause) => ({ ...clause, text: q.slice(clause.start, clause.end) }));
}

export function withClause(q: string, clause: string): string {
  return q.trim() === "" ? clause : `${q.trim()} ${clause}`;
}

/** The query without the text in a range and without empty parentheses. */
export function withoutRange(q: string, { start, end }: { readonly start: number; readonly end: number }): string {
  let before = q.slice(0, start).trimEnd();
  let after = q.slice(end).trimStart();
  while (/(?:^|[\s(])[-+]?\($/.test(before) && after.startsWith(")")) {
    before = before.replace(/[-+]?\($/, "").trimEnd();
    after = after.slice(1).trimStart();
  }
  return before === "" || after === "" || before.endsWith("(") || after.startsWith(")")
    ? before + after
    : `${before} ${after}`;
}

/** The query with a clause negated, or restored if it was negated. */
export function negated(q: string, clause: ClauseText): string {
  const { text } = clause;
  const other = text.startsWith("-") ? text.slice(1) : text.includes(OR) ? `-(${text})` : `-${text.replace(/^\+/, "")}`;
  return q.slice(0, clause.start) + other + q.slice(clause.end);
}

/** The query for a clause alone, even if it is excluded. */
export function singleClauseQuery({ text }: ClauseText): string {
  return text.replace(/^-/, "");
}

/** True if a query contains a facet clause. */
export function choiceOf(clauses: readonly ClauseText[], clause: string): Choice {
  if (clause === "") return null;
  for (const { text } of clauses) {
    if (text === `-${clause}`) return "excluded";
    if (text.split(OR).includes(clause)) return "included";
  }
  return null;
}

/** The same from the text alone, while the parsed form is unknown. */
export function choiceFromText(q: string, clause: string): Choice {
  const text = ` ${q} `;
  if (clause === "") return null;
  if (text.includes(` -${clause} `)) return "excluded";
  return text.includes(` ${clause} `) ? "included" : null;
}

/**
 * Chooses or clears a value of a facet; several values of one facet are alternatives. Other clauses for the facet are
 * removed (`is:undated` and `after:2021` when a year is chosen): the number next to the value was counted without them.
 */
export function withChoice(q: string, clauses: readonly ClauseText[], clause: string, of: FacetName): string {
  const chosen = clauses.find(({ text }) => text.split(OR).includes(clause));
  if (chosen !== undefined) {
    const rest = chosen.text.split(OR).filter((text) => text !== clause);
    return rest.length === 0 ? withoutRange(q, chosen) : replaced(q, chosen, rest.join(OR));
  }
  const excluded = clauses.find(({ text }) => text === `-${clause}`);
  if (excluded !== undefined) return replaced(q, excluded, clause);
  const operator = `${clause.split(":", 1)[0]}:`;
  const same = clauses.find(({ text }) => text.split(OR).every((part) => part.startsWith(operator)));
  if (same !== undefined) return replaced(q, same, `${same.text}${OR}${clause}`);
  return withClause(withoutKinds(q, clauses, FACET_CLAUSES[of]), clause);
}

/** Selects the messages without a value of a facet by the clause that finds these, or undoes that. */
export function withoutValue(q: string, clauses: readonly ClauseText[], clause: string, of: FacetName): string {
  const chosen = clauses.find(({ text }) => text === clause);
  return chosen === undefined
    ? withClause(withoutKinds(q, clauses, FACET_CLAUSES[of]), clause)
    : withoutRange(q, chosen);
}

/** The query without conditions of some kinds; exclusions stay. */
function withoutKinds(q: string, clauses: readonly ClauseText[], kinds: readonly string[]): string {
  return clauses
    .filter(({ kind, is_excluded }) => kinds.includes(kind) && !is_excluded)
    .reduceRight((text, clause) => withoutRange(text, clause), q);
}

/** Excludes a facet value, or undoes that. */
export function withExclusion(q: string, clauses: readonly ClauseText[], clause: string): string {
  const excluded = clauses.find(({ text }) => text === `-${clause}`);
  if (excluded !== undefined) return withoutRange(q, excluded);
  const chosen = clauses.find(({ text }) => text.split(OR).includes(clause));
  if (chosen === undefined) return withClause(q, `-${clause}`);
  const rest = chosen.text.split(OR).filter((text) => text !== clause);
  return withClause(rest.length === 0 ? withoutRange(q, chosen) : replaced(q, chosen, rest.join(OR)), `-${clause}`);
}

/**
 * The query with a date condition from one span to another: `2001`, `2001-05` or a day. Removes redundant conditions;
 * keeps those that cut a span, so that results match the counts.
 */
export function withSpan(q: string, clauses: readonly ClauseText[], first: string, last: string): string {
  const rest = clauses
    .filter(({ is_excluded, text }) => !is_excluded && holdsSpan(text, first, last))
    .reduceRight((text, clause) => withoutRange(text, clause), q);
  return withClause(rest, first === last ? `on:${first}` : `after:${first} before:${last}`);
}

const DATE_CONDITION = /^\+?(on|after|before):(\d{4}(?:-\d\d){0,2})$/;

/** True if a clause matches whole days only, and one of its alternatives contains all of the spans. */
function holdsSpan(text: string, first: string, last: string): boolean {
  const dates = text.split(OR).map((alternative) => DATE_CONDITION.exec(alternative));
  return (
    dates.every((date) => date !== null) &&
    dates.some(([, operator, date]) => {
      const isSince = operator === "before" || firstDay(date!) <= firstDay(first);
      return isSince && (operator === "after" || lastDay(date!) >= lastDay(last));
    })
  );
}

/** The first and last days of a span as comparable texts: for comparison, every month may have 31 days. */
function firstDay(span: string): string {
  return span + "-01-01".slice(span.length - 4);
}
function lastDay(span: string): string {
  return span + "-12-31".slice(span.length - 4);
}

/** A value for an operator, quoted if it contains blanks or parentheses. */
export function operatorClause(operator: string, value: string): string {
  return `${operator}:${/[\s()]/.test(value) ? `"${value.replaceAll('"', "")}"` : value}`;
}

function replaced(q: string, { start, end }: ClauseText, text: string): string {
  return q.slice(0, start) + text + q.slice(end);
}

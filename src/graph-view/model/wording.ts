import type { GraphData } from "./graph-data.ts";

const NUMBERS = new Intl.NumberFormat("en");
const MONTHS = new Intl.DateTimeFormat("en", { month: "short", year: "numeric", timeZone: "UTC" });

export function formatNumber(value: number): string {
  return NUMBERS.format(value);
}

/** `1 contact`, `2,000 contacts`. */
export function countOf(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** A score of 0 … 1, three digits. */
export function formatScore(score: number): string {
  return score === 0 ? "0" : score < 0.001 ? "< 0.001" : score.toPrecision(3);
}

/** `2001-05-14`; a dash when it is not known. @param seconds since 1970. */
export function formatDay(seconds: number | null): string {
  return seconds === null ? "–" : new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** `May 2001`. @param month months since January of year 0. */
export function formatMonth(month: number): string {
  return MONTHS.format(monthStart(month) * 1000);
}

/** Months since January of year 0. @param seconds since 1970. */
export function monthOf(seconds: number): number {
  const date = new Date(seconds * 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** First second of a month. */
export function monthStart(month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(Math.floor(month / 12), month % 12, 1);
  return date.getTime() / 1000;
}

/** `2001-05`. */
export function writeMonth(month: number): string {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`;
}

/** The month that `2001-05` names; null for any other text. */
export function readMonth(text: string): number | null {
  const [, year, month] = /^(\d{4})-(\d\d)$/.exec(text) ?? [];
  return year === undefined ? null : Number(year) * 12 + Number(month) - 1;
}

/** `300 of 400 contacts, 1,200 of 2,000 edges`. */
export function describeSize(data: GraphData): string {
  const { totals, nodes } = data;
  return `${formatNumber(nodes.id.length)} of ${countOf(totals.contacts, "contact")}, ${formatNumber(edgesOf(data))} of ${countOf(totals.edges, "edge")}`;
}

/** Describes which part of the graph is shown. */
export function describeCut(data: GraphData): string {
  const { totals, nodes, generator, extractedAt } = data;
  const [contacts, edges] = [totals.contacts - nodes.id.length, totals.edges - edgesOf(data)];
  const origin = `Written by ${generator} from mail extracted on ${formatDay(extractedAt)}.`;
  return contacts === 0 && edges === 0
    ? `The whole archive is shown. ${origin}`
    : `This graph shows the contacts with the most messages and their strongest ties. Omitted: ${countOf(contacts, "contact")} and ${countOf(edges, "edge")}. ${origin}`;
}

/** Number of directed edges in the ties. */
function edgesOf({ ties }: GraphData): number {
  return ties.a.reduce((sum, _, tie) => sum + Number(ties.there[tie]! > 0) + Number(ties.back[tie]! > 0), 0);
}

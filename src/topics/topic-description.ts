import { formatInstant } from "../mail/dates/instant.ts";
import type { DateRange } from "../mail/records/provenance.ts";
import { countOf } from "../text/tokens/format-count.ts";

/** Name of the topic for all other threads, and its description. */
export const OTHER_TOPIC_NAME = "Other";

/** Maximum keywords and people in a description. */
const KEYWORDS = 5;
const PEOPLE = 3;

/** Figures of a topic. */
interface TopicFigures extends DateRange {
  readonly messages: number;
  /** Names of the people who wrote and received most of it, the busiest first. */
  readonly people: readonly string[];
  /** The strongest first; none for "Other". */
  readonly keywords: readonly string[];
}

const day = (instant: number | null): string | null => formatInstant(instant)?.slice(0, 10) ?? null;

function datesText({ earliest, latest }: DateRange): string {
  const [first, last] = [day(earliest), day(latest)];
  if (first === null || last === null) return "undated";
  return first === last ? first : `${first} to ${last}`;
}

/** "12 messages, 2001-01-02 to 2001-03-04, mainly between A, B and C; about x, y, z." */
export function describeTopic(figures: TopicFigures): string {
  const { messages, people, keywords } = figures;
  const parts = [countOf(messages, "message"), datesText(figures)];
  const named = people.slice(0, PEOPLE);
  const between =
    named.length > 1
      ? `mainly between ${named.slice(0, -1).join(", ")} and ${named.at(-1)}`
      : named.length === 1
        ? `mainly with ${named[0]}`
        : null;
  if (between !== null) parts.push(between);
  const about =
    keywords.length > 0
      ? `about ${keywords.slice(0, KEYWORDS).join(", ")}`
      : "short texts and texts that fit no other topic";
  return `${parts.join(", ")}; ${about}.`;
}

/** Lower-case words of a name or domain, for the set of words that are not topics. */
export function nameWords(name: string): readonly string[] {
  return name.toLowerCase().match(/\p{L}{3,25}/gu) ?? [];
}

import { counted } from "../parts/formats.ts";

/** Singular and plural forms. */
const PLURALS = {
  appointment: "appointments",
  archive: "archives",
  contact: "contacts",
  conversation: "conversations",
  "damaged source": "damaged sources",
  "different file": "different files",
  file: "files",
  folder: "folders",
  "other message": "other messages",
  "more warning": "more warnings",
  item: "items",
  line: "lines",
  link: "links",
  mailbox: "mailboxes",
  message: "messages",
  person: "people",
  "protected file": "protected files",
  query: "queries",
  topic: "topics",
  value: "values",
  warning: "warnings",
} as const;
type Noun = keyof typeof PLURALS;

/** The noun for a count. */
export function noun(count: number, one: Noun): string {
  return count === 1 ? one : PLURALS[one];
}

/** A number with its noun. */
export function number(count: number, one: Noun): string {
  return `${counted(count)} ${noun(count, one)}`;
}

import * as z from "zod";
import type { Archive } from "../../../mail/archive.ts";
import { foldKey } from "../../../mail/words/fold-key.ts";
import { OPERATOR_NAMES, OPERATOR_WORDS } from "../../../search/query/query-operators.ts";
import { queryRoute } from "../../query-api/query-route.ts";
import { integerBetween } from "../../query-api/wire-requests.ts";
import { queryText } from "../setting/query-parameters.ts";
import { type QueryWord, wordAt } from "../setting/query-word.ts";
import { type SuggestionWire, suggestionsSchema } from "../wire/wire-suggestions.ts";

/** Maximum suggestions of each kind: a longer list is slower to read than typing a word. */
const OF_EACH = 6;
/** Maximum topics searched; archives have some dozens. */
const LOOKED_AT = 1000;
/** Maximum appointments and saved searches next to other suggestions. */
const FEW = 3;
/** Appointments examined for the word in their subject, since the search matches any field. */
const LOOKED_AT_EVENTS = 50;
/** Maximum saved searches for an empty query. */
const MAX_SAVED = 50;
/** Maximum characters of a query. */
const MAX_OFFSET = 4096;

/** Operators with people and with mailboxes as values. */
const OF_PEOPLE: readonly string[] = ["from", "to", "cc", "person"];
const OF_MAILBOXES: readonly string[] = ["mailbox", "in"];

export const suggest = queryRoute({
  path: "/suggest",
  summary:
    "Suggestions for the word at the cursor: people, topics, mailboxes, appointments, saved searches and operators",
  parameters: z.object({
    q: queryText.default("").describe("the query typed so far"),
    at: integerBetween(0, MAX_OFFSET, MAX_OFFSET).describe("cursor offset; an offset past the end means the end"),
  }),
  data: suggestionsSchema,
  async answer({ archive, parameters: { q, at } }) {
    const word = wordAt(q, Math.min(at, q.length));
    const lists = await Promise.all([
      operators(word),
      people(archive, word),
      topics(archive, word),
      mailboxes(archive, word),
      words(word),
      tags(archive, word),
      events(archive, word),
    ]);
    const meant = lists.flat().map(({ text, ...rest }) => ({ ...rest, text: word.sign + text }));
    return { start: word.start, end: word.end, suggestions: [...(await saved(archive, q)), ...meant] };
  },
});

function operators({ operator, text }: QueryWord): SuggestionWire[] {
  if (operator !== "" || text === "") return [];
  const fitting = OPERATOR_NAMES.filter((name) => name.startsWith(text.toLowerCase()));
  return fitting
    .slice(0, OF_EACH)
    .map((name) => ({ kind: "operator", text: `${name}:`, label: `${name}:`, count: null }));
}

async function people(archive: Archive, { operator, text }: QueryWord): Promise<SuggestionWire[]> {
  if (text === "" || (operator !== "" && !OF_PEOPLE.includes(operator))) return [];
  const { items } = await archive.contacts.list("frequency", { limit: OF_EACH, offset: 0 }, text);
  const asked = operator === "" ? "person" : operator;
  return items.map(({ id, name, email, messageCount }) => ({
    kind: "person",
    // An address identifies a contact readably, but some cannot be written in a query.
    text: `${asked}:${/^[\w.+-]+@[\w.-]+$/.test(email) ? email : id}`,
    label: name === "" || email === "" ? name || email : `${name} <${email}>`,
    count: messageCount,
  }));
}

async function topics(archive: Archive, { operator, text }: QueryWord): Promise<SuggestionWire[]> {
  if (operator === "" ? text === "" : operator !== "topic") return [];
  const wanted = foldKey(text);
  const { items } = await archive.topics.list("frequency", LOOKED_AT);
  const fitting = items.filter(({ name, topKeywords }) =>
    [name, ...topKeywords].some((word) => foldKey(word).includes(wanted)),
  );
  return fitting
    .slice(0, OF_EACH)
    .map(({ id, name, messageCount }) => ({ kind: "topic", text: `topic:${id}`, label: name, count: messageCount }));
}

async function mailboxes(archive: Archive, { operator, text }: QueryWord): Promise<SuggestionWire[]> {
  if (operator === "" ? text === "" : !OF_MAILBOXES.includes(operator)) return [];
  const wanted = foldKey(text);
  const totals = new Map<string, number>();
  for (const { mailbox, messages } of await archive.messages.mailboxes())
    if (foldKey(mailbox).includes(wanted)) totals.set(mailbox, (totals.get(mailbox) ?? 0) + messages);
  return Array.from(totals)
    .filter(([name]) => !/["“”„‟]/.test(name))
    .sort((left, right) => right[1] - left[1])
    .slice(0, OF_EACH)
    .map(([name, count]) => ({ kind: "mailbox", text: `mailbox:"${name}"`, label: name, count }));
}

/** Tags of the notebook that messages have. */
async function tags(archive: Archive, { operator, text }: QueryWord): Promise<SuggestionWire[]> {
  if (operator === "" ? text === "" : operator !== "tag") return [];
  const wanted = foldKey(text);
  const [facet] = await archive.explore.facets({ query: "", match: "all", of: ["tag"], limit: LOOKED_AT });
  return facet!.values
    .filter(({ label, clause }) => clause !== "" && foldKey(label).includes(wanted))
    .slice(0, OF_EACH)
    .map(({ clause, label, count }) => ({ kind: "tag", text: clause, label, count }));
}

/** Appointments by their subjects. */
async function events(archive: Archive, { operator, text }: QueryWord): Promise<SuggestionWire[]> {
  if (text === "" || (operator !== "" && operator !== "subject")) return [];
  const wanted = foldKey(text);
  const { found } = await archive.events.page({
    ...{ query: `${text}*`, match: "all", sort: "relevance", after: null, before: null },
    ...{ offset: 0, limit: LOOKED_AT_EVENTS },
  });
  const subjects = new Set(found.map(({ record }) => record.subject));
  return Array.from(subjects)
    .filter((subject) => foldKey(subject).includes(wanted) && !/["“”„‟\n]/.test(subject))
    .slice(0, FEW)
    .map((subject) => ({ kind: "event", text: `subject:"${subject}"`, label: subject, count: null }));
}

/** Saved searches by name; all of them for an empty query. */
async function saved(archive: Archive, q: string): Promise<SuggestionWire[]> {
  const wanted = foldKey(q.trim());
  // Suggests mail even if the notebook is damaged; its own view reports that.
  const searches = await archive.notebook().then(
    (state) => state.searches,
    () => [],
  );
  const fitting = searches.filter(({ name }) => foldKey(name).includes(wanted));
  return fitting
    .slice(0, wanted === "" ? MAX_SAVED : FEW)
    .map(({ name, query }) => ({ kind: "saved", text: query, label: name, count: null }));
}

/** Values of operators that accept only certain words. */
function words({ operator, text }: QueryWord): SuggestionWire[] {
  const known = Object.hasOwn(OPERATOR_WORDS, operator) ? OPERATOR_WORDS[operator]! : [];
  return known
    .filter((value) => value.startsWith(text.toLowerCase()))
    .map((value) => ({ kind: "value", text: `${operator}:${value}`, label: value, count: null }));
}

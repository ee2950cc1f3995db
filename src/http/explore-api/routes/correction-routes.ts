import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod";
import { addressKey } from "../../../contacts/addresses/address-form.ts";
import { type Correction, settleCorrections } from "../../../contacts/corrections/correction.ts";
import { withoutLastEntry } from "../../../contacts/corrections/file-entries.ts";
import { linesFor, parseCorrections } from "../../../contacts/corrections/people-file.ts";
import { ArchiveError } from "../../../errors.ts";
import type { Archive } from "../../../mail/archive.ts";
import { formatInstant } from "../../../mail/dates/instant.ts";
import { OTHER_TOPIC, topicId } from "../../../mail/records/ids.ts";
import { suggestionsOf } from "../../../outputs/suggested-people.ts";
import type { CorrectionStore } from "../../../store/contract/correction-store.ts";
import {
  appliedCorrections,
  correctionsHash,
  correctionsRevision,
  PEOPLE_FILE,
  TOPICS_FILE,
} from "../../../store/notebook/corrections-file.ts";
import { parseTopicCorrections, type TopicCorrection, topicLinesFor } from "../../../topics/topic-corrections.ts";
import { checkedValue, queryOf } from "../../checked-request.ts";
import { sendPrivate } from "../../private-answer.ts";
import { orNotFound } from "../../query-api/query-route.ts";
import { filter, limit } from "../../query-api/wire-requests.ts";
import type { CorrectionFollower } from "../setting/correction-follower.ts";
import {
  CORRECTION_BODIES,
  type Corrected,
  type CorrectionsWire,
  type SuggestionsWire,
} from "../wire/wire-corrections.ts";
import { writtenBody } from "./notebook-routes.ts";

/** The corrections of an archive, and a function to apply them. */
export interface ArchiveCorrections extends Readonly<Record<Corrected, CorrectionStore>> {
  readonly follower: CorrectionFollower;
}

/** An archive, and its corrections; null if it cannot be corrected here. */
export interface CorrectionLoan {
  readonly archive: Archive;
  readonly corrections: ArchiveCorrections | null;
}

type CorrectionLender = <T>(request: FastifyRequest, use: (loan: CorrectionLoan) => Promise<T>) => Promise<T>;

/** A correction to add, as lines of its file; null undoes the last one. */
type Change = readonly (readonly string[])[] | null;

type Bodies = typeof CORRECTION_BODIES;
type Path = keyof Bodies;

/** Line written by each correction. */
const CHANGES: { readonly [P in Path]: (archive: Archive, body: z.infer<Bodies[P]>) => Promise<Change> } = {
  async "people/merge"(archive, { people }) {
    const addresses = await Promise.all(people.map((id) => mainAddress(archive, id)));
    return personLines([{ kind: "person", name: null, addresses: distinct(addresses) }]);
  },
  async "people/split"(archive, { addresses }) {
    const [one, other] = distinct(addresses);
    const known = await archive.contacts.ofAddresses([one!, other!]);
    for (const [at, contact] of known.entries()) orNotFound(contact, "Contact", addresses[at]!);
    return personLines([{ kind: "apart", one: one!, other: other! }]);
  },
  async "people/rename"(archive, { person, name }) {
    return personLines([{ kind: "person", name, addresses: [await mainAddress(archive, person)] }]);
  },
  "people/undo": async () => null,
  async "topics/merge"(archive, { topics }) {
    const names = await Promise.all(topics.map((id) => topicName(archive, id)));
    return topicLines({ kind: "topic", name: null, topics: distinct(names) });
  },
  async "topics/rename"(archive, { topic, name }) {
    return topicLines({ kind: "topic", name, topics: [await topicName(archive, topic)] });
  },
  async "topics/hide"(archive, { topic }) {
    return topicLines({ kind: "hidden", topic: await topicName(archive, topic) });
  },
  "topics/undo": async () => null,
};

const suggestionParameters = z.object({
  person: filter("contact id: only pairs with this contact"),
  limit: limit(50),
});

/** Adds the routes for corrections of an archive: writing requires the page's own origin. */
export function addCorrections(scope: FastifyInstance, lend: CorrectionLender): void {
  scope.get("/corrections", (request, reply) =>
    lend(request, async ({ corrections }) =>
      sendPrivate(reply, corrections === null ? null : await correctionsWire(corrections)),
    ),
  );
  scope.get("/corrections/suggestions", (request, reply) =>
    lend(request, async ({ archive, corrections }) => {
      const parameters = queryOf(suggestionParameters, request);
      return sendPrivate(reply, await suggestionsWire(archive, correctable(corrections), parameters));
    }),
  );
  for (const path of Object.keys(CHANGES) as Path[])
    scope.post(`/corrections/${path}`, (request, reply) =>
      lend(request, async ({ archive, corrections }) =>
        sendPrivate(
          reply,
          await correct(path, checkedValue(CORRECTION_BODIES[path], writtenBody(request), "body"), {
            archive,
            corrections: correctable(corrections),
          }),
        ),
      ),
    );
}

async function correct<P extends Path>(
  path: P,
  body: z.infer<Bodies[P]>,
  { archive, corrections }: { readonly archive: Archive; readonly corrections: ArchiveCorrections },
): Promise<CorrectionsWire> {
  const [corrected, verb] = path.split("/") as [Corrected, string];
  if (corrected === "topics" && verb !== "undo") await requireShown(archive, corrections);
  const change = await CHANGES[path](archive, body);
  const { revision } = body as { readonly revision: string };
  if (change === null) await corrections[corrected].undo(revision);
  else
    await corrections[corrected].add(
      { date: formatInstant(Date.now()).slice(0, DATE_LENGTH), verb, corrections: change },
      revision,
    );
  corrections.follower.follow();
  return correctionsWire(corrections);
}

/**
 * Throws NOTEBOOK_CHANGED until the archive shows all corrections: they name topics as displayed, and a name that an
 * earlier correction replaces would have no effect.
 */
async function requireShown(archive: Archive, { people, topics, follower }: ArchiveCorrections): Promise<void> {
  const stored = correctionsHash(
    parseCorrections(await people.text(), PEOPLE_FILE),
    parseTopicCorrections(await topics.text(), TOPICS_FILE),
  );
  if (appliedCorrections(await archive.provenance()) === stored) return;
  follower.follow();
  throw new ArchiveError("NOTEBOOK_CHANGED", "the archive does not show the last corrections yet: try again later");
}

/** Characters of `YYYY-MM-DD`. */
const DATE_LENGTH = 10;

const HINT =
  "correct the output directory with archivetool people and topics; a collection and a document cannot be corrected";

/** Throws NOT_FOUND. */
function correctable(corrections: ArchiveCorrections | null): ArchiveCorrections {
  if (corrections === null)
    throw new ArchiveError("NOT_FOUND", "this archive cannot be corrected here", { hint: HINT });
  return corrections;
}

async function correctionsWire({ people, topics, follower }: ArchiveCorrections): Promise<CorrectionsWire> {
  const [ofPeople, ofTopics] = [await people.text(), await topics.text()];
  return { state: follower.state, people: setWire(ofPeople), topics: setWire(ofTopics) };
}

function setWire(text: string): CorrectionsWire["people"] {
  return { revision: correctionsRevision(text), last: withoutLastEntry(text)?.entry ?? null };
}

/** Undecided pairs. */
async function suggestionsWire(
  archive: Archive,
  { people }: ArchiveCorrections,
  { person, limit: most }: z.infer<typeof suggestionParameters>,
): Promise<SuggestionsWire> {
  const { groups, apart } = settleCorrections(parseCorrections(await people.text(), PEOPLE_FILE));
  const isDecided = (one: string, other: string): boolean =>
    apart.get(one)?.has(other) === true || groups.some((group) => group.includes(one) && group.includes(other));
  const open = (await suggestionsOf(archive)).filter(
    ({ one, other }) =>
      (!person || one.id === person || other.id === person) &&
      !isDecided(addressKey(one.email), addressKey(other.email)),
  );
  return { suggestions: open.slice(0, most) };
}

async function mainAddress(archive: Archive, id: string): Promise<string> {
  const { email } = orNotFound(await archive.contacts.get(id), "Contact", id);
  if (email === "") throw new ArchiveError("INVALID_QUERY", `${id} has no address`);
  return email;
}

async function topicName(archive: Archive, id: string): Promise<string> {
  const { name } = orNotFound(await archive.topics.get(id), "Topic", id);
  if (id === topicId(OTHER_TOPIC)) throw new ArchiveError("INVALID_QUERY", `${name} cannot be corrected`);
  return name;
}

/** Throws INVALID_QUERY if one is named twice. */
function distinct(texts: readonly string[]): readonly string[] {
  if (new Set(texts.map((text) => text.toLowerCase())).size < texts.length)
    throw new ArchiveError("INVALID_QUERY", "body must name different people or topics");
  return texts;
}

/** Throws INVALID_QUERY for values that people.txt cannot express, such as an address that begins with `#`. */
function personLines(corrections: readonly Correction[]): Change {
  const lines = corrections.map(linesFor);
  const read = parseCorrections(lines.flat().join("\n"), PEOPLE_FILE);
  if (JSON.stringify(read) !== JSON.stringify(corrections))
    throw new ArchiveError("INVALID_QUERY", `an address cannot be written in ${PEOPLE_FILE}`);
  return lines;
}

function topicLines(correction: TopicCorrection): Change {
  return [topicLinesFor(correction)];
}

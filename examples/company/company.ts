import { brokenMessages } from "./broken-messages.ts";
import { FIRST_DAY, projectDrafts } from "./conversations.ts";
import type { Draft, Identity } from "./draft.ts";
import { foreignDrafts } from "./foreign-mail.ts";
import { invitationDrafts } from "./invitations.ts";
import { OWNERS, type Owner, PEOPLE, type Person, personOf } from "./people.ts";
import { PLANTED, type PlantedPii, type PlantedSentence } from "./planted-pii.ts";
import { type WrittenMessage, writeMessage } from "./raw-message.ts";
import { robotDrafts } from "./robots.ts";
import { SeededRandom } from "./seeded-random.ts";

/** The seed of the mail that ships as an example. */
export const EXAMPLE_SEED = 1896;

/** A copy of a message in somebody's mailbox. */
export interface Filing {
  readonly owner: Owner;
  readonly folder: string;
  readonly isAnswered: boolean;
}

export interface ExampleMessage {
  /** RFC 5322 bytes with CRLF line ends. */
  readonly raw: Buffer;
  readonly sentAt: number;
  /** Without angle brackets; null when the message has none. */
  readonly messageId: string | null;
  readonly from: string;
  /** A project's key, `languages`, `calendar`, `robots`, `list` or `broken`. */
  readonly project: string;
  readonly filings: readonly Filing[];
}

export interface ExampleCompany {
  /** Oldest first. */
  readonly messages: readonly ExampleMessage[];
  readonly people: readonly Person[];
  /** What was put into the texts for `--redact` to find; quoted again in replies. */
  readonly plantedPii: readonly PlantedPii[];
}

/** The whole mail of the company: the same bytes for the same seed. */
export function exampleCompany(seed: number): ExampleCompany {
  const random = new SeededRandom(seed);
  const drafts = [
    ...projectDrafts(random),
    ...foreignDrafts(FIRST_DAY, random),
    ...invitationDrafts(FIRST_DAY),
    ...robotDrafts(FIRST_DAY, random),
  ];
  const written = writeAll(drafts, random);
  const answered = answeredBy(drafts);
  const messages = written.map(
    (message): ExampleMessage => ({
      raw: message.raw,
      sentAt: message.draft.sentAt,
      messageId: message.messageId,
      from: message.draft.from.email,
      project: message.draft.project,
      filings: filingsOf(message.draft, answered.get(message.draft) ?? new Set()),
    }),
  );
  messages.push(...brokenMessages(FIRST_DAY).map(brokenExample));
  return {
    messages: messages.sort((left, right) => left.sentAt - right.sentAt),
    people: [...PEOPLE.values()],
    plantedPii: written.flatMap(plantedIn),
  };
}

/** Writes parents before replies: a reply is always later. */
function writeAll(drafts: readonly Draft[], random: SeededRandom): WrittenMessage[] {
  const written = new Map<Draft, WrittenMessage>();
  for (const draft of [...drafts].sort((left, right) => left.sentAt - right.sentAt)) {
    const parent = draft.relation === null ? null : written.get(draft.relation.parent)!;
    written.set(draft, writeMessage(draft, parent, random));
  }
  return [...written.values()];
}

/** Who answered a message, by message. */
function answeredBy(drafts: readonly Draft[]): ReadonlyMap<Draft, ReadonlySet<Owner>> {
  const answered = new Map<Draft, Set<Owner>>();
  for (const { from, relation } of drafts) {
    const owner = ownerOf(from);
    if (relation === null || relation.kind !== "reply" || owner === null) continue;
    const owners = answered.get(relation.parent) ?? new Set<Owner>();
    answered.set(relation.parent, owners.add(owner));
  }
  return answered;
}

/** Sent mail in the sender's mailbox, a copy in that of every recipient. */
function filingsOf(draft: Draft, answered: ReadonlySet<Owner>): Filing[] {
  const filings: Filing[] = [];
  const sender = ownerOf(draft.from);
  if (sender !== null) filings.push({ owner: sender, folder: "Sent", isAnswered: false });
  for (const owner of Object.keys(OWNERS) as Owner[]) {
    const isReader = [...draft.to, ...draft.cc].some((identity) => ownerOf(identity) === owner);
    if (isReader && owner !== sender)
      filings.push({ owner, folder: folderOf(owner, draft.project), isAnswered: answered.has(owner) });
  }
  return filings;
}

/** The engineer sorts his mail into folders; the others keep an inbox. */
function folderOf(owner: Owner, project: string): string {
  if (owner !== "tomas") return "Inbox";
  const folders: Readonly<Record<string, string>> = {
    kittiwake: "Projects/Kittiwake",
    tern: "Projects/Tern",
    list: "Lists",
    robots: "Build & Alerts",
  };
  return folders[project] ?? "Inbox";
}

function ownerOf({ email }: Identity): Owner | null {
  const address = email.toLowerCase();
  for (const owner of Object.keys(OWNERS) as Owner[]) {
    const person = personOf(owner);
    if ([person.email, ...person.otherEmails].some((known) => known.toLowerCase() === address)) return owner;
  }
  return null;
}

function brokenExample({ raw, sentAt }: ReturnType<typeof brokenMessages>[number]): ExampleMessage {
  const messageId = /^Message-ID: <(.*)>\r$/m.exec(raw.toString("latin1"))?.[1] ?? null;
  return {
    raw,
    sentAt,
    messageId,
    from: "",
    project: "broken",
    filings: [{ owner: "greta", folder: "Inbox", isAnswered: false }],
  };
}

/** The planted sentences, and the telephone numbers of signatures, in the author's own text. */
function plantedIn(message: WrittenMessage): PlantedPii[] {
  const own = message.draft.paragraphs.join("\n");
  const phones = [...PEOPLE.values()].map(
    ({ phone }): Pick<PlantedSentence, "type" | "text"> => ({ type: "phone", text: phone }),
  );
  const candidates = [...Object.values(PLANTED).flat(), ...phones];
  return candidates
    .filter(({ text }) => own.includes(text))
    .map(({ type, text }) => ({ type, text, messageId: message.messageId }));
}

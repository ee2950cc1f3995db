import { csvAttachment, pdfAttachment, pngAttachment } from "./attachments.ts";
import { DAY, HOUR, MINUTE, workingTime, zoneAt } from "./dates.ts";
import { type Draft, draftOf, type ExampleAttachment } from "./draft.ts";
import { recipientIdentity, senderIdentity } from "./identities.ts";
import { OWNERS, personOf } from "./people.ts";
import { PLANTED } from "./planted-pii.ts";
import { CLOSINGS, GREETINGS, PROJECTS, type Project, THANKS } from "./projects.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** The two years the archive covers. */
export const FIRST_DAY = Date.UTC(2021, 2, 1);
export const DAYS_COVERED = 730;

/** Attachments that open a thread, by project. */
const ATTACHMENTS: Readonly<Record<string, (random: SeededRandom) => ExampleAttachment>> = {
  kittiwake: (random) =>
    random.chance(50)
      ? pdfAttachment("Kittiwake hull rev 3.pdf", "Kittiwake hull, revision 3")
      : pngAttachment("sea trial photo.png", 24, random.below(256)),
  tern: (random) =>
    csvAttachment("watchdog-log.csv", [
      ["time_s", "task", "late_ms"],
      ...Array.from({ length: 12 }, (_, row) => [row * 600, "modem", random.below(900)]),
    ]),
  aldmere: () => pdfAttachment("Contract draft.pdf", "Supply of twelve wave buoys to the Port of Aldmere"),
  quay: () => pngAttachment("Sitzplan Büro.png", 16, 200),
  calibration: (random) =>
    csvAttachment("uncertainty budget.csv", [
      ["source", "mK"],
      ["drift", random.between(5, 9)],
      ["bath", 2],
      ["bridge", 1],
    ]),
  fair: () => pdfAttachment("OceanTech brochure.pdf", "Kittiwake: waves, measured"),
  finance: (random) =>
    csvAttachment("forecast.csv", [
      ["month", "revenue", "cash"],
      ...["Jan", "Feb", "Mar"].map((month) => [month, random.between(80, 200), random.between(20, 90)]),
    ]),
};

/** Every conversation of every project, in no particular order. */
export function projectDrafts(random: SeededRandom): Draft[] {
  const drafts: Draft[] = [];
  for (const project of PROJECTS) {
    const planted = [...(PLANTED[project.key] ?? [])];
    for (const [index, thread] of project.threads.entries()) {
      const start =
        FIRST_DAY + Math.floor(((index + 0.2 + random.below(60) / 100) / project.threads.length) * DAYS_COVERED) * DAY;
      drafts.push(
        ...threadDrafts(
          { project, thread, start, planted: planted.splice(0, 2).map(({ sentence }) => sentence) },
          random,
        ),
      );
    }
  }
  return drafts;
}

interface ThreadPlan {
  readonly project: Project;
  readonly thread: Project["threads"][number];
  readonly start: number;
  readonly planted: readonly string[];
}

function threadDrafts(plan: ThreadPlan, random: SeededRandom): Draft[] {
  const { project, thread } = plan;
  const members = participants(project, random);
  const pools = {
    updates: random.shuffled(project.updates),
    questions: random.shuffled(project.questions),
    answers: random.shuffled(project.answers),
  };
  const drafts: Draft[] = [];
  const turns = random.between(3, 9);
  let author = members[0]!;
  let sentAt = workingTime(plan.start, random.between(7, 15), random.below(60));
  for (let turn = 0; turn < turns; turn++) {
    const parent = turn === 0 ? null : drafts.at(random.chance(80) ? -1 : -Math.min(2, drafts.length))!;
    if (parent !== null) {
      author = random.pick(members.filter((key) => key !== author));
      sentAt += random.chance(60) ? random.between(12, 240) * MINUTE : random.between(8, 60) * HOUR;
      if (random.chance(85))
        sentAt =
          workingTime(sentAt, Math.max(7, new Date(sentAt).getUTCHours() % 18), random.below(60)) +
          random.below(60) * 1000;
      sentAt = Math.max(sentAt, drafts.at(-1)!.sentAt + 7 * MINUTE);
    }
    const sentences = turn === 0 ? [thread.opening] : turnSentences(pools, random);
    const planted = plan.planted[turn - 1];
    if (planted !== undefined) sentences.push(planted);
    const attachments =
      turn === 0 && random.chance(70) ? [ATTACHMENTS[project.key]?.(random)].filter((file) => file !== undefined) : [];
    drafts.push(
      turnDraft({ project, subject: thread.subject, author, members, parent, sentAt, sentences, attachments }, random),
    );
  }
  if (random.chance(35)) drafts.push(forwardDraft(drafts.at(-1)!, members, random));
  return drafts;
}

/** Three to five members, the first of the project and one of the owners of a mailbox always among them. */
function participants(project: Project, random: SeededRandom): readonly string[] {
  const [first, ...rest] = project.members;
  const chosen = [first!, ...random.shuffled(rest).slice(0, random.between(2, 4))];
  return chosen.some(isOwner) ? chosen : [...chosen, project.members.find(isOwner)!];
}

function isOwner(key: string): boolean {
  return Object.hasOwn(OWNERS, key);
}

function turnSentences(
  pools: Readonly<Record<"updates" | "questions" | "answers", string[]>>,
  random: SeededRandom,
): string[] {
  const sentences: string[] = [];
  if (random.chance(50)) sentences.push(random.pick(THANKS));
  for (const pool of ["answers", "updates", "questions"] as const) {
    const next = random.chance(70) ? pools[pool].pop() : undefined;
    if (next !== undefined) sentences.push(fillSlots(next, random));
  }
  if (sentences.length < 2)
    sentences.push(
      random.pick([
        "I will come back to this tomorrow.",
        "Fine with me.",
        "Let us talk about it at the meeting on Monday.",
      ]),
    );
  return sentences;
}

function fillSlots(sentence: string, random: SeededRandom): string {
  return sentence
    .replace("{n}", String(random.between(12, 48)))
    .replace("{money}", `EUR ${random.between(2, 48)},${random.between(100, 999)}.00`);
}

interface Turn {
  readonly project: Project;
  readonly subject: string;
  readonly author: string;
  readonly members: readonly string[];
  readonly parent: Draft | null;
  readonly sentAt: number;
  readonly sentences: readonly string[];
  readonly attachments: readonly ExampleAttachment[];
}

function turnDraft(turn: Turn, random: SeededRandom): Draft {
  const person = personOf(turn.author);
  const others = turn.members.filter((key) => key !== turn.author);
  const split = turn.parent === null ? random.between(1, others.length) : others.length;
  const to = others.slice(0, split).map((key) => recipientIdentity(key, random));
  const addressee = personOf(random.pick(others));
  const greeting = random.chance(80) ? [random.pick(GREETINGS).replace("{name}", addressee.first)] : [];
  return draftOf({
    from: senderIdentity(turn.author, random),
    to,
    cc: others.slice(split).map((key) => recipientIdentity(key, random)),
    subject: turn.subject,
    sentAt: turn.sentAt,
    zoneHours: zoneAt(person.zone, turn.sentAt),
    paragraphs: [...greeting, turn.sentences.join(" "), signature(turn.author, random)],
    program: person.program,
    relation: turn.parent === null ? null : { kind: "reply", parent: turn.parent },
    attachments: turn.attachments,
    project: turn.project.key,
  });
}

/** Somebody passes the last message on. */
function forwardDraft(parent: Draft, members: readonly string[], random: SeededRandom): Draft {
  // Who is no owner tells an owner, so that every message lies in one of the three mailboxes.
  const author = random.pick(members);
  const person = personOf(author);
  const outsiders = isOwner(author) ? ["wendy", "marek", "jonas", "aiko", "olu", "pike"] : Object.keys(OWNERS);
  const target = random.pick(outsiders.filter((key) => !members.includes(key) || key === "greta"));
  const sentAt = parent.sentAt + random.between(20, 600) * MINUTE;
  return draftOf({
    from: senderIdentity(author, random),
    to: [recipientIdentity(target, random)],
    subject: parent.subject,
    sentAt,
    zoneHours: zoneAt(person.zone, sentAt),
    paragraphs: [
      `${personOf(target).first}, for your information. Please read before Monday and tell me if anything is missing.`,
      person.first,
    ],
    program: person.program,
    relation: { kind: "forward", parent },
    attachments: parent.attachments,
    project: parent.project,
  });
}

/** A short name most of the time, a full signature with telephone number now and then. */
export function signature(key: string, random: SeededRandom): string {
  const person = personOf(key);
  const closing = random.pick(CLOSINGS);
  if (random.chance(60)) return `${closing}\n${person.first}`;
  return `${closing}\n${person.first}\n\n-- \n${person.first} ${person.last}\n${person.role}, ${person.company}\n${person.phone}`;
}

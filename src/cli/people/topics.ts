import type { Command } from "commander";
import { ArchiveError } from "../../errors.ts";
import type { Archive } from "../../mail/archive.ts";
import { OTHER_TOPIC, topicId } from "../../mail/records/ids.ts";
import { type TopicCorrection, topicLinesFor } from "../../topics/topic-corrections.ts";
import { withNamedArchive } from "../extracting/open-archive.ts";
import type { Session } from "../terminal/session.ts";
import { SOURCE_ARGUMENT } from "../terminal/store-source.ts";
import { correctArchive, followCorrections, undo, validateName } from "./correct-people.ts";

const TOPIC_ARGUMENT = "the name of a topic, or its id";
/** Topics of an archive at most. */
const ALL_TOPICS = 100_000;

/** Declares `archivetool topics`. */
export function declareTopics(program: Command, session: () => Session): void {
  const topics = program
    .command("topics")
    .description("correct topics: rename, merge and hide them without reading mail again");
  topics
    .command("rename")
    .description("rename a topic")
    .argument("<source>", SOURCE_ARGUMENT)
    .argument("<topic>", TOPIC_ARGUMENT)
    .argument("<name>", "new name")
    .action(async (source: string, topic: string, given: string) => {
      const name = validateName(given);
      await correct(source, session(), { verb: "rename", named: [topic] }, (named) => [
        { kind: "topic", name, topics: named },
      ]);
    });
  topics
    .command("merge")
    .description("merge topics; the result has the name of the first")
    .argument("<source>", SOURCE_ARGUMENT)
    .argument("<topics...>", TOPIC_ARGUMENT)
    .action(async (source: string, named: readonly string[]) => {
      if (named.length < 2) throw new ArchiveError("INVALID_ARGUMENT", "topics merge requires at least two topics");
      await correct(source, session(), { verb: "merge", named }, (names) => [
        { kind: "topic", name: null, topics: names },
      ]);
    });
  topics
    .command("hide")
    .description("move the conversations of topics to Other")
    .argument("<source>", SOURCE_ARGUMENT)
    .argument("<topics...>", TOPIC_ARGUMENT)
    .action(async (source: string, named: readonly string[]) => {
      await correct(source, session(), { verb: "hide", named }, (names) =>
        names.map((topic) => ({ kind: "hidden", topic })),
      );
    });
  topics
    .command("apply")
    .description("apply topics.txt")
    .argument("<source>", SOURCE_ARGUMENT)
    .action((source: string) => followCorrections(source, session()));
  topics
    .command("undo")
    .description("undo the last correction of topics made by a command")
    .argument("<source>", SOURCE_ARGUMENT)
    .action((source: string) => undo({ source, file: "topics.txt" }, session()));
}

/** Action of a command on the named topics. */
interface NamedTopics {
  readonly verb: string;
  readonly named: readonly string[];
}

async function correct(
  source: string,
  session: Session,
  { verb, named }: NamedTopics,
  corrections: (names: readonly string[]) => readonly TopicCorrection[],
): Promise<void> {
  const names = await withNamedArchive(source, session, (archive) => topicNames(archive, named));
  if (new Set(names).size < names.length)
    throw new ArchiveError("INVALID_ARGUMENT", `topics ${verb} requires different topics`);
  const lines = corrections(names).map(topicLinesFor);
  await correctArchive({ source, file: "topics.txt" }, session, { verb, corrections: lines });
}

/** The names of the topics that the arguments match. Throws NOT_FOUND, and INVALID_ARGUMENT for "Other". */
async function topicNames(archive: Archive, words: readonly string[]): Promise<readonly string[]> {
  const { items } = await archive.topics.list("name", ALL_TOPICS);
  return words.map((word) => {
    const topic = items.find(({ id, name }) => id === word || name.toLowerCase() === word.trim().toLowerCase());
    if (topic === undefined)
      throw new ArchiveError("NOT_FOUND", `${word} is not a topic of this archive`, {
        hint: "names and ids of topics are in index.md",
      });
    if (topic.id === topicId(OTHER_TOPIC))
      throw new ArchiveError(
        "INVALID_ARGUMENT",
        `${topic.name} contains all other conversations and cannot be corrected`,
      );
    return topic.name;
  });
}

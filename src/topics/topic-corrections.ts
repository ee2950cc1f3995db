import { ArchiveError } from "../errors.ts";

/** Corrections of topics by their displayed names. */
export type TopicCorrection =
  | { readonly kind: "topic"; readonly name: string | null; readonly topics: readonly string[] }
  | { readonly kind: "hidden"; readonly topic: string };

/** The first line of topics.txt. */
export const TOPICS_HEADER = "# archivetool topics 1";
/** Longest line that is read. */
const MAX_LINE = 1_000;

/**
 * Reads topics.txt: a name, then the topics merged into it, indented; `! NAME` hides a topic. Throws INVALID_ARGUMENT,
 * which names the line. @param file its name
 */
export function parseTopicCorrections(text: string, file: string): readonly TopicCorrection[] {
  const corrections: TopicCorrection[] = [];
  let name: string | null = null;
  let topics: string[] = [];
  let begin = 0;
  const broken = (line: number, what: string): ArchiveError =>
    new ArchiveError("INVALID_ARGUMENT", `${file}, line ${line}: ${what}`, {
      hint: "docs/explanation/threads-and-contacts.md describes the file",
    });
  const end = (): void => {
    if (name !== null && topics.length === 0) throw broken(begin, "a name without a topic below it");
    if (topics.length > 0) corrections.push({ kind: "topic", name, topics });
    name = null;
    topics = [];
  };
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const words = line.trim();
    if (words.length > MAX_LINE) throw broken(at + 1, "the line is too long");
    if (words === "" || words.startsWith("#")) continue;
    if (/^\s/.test(line)) {
      topics.push(words);
      continue;
    }
    end();
    if (words === "--") continue;
    if (!words.startsWith("!")) {
      name = words;
      begin = at + 1;
    } else if (words.length > 1) corrections.push({ kind: "hidden", topic: words.slice(1).trim() });
    else throw broken(at + 1, "a topic is hidden as `! NAME`");
  }
  end();
  return corrections;
}

/** Formats a correction as lines of a file. */
export function topicLinesFor(correction: TopicCorrection): readonly string[] {
  if (correction.kind === "hidden") return [`! ${correction.topic}`];
  const { name, topics } = correction;
  return [...(name === null ? [] : [name]), ...topics.map((topic) => `  ${topic}`), "--"];
}

/** A topic before corrections. */
interface FoundTopic {
  readonly ordinal: number;
  readonly name: string;
}

/** Topics after corrections. */
interface CorrectedTopics {
  /** The topic that shows the conversations of another one. */
  shownAs(ordinal: number): number;
  /** The name of a displayed topic. */
  nameOf(ordinal: number): string;
}

/**
 * Applies corrections in order: each refers to topics by their displayed names at that point, ignoring case. A hidden
 * topic becomes part of "Other". Unknown names have no effect.
 */
export function correctTopics(
  found: readonly FoundTopic[],
  corrections: readonly TopicCorrection[],
  other: number,
): CorrectedTopics {
  const names = new Map(found.map(({ ordinal, name }) => [ordinal, name]));
  const shown = new Map(found.map(({ ordinal }) => [ordinal, ordinal]));
  const topicOf = (name: string): number | null => {
    const folded = name.toLowerCase();
    for (const [ordinal, known] of names) if (known.toLowerCase() === folded) return ordinal;
    return null;
  };
  const fold = (from: number, to: number): void => {
    if (from === to || from === other) return;
    names.delete(from);
    for (const [topic, as] of shown) if (as === from) shown.set(topic, to);
  };
  for (const correction of corrections) {
    if (correction.kind === "hidden") {
      const topic = topicOf(correction.topic);
      if (topic !== null) fold(topic, other);
      continue;
    }
    const [first, ...more] = correction.topics.flatMap((name) => topicOf(name) ?? []);
    if (first === undefined || first === other) continue;
    for (const topic of more) fold(topic, first);
    if (correction.name !== null) names.set(first, correction.name);
  }
  return {
    shownAs: (ordinal) => shown.get(ordinal) ?? ordinal,
    nameOf: (ordinal) => names.get(ordinal) ?? "",
  };
}

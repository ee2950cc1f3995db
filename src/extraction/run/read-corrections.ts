import { hash } from "node:crypto";
import { settleCorrections } from "../../contacts/corrections/correction.ts";
import { parseCorrections } from "../../contacts/corrections/people-file.ts";
import { correctionsTextIn, PEOPLE_FILE, TOPICS_FILE } from "../../store/notebook/corrections-file.ts";
import { parseTopicCorrections } from "../../topics/topic-corrections.ts";
import type { Corrections } from "../knowledge/knowledge-context.ts";

/** Hash of archives without corrections. */
export const NO_CORRECTIONS_HASH = sha256Of("");

/** Reads the corrections next to the archive of an output directory. Throws INVALID_ARGUMENT. */
export function readCorrections(directory: string): Corrections {
  const people = parseCorrections(correctionsTextIn(directory, PEOPLE_FILE), PEOPLE_FILE);
  const topics = parseTopicCorrections(correctionsTextIn(directory, TOPICS_FILE), TOPICS_FILE);
  // Comments and undone entries correct nothing.
  const isEmpty = people.length + topics.length === 0;
  const sha256 = isEmpty ? NO_CORRECTIONS_HASH : sha256Of(JSON.stringify([people, topics]));
  return { people: settleCorrections(people), topics, sha256 };
}

function sha256Of(text: string): string {
  return hash("sha256", text);
}

import { settleCorrections } from "../../contacts/corrections/correction.ts";
import { parseCorrections } from "../../contacts/corrections/people-file.ts";
import { correctionsHash, correctionsTextIn, PEOPLE_FILE, TOPICS_FILE } from "../../store/notebook/corrections-file.ts";
import { parseTopicCorrections } from "../../topics/topic-corrections.ts";
import type { Corrections } from "../knowledge/knowledge-context.ts";

/** Reads the corrections next to the archive of an output directory. Throws INVALID_ARGUMENT. */
export function readCorrections(directory: string): Corrections {
  const people = parseCorrections(correctionsTextIn(directory, PEOPLE_FILE), PEOPLE_FILE);
  const topics = parseTopicCorrections(correctionsTextIn(directory, TOPICS_FILE), TOPICS_FILE);
  return { people: settleCorrections(people), topics, sha256: correctionsHash(people, topics) };
}

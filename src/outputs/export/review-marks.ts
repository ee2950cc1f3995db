import type { Archive, ArchivedMessage } from "../../mail/archive.ts";
import { KEY_SEPARATOR, REVIEW_STATES, type ReviewState } from "../../mail/notebook.ts";
import type { MessageId, ThreadId } from "../../mail/records/ids.ts";

/** Maximum tags read from a notebook. */
const MAX_TAGS = 1_000;

/** Marks of a message or its conversation in the notebook. */
export interface ReviewMarks {
  tagsOf(message: MessageId): readonly string[];
  reviewOf(message: MessageId): ReviewState;
  /** Notes on its conversation, then on the message. */
  notesOf(message: ArchivedMessage): readonly string[];
}

/** Reads the marks of all messages with the query language, so that an export matches a search. */
export async function readReviewMarks(archive: Archive): Promise<ReviewMarks> {
  const [facet] = await archive.explore.facets({ query: "has:tag", match: "all", of: ["tag"], limit: MAX_TAGS });
  const tags = new Map<MessageId, string[]>();
  for (const { clause, label } of facet!.values) {
    if (clause === "") continue;
    for (const id of await archive.search.matching(clause)) {
      const known = tags.get(id);
      if (known === undefined) tags.set(id, [label]);
      else known.push(label);
    }
  }
  const reviews = new Map<MessageId, ReviewState>();
  for (const state of REVIEW_STATES.filter((name) => name !== "open"))
    for (const id of await archive.search.matching(`review:${state}`)) reviews.set(id, state);
  return {
    tagsOf: (message) => tags.get(message) ?? [],
    reviewOf: (message) => reviews.get(message) ?? "open",
    notesOf: await readNotes(archive),
  };
}

async function readNotes(archive: Archive): Promise<ReviewMarks["notesOf"]> {
  const ofThreads = new Map<ThreadId, string>();
  const ofMessages = new Map<string, string>();
  for (const { kind, key, note } of (await archive.notebook()).notes) {
    if (kind === "message") ofMessages.set(key, note);
    else {
      const [id] = await archive.messages.ofMessageIds([key.split(KEY_SEPARATOR, 1)[0]!]);
      const message = await archive.messages.get(id ?? "");
      if (message !== null) ofThreads.set(message.threadId, note);
    }
  }
  return ({ threadId, messageId, sha256, occurrences }) => {
    const keys = [sha256, ...occurrences.map((place) => place.sha256)].map((hash) => messageId + KEY_SEPARATOR + hash);
    const own = keys.find((key) => ofMessages.has(key));
    return [ofThreads.get(threadId), own === undefined ? undefined : ofMessages.get(own)].filter(
      (note) => note !== undefined,
    );
  };
}

import type { MessagePort } from "node:worker_threads";
import { ArchiveError } from "../errors.ts";
import type { ArchiveLocation } from "./archive-location.ts";
import type { SearchAnswer, SearchCall, SearchEnd, SearchQuestion, SearchReply } from "./archive-thread.ts";
import type { SearchedArchive } from "./searched-archive.ts";

/**
 * Answers what a thread is asked, on the port of the one that started it: one query in, one reply out, in order.
 * Archives are opened by their first query, and known by their places.
 */
export function answerSearches(port: MessagePort, open: (location: ArchiveLocation) => Promise<SearchedArchive>): void {
  const archives = new Map<string, SearchedArchive>();
  let last: Promise<void> = Promise.resolve();

  async function archiveOf(location: ArchiveLocation): Promise<SearchedArchive> {
    const name = JSON.stringify(location);
    const archive = archives.get(name) ?? (await open(location));
    archives.set(name, archive);
    return archive;
  }

  async function take(message: SearchCall | SearchEnd): Promise<void> {
    if ("forget" in message) {
      const name = JSON.stringify(message.forget);
      const archive = archives.get(name);
      archives.delete(name);
      await archive?.close();
      return;
    }
    const { call, archive, question } = message;
    port.postMessage(await replyOf(call, async () => answerTo(await archiveOf(archive), question)));
  }

  port.on("message", (message: SearchCall | SearchEnd) => {
    last = last.then(() => take(message));
  });
}

/** What a call comes to, as it is posted. */
export async function replyOf(call: number, answer: () => Promise<SearchAnswer>): Promise<SearchReply> {
  try {
    return { call, found: await answer() };
  } catch (error) {
    const fault = error instanceof Error ? error : new Error(String(error));
    const code = fault instanceof ArchiveError ? fault.code : "INTERNAL_ERROR";
    return { call, fault: { code, message: fault.message, stack: fault.stack ?? "" } };
  }
}

function answerTo(
  { search, explore, events, items }: SearchedArchive,
  question: SearchQuestion,
): Promise<SearchAnswer> {
  switch (question.ask) {
    case "search":
      return search.search(question.query, question.limit, question.filter, question.match);
    case "matching":
      return search.matching(question.query, question.filter, question.match);
    case "page":
      return explore.page(question.request);
    case "facets":
      return explore.facets(question.request);
    case "timeline":
      return explore.timeline(question.request);
    case "hits":
      return explore.hits(question.queries);
    case "conversations":
      return explore.conversations(question.request);
    case "files":
      return explore.files(question.request);
    case "events":
      return events.page(question.request);
    case "items":
      return items.page(question.request);
  }
}

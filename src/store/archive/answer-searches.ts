import type { MessagePort } from "node:worker_threads";
import { ArchiveError } from "../../errors.ts";
import { callRange } from "../../search/ranges/range-calls.ts";
import type { ArchiveLocation } from "../contract/archive-location.ts";
import type { SearchedArchive } from "../contract/searched-archive.ts";
import type {
  SearchAnswer,
  SearchCall,
  SearchCancellation,
  SearchEnd,
  SearchQuestion,
  SearchReply,
} from "../threads/search-thread.ts";
import { budgetOfHits, TURNS } from "./bounded-search.ts";

/**
 * Processes the queries posted to a thread: one reply per query, as soon as it is ready. Archives are opened by their
 * first query and identified by location.
 */
export function answerSearches(port: MessagePort, open: (location: ArchiveLocation) => Promise<SearchedArchive>): void {
  const archives = new Map<string, OpenedArchive>();
  const callers = new Map<number, AbortController>();

  function openedAt(location: ArchiveLocation, question: SearchQuestion): OpenedArchive {
    const name = nameOf(location, question.ask === "range" ? question.place.state : null);
    const known = archives.get(name);
    if (known !== undefined) return known;
    const opened = { archive: open(location), running: new Set<Promise<unknown>>() };
    archives.set(name, opened);
    // If opening fails, the next query tries again.
    opened.archive.catch(() => archives.delete(name));
    return opened;
  }

  async function answer({ call, archive: location, question }: SearchCall): Promise<void> {
    const caller = new AbortController();
    callers.set(call, caller);
    const { archive, running } = openedAt(location, question);
    const work = replyOf(call, async () => answerFor(caller.signal, question, await archive));
    running.add(work);
    const reply = await work;
    running.delete(work);
    callers.delete(call);
    if (!caller.signal.aborted) port.postMessage(reply);
  }

  async function forget({ forget: location, state }: SearchEnd): Promise<void> {
    const name = nameOf(location, state);
    const opened = archives.get(name);
    if (opened === undefined) return;
    archives.delete(name);
    await Promise.all(opened.running);
    await (await opened.archive).close();
  }

  port.on("message", (message: SearchCall | SearchEnd | SearchCancellation) => {
    if ("cancel" in message) callers.get(message.cancel)?.abort();
    else if ("forget" in message) void forget(message);
    else void answer(message);
  });
}

function nameOf(location: ArchiveLocation, state: string | null): string {
  return JSON.stringify([location, state]);
}

/** An archive and its running queries. */
interface OpenedArchive {
  readonly archive: Promise<SearchedArchive>;
  readonly running: Set<Promise<unknown>>;
}

/** Queries can share work, which ends with the first of them. If that one is canceled, the others start it again. */
async function answerFor(
  signal: AbortSignal,
  question: SearchQuestion,
  archive: SearchedArchive,
): Promise<SearchAnswer> {
  const budget = question.ask === "hits" ? budgetOfHits(question.queries) : undefined;
  for (;;) {
    try {
      return await TURNS.run(() => answerTo(archive, question), signal, budget);
    } catch (error) {
      if (signal.aborted || !isCancellation(error)) throw error;
    }
  }
}

function isCancellation(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** The posted result of a call. */
async function replyOf(call: number, answer: () => Promise<SearchAnswer>): Promise<SearchReply> {
  try {
    return { call, found: await answer() };
  } catch (error) {
    const fault = error instanceof Error ? error : new Error(String(error));
    const code = fault instanceof ArchiveError ? fault.code : "INTERNAL_ERROR";
    return { call, fault: { code, message: fault.message, stack: fault.stack ?? "" } };
  }
}

async function answerTo(
  { search, explore, events, items, range }: SearchedArchive,
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
    case "attachment-counts":
      return explore.attachmentCounts();
    case "mentions":
      return explore.mentions(question.kind);
    case "conversations":
      return explore.conversations(question.request);
    case "files":
      return explore.files(question.request);
    case "events":
      return events.page(question.request);
    case "items":
      return items.page(question.request);
    case "range":
      return { range: await callRange(await range!(question.place), question.name, question.given) };
  }
}

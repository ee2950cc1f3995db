import type { MessagePort } from "node:worker_threads";
import { ArchiveError } from "../../errors.ts";
import { type CancelSignal, QueryCaller } from "../../search/indexing/search-turns.ts";
import { callRange } from "../../search/ranges/range-calls.ts";
import type { ArchiveLocation } from "../contract/archive-location.ts";
import type { SearchedArchive } from "../contract/searched-archive.ts";
import { callArchive } from "../threads/search-calls.ts";
import type { SearchCall, SearchCancellation, SearchEnd, SearchReply } from "../threads/search-thread.ts";
import { budgetOf, TURNS } from "./bounded-search.ts";

/**
 * Processes the queries posted to a thread: one reply per query, as soon as it is ready. Archives are opened by their
 * first query and identified by location.
 */
export function answerSearches(port: MessagePort, open: (location: ArchiveLocation) => Promise<SearchedArchive>): void {
  const archives = new Map<string, OpenedArchive>();
  const callers = new Map<number, QueryCaller>();

  function openedAt(location: ArchiveLocation, question: SearchCall["question"]): OpenedArchive {
    const name = nameOf(location, "place" in question ? question.place.state : null);
    const known = archives.get(name);
    if (known !== undefined) return known;
    const opened = { archive: open(location), running: new Set<Promise<unknown>>() };
    archives.set(name, opened);
    // If opening fails, the next query tries again.
    opened.archive.catch(() => archives.delete(name));
    return opened;
  }

  async function answer({ call, archive: location, question }: SearchCall): Promise<void> {
    const caller = new QueryCaller();
    callers.set(call, caller);
    const { archive, running } = openedAt(location, question);
    const work = replyOf(call, async () => answerFor(caller, question, await archive));
    running.add(work);
    const reply = await work;
    running.delete(work);
    callers.delete(call);
    if (!caller.aborted) port.postMessage(reply);
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
  signal: CancelSignal,
  question: SearchCall["question"],
  archive: SearchedArchive,
): Promise<unknown> {
  for (;;) {
    try {
      return await TURNS.run(() => answerTo(archive, question), signal, budgetOf(question));
    } catch (error) {
      if (signal.aborted || !isCancellation(error)) throw error;
    }
  }
}

function isCancellation(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** The posted result of a call. */
async function replyOf(call: number, answer: () => Promise<unknown>): Promise<SearchReply> {
  try {
    return { call, found: await answer() };
  } catch (error) {
    const fault = error instanceof Error ? error : new Error(String(error));
    const code = fault instanceof ArchiveError ? fault.code : "INTERNAL_ERROR";
    return { call, fault: { code, message: fault.message, stack: fault.stack ?? "" } };
  }
}

async function answerTo(archive: SearchedArchive, question: SearchCall["question"]): Promise<unknown> {
  if ("part" in question) return callArchive(archive, question);
  return callRange(await archive.range!(question.place), question.name, question.given);
}

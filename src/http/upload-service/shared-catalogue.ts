import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";
import { ArchiveError, ERRORS } from "../../errors.ts";
import { startProgramThread } from "../../program-thread.ts";
import type { AccessRegister } from "../../store/access-register.ts";
import { nameOfServer } from "../../store/archive-location.ts";
import type { CatalogueSetting } from "../../store/postgres/upload-catalogue.ts";
import type { UploadCatalogue } from "../../store/upload-catalogue.ts";
import type { UploadNotebooks } from "../../store/upload-notebooks.ts";
import type { CatalogueCall, CatalogueReply, CatalogueThreadData } from "./catalogue-calls.ts";

/**
 * Time that a call may take, in milliseconds: a statement takes one, a server that is away says so at once, and one
 * that says nothing must not keep the service from answering what needs no catalogue.
 */
const CALL_LIMIT_MS = 10_000;

type Method = CatalogueCall["method"];

/**
 * A catalogue in a database that several services share. Its calls are answered when they return, as those of the
 * catalogue in a file are: a thread asks the database, and this one waits for it, so that every step of an upload is
 * settled before the next begins. Throws as `postgresCatalogue` rejects, in the first call as well, but CATALOGUE_UNREACHABLE: that message
 * is told to clients, and names no host.
 */
export function openSharedCatalogue(setting: CatalogueSetting): UploadCatalogue {
  const { port1: port, port2 } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: CatalogueThreadData = { setting, port: port2, answered };
  const thread = startProgramThread("http/catalogue-worker.js", { workerData, transferList: [port2] });
  // It has nothing to do when nobody asks.
  thread.unref();
  port.unref();
  let calls = 0;
  const line = new WaitingLine(() => receiveMessageOnPort(port)?.message as CatalogueReply | undefined, answered);
  const ask: Ask = (method, given) => {
    calls++;
    const call = calls;
    const isFree = line.isFree();
    if (isFree) port.postMessage({ call, method, given } satisfies CatalogueCall);
    const reply = isFree ? line.awaitReply(call) : null;
    if (reply === null) throw unreachable(`${nameOfServer(setting.server)} does not answer`);
    if ("fault" in reply) {
      const { code, message, hint } = reply.fault;
      if (code === "STORE_UNREACHABLE") throw unreachable(message);
      throw new ArchiveError(code, message, { hint });
    }
    return reply.found;
  };
  return {
    isShared: true,
    notebooks: callsOf<UploadNotebooks, keyof UploadNotebooks>(["notebookSince", "writeNotebook"], ask),
    access: callsOf<AccessRegister, (typeof REGISTER_CALLS)[number]>(REGISTER_CALLS, ask),
    ...callsOf<UploadCatalogue, (typeof CATALOGUE_CALLS)[number]>(CATALOGUE_CALLS, ask),
    close() {
      ask("close", []);
      port.close();
    },
  };
}

const CATALOGUE_CALLS = [
  ...(["add", "get", "list", "newestCompleted", "countOf", "jobsOf", "claim", "setProcess", "takeOver"] as const),
  ...(["renew", "isHeldElsewhere", "lock", "unlock", "requeue", "complete", "fail", "cancel", "remove"] as const),
  ...(["appendPhase", "eventsAfter", "firstSequence", "lastSequence", "statusSequence", "state"] as const),
  ...(["skipSequences", "hasForeignChanges"] as const),
];
const REGISTER_CALLS = [
  ...(["hasTokens", "tokens", "holderOfToken", "session", "grants", "roleOf", "eventKey"] as const),
  ...([
    "startSession",
    "touchSession",
    "endSession",
    "addToken",
    "revoke",
    "grant",
    "ungrant",
    "record",
    "audited",
    "auditDays",
    "keepAudit",
  ] as const),
];

type Ask = (method: Method, given: readonly unknown[]) => unknown;

/** Calls that are messages to the thread, by their names; one that is left out does not compile. */
function callsOf<T, Name extends Method & keyof T>(names: readonly Name[], ask: Ask): Pick<T, Name> {
  const calls = names.map((name) => [name, (...given: readonly unknown[]) => ask(name, given)]);
  return Object.fromEntries(calls) as Pick<T, Name>;
}

/** @param why for who runs the service */
function unreachable(why: string): ArchiveError {
  const hint = `${why}: ${ERRORS.CATALOGUE_UNREACHABLE.hint}`;
  return new ArchiveError("CATALOGUE_UNREACHABLE", "the database of the service cannot be reached", { hint });
}

/** Answers as they come, of a thread that does one thing after the other. */
class WaitingLine {
  private readonly take: () => CatalogueReply | undefined;
  private readonly answered: Int32Array;
  /** The call whose answer did not come in time; null once it has, or when there is none. */
  private late: number | null = null;

  constructor(take: () => CatalogueReply | undefined, answered: Int32Array) {
    this.take = take;
    this.answered = answered;
  }

  /** False while the thread still waits for what came too late: whoever asked now would wait as long, for nothing. */
  isFree(): boolean {
    while (this.late !== null) {
      const reply = this.take();
      if (reply === undefined) return false;
      if (reply.call === this.late) this.late = null;
    }
    return true;
  }

  /** Waits for the answer of a call; null when none comes in time. */
  awaitReply(call: number): CatalogueReply | null {
    const end = performance.now() + CALL_LIMIT_MS;
    for (;;) {
      const seen = Atomics.load(this.answered, 0);
      const reply = this.take();
      if (reply !== undefined) return reply;
      const left = end - performance.now();
      if (left <= 0) break;
      Atomics.wait(this.answered, 0, seen, left);
    }
    this.late = call;
    return null;
  }
}

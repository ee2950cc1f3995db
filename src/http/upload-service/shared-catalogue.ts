import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";
import { ArchiveError, ERRORS } from "../../errors.ts";
import { startProgramThread } from "../../program-thread.ts";
import type { AccessRegister } from "../../store/access-register.ts";
import { nameOfServer } from "../../store/archive-location.ts";
import type { CatalogueSetting } from "../../store/postgres/upload-catalogue.ts";
import type { UploadCatalogue } from "../../store/upload-catalogue.ts";
import type { CatalogueCall, CatalogueReply, CatalogueThreadData } from "./catalogue-calls.ts";

/**
 * Time that a call may take, in milliseconds: a statement takes one, a server that is away says so at once, and one
 * that says nothing must not keep the service from answering what needs no catalogue.
 */
const CALL_LIMIT_MS = 10_000;

type Method = CatalogueCall["method"];
type Calls = Omit<UploadCatalogue, "isShared" | "access"> & AccessRegister;

/**
 * A catalogue in a database that several services share. Its calls are answered when they return, as those of the
 * catalogue in a file are: a thread asks the database, and this one waits for it, so that every step of an upload is
 * settled before the next begins. Throws as `PostgresUploadCatalogue` rejects, in the first call as well, but CATALOGUE_UNREACHABLE: that
 * message is told to clients, and names no host.
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
    return reply.found as ReturnType<Calls[typeof method]>;
  };
  return {
    isShared: true,
    access: registerCalls(ask),
    add: (...given) => ask("add", given),
    get: (...given) => ask("get", given),
    list: (...given) => ask("list", given),
    newestCompleted: (...given) => ask("newestCompleted", given),
    countOf: (...given) => ask("countOf", given),
    claim: (...given) => ask("claim", given),
    setProcess: (...given) => ask("setProcess", given),
    takeOver: (...given) => ask("takeOver", given),
    renew: (...given) => ask("renew", given),
    isHeldElsewhere: (...given) => ask("isHeldElsewhere", given),
    lock: (...given) => ask("lock", given),
    unlock: (...given) => ask("unlock", given),
    jobsOf: (...given) => ask("jobsOf", given),
    requeue: (...given) => ask("requeue", given),
    complete: (...given) => ask("complete", given),
    fail: (...given) => ask("fail", given),
    cancel: (...given) => ask("cancel", given),
    remove: (...given) => ask("remove", given),
    appendPhase: (...given) => ask("appendPhase", given),
    eventsAfter: (...given) => ask("eventsAfter", given),
    firstSequence: (...given) => ask("firstSequence", given),
    lastSequence: (...given) => ask("lastSequence", given),
    state: (...given) => ask("state", given),
    statusSequence: (...given) => ask("statusSequence", given),
    skipSequences: (...given) => ask("skipSequences", given),
    hasForeignChanges: (...given) => ask("hasForeignChanges", given),
    close() {
      ask("close", []);
      port.close();
    },
  };
}

type Ask = <K extends Method>(method: K, given: Parameters<Calls[K]>) => ReturnType<Calls[K]>;

function registerCalls(ask: Ask): AccessRegister {
  return {
    hasTokens: (...given) => ask("hasTokens", given),
    addToken: (...given) => ask("addToken", given),
    tokens: (...given) => ask("tokens", given),
    revoke: (...given) => ask("revoke", given),
    holderOfToken: (...given) => ask("holderOfToken", given),
    holderOfSession: (...given) => ask("holderOfSession", given),
    grant: (...given) => ask("grant", given),
    ungrant: (...given) => ask("ungrant", given),
    grants: (...given) => ask("grants", given),
    roleOf: (...given) => ask("roleOf", given),
    eventKey: (...given) => ask("eventKey", given),
    record: (...given) => ask("record", given),
    audited: (...given) => ask("audited", given),
    auditDays: (...given) => ask("auditDays", given),
    keepAudit: (...given) => ask("keepAudit", given),
  };
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

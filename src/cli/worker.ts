import { availableParallelism, tmpdir } from "node:os";
import type { Command } from "commander";
import { nameOfServer } from "../store/archive-location.ts";
import { optimizeThriftily } from "../v8-flags.ts";
import { databaseUrl } from "./database-url.ts";
import { wholeNumber } from "./extraction-flags.ts";
import type { Session } from "./session.ts";

/** Seconds after which the task of a worker that says nothing is given to another. */
const LEASE_SECONDS = "60";

interface WorkerFlags {
  readonly store?: string;
  readonly jobs?: string;
  readonly lease: string;
  readonly scratch?: string;
}

/** Declares `archivetool worker`. */
export function declareWorker(program: Command, session: () => Session): void {
  program
    .command("worker")
    .description("read mail for runs of extract --workers, on this or any other machine")
    .option("--store <url>", "PostgreSQL database of the runs")
    .option("--jobs <n>", "tasks at a time, each in a thread (default: one per core)")
    .option("--lease <seconds>", "after which a task of a worker that says nothing is given to another", LEASE_SECONDS)
    .option("--scratch <dir>", "where mail lies while it is read (default: a directory for temporary files)")
    .action(async (flags: WorkerFlags) => {
      const { signal, print, log } = session();
      const server = databaseUrl(flags.store);
      const name = nameOfServer(server);
      // Its threads compile what those of an extraction do.
      optimizeThriftily();
      const { workForRuns } = await import("../extraction/run/queue-worker.ts");
      await workForRuns({
        server,
        name,
        scratch: flags.scratch ?? tmpdir(),
        jobs: flags.jobs === undefined ? availableParallelism() : wholeNumber("--jobs", flags.jobs),
        leaseSeconds: wholeNumber("--lease", flags.lease),
        signal,
        onReady: (worker) => print(`worker ${worker} of ${name} (Ctrl-C ends it)`),
        onNote: (text) => log.warning(text),
      });
      signal.throwIfAborted();
    });
}

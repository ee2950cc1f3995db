/** Why a worker did not finish a task: it exceeded a limit, its thread ended, or its code threw. */
export type StopReason = "memory" | "time" | "crash" | "fault";

const WORDS: Readonly<Record<StopReason, string>> = {
  memory: "it ran out of memory",
  time: "it exceeded the time limit for its size",
  crash: "its worker exited",
  fault: "unreadable",
};

/** A task that its worker did not finish because of its input. System errors (disk full, file missing) do not count. */
export class WorkerStop extends Error {
  /** @param detail the error or exit code of the thread; "" if the reason is sufficient */
  constructor(
    readonly reason: StopReason,
    detail: string,
  ) {
    super(`${WORDS[reason]}${detail === "" ? "" : `: ${detail}`}`);
    this.name = "WorkerStop";
  }

  /** Code of the warning about an item that is lost by it. */
  get code(): "reader-fault" | "reader-stopped" {
    return this.reason === "fault" ? "reader-fault" : "reader-stopped";
  }
}

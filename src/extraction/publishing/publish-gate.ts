const OPEN = 0;
const PUBLISHING = 1;
const STOPPED = 2;

/** Conditions that stop a run. */
export interface Stop {
  readonly signal: AbortSignal;
  readonly gate: PublishGate;
}

/** Enters the final phase; throws the reason of the signal if the run was stopped before. */
export function passGate({ signal, gate }: Stop): void {
  signal.throwIfAborted();
  if (!gate.pass()) throw new DOMException("the run was stopped", "AbortError");
}

/**
 * Decides once, across threads, whether a run publishes or is stopped. Without it, a signal could arrive between its
 * last check and the first rename.
 */
export class PublishGate {
  private readonly state: Int32Array;

  constructor(
    /** Memory shared by threads; gates over the same memory are the same gate. */
    readonly memory: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
  ) {
    this.state = new Int32Array(memory);
  }

  /** Called by the run before it changes the first file of the output. Returns false if the run was stopped. */
  pass(): boolean {
    return Atomics.compareExchange(this.state, 0, OPEN, PUBLISHING) !== STOPPED;
  }

  /** Called to stop the run. Returns false if it is already publishing, which ends shortly. */
  close(): boolean {
    return Atomics.compareExchange(this.state, 0, OPEN, STOPPED) !== PUBLISHING;
  }
}

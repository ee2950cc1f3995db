import pino from "pino";

/** Log of a server under test: only its own faults with their stacks, which no response contains. */
export const FAULT_LOG = pino({ level: "error", base: null }, pino.destination({ dest: 2, sync: true }));

import pino from "pino";

/** What a server under test logs: its own faults alone, with where they happened, which no answer tells. */
export const FAULT_LOG = pino({ level: "error", base: null }, pino.destination({ dest: 2, sync: true }));

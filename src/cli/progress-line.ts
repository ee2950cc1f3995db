import type { ExtractionEvent, Phase } from "../extraction/extraction-event.ts";
import { formatCount } from "../text/format-count.ts";
import { printable } from "../text/printable.ts";
import type { ConsoleLog } from "./console-log.ts";
import type { Screen } from "./session.ts";
import { formatBytes, formatSeconds } from "./terminal.ts";
import { cutText } from "./text-columns.ts";

/** Least time between two drawings of the line, in milliseconds: faster than this nobody reads. */
const REDRAW_MS = 100;
/** Cells of the bar. */
const BAR_WIDTH = 20;

const PHASE_WORDS: Readonly<Record<Phase, string>> = {
  parsing: "reading mail",
  threading: "joining threads",
  contact_resolution: "resolving contacts",
  redaction: "reading text again: redaction, language, index",
  topics: "finding topics",
  indexing: "storing",
  outputs: "writing pages",
};

/** Shows a run: one line drawn over again on a terminal, a log line a phase elsewhere. */
export class ProgressLine {
  private readonly target: Screen;
  private readonly log: ConsoleLog;
  private readonly startedAt: number;
  private drawnAt = 0;
  private isDrawn = false;

  constructor(target: Screen, log: ConsoleLog) {
    this.target = target;
    this.log = log;
    this.startedAt = target.now();
  }

  show(event: ExtractionEvent): void {
    if (event.kind === "warning") {
      if (this.log.level === "debug")
        this.logLine(() => this.log.debug(`skipped: ${event.warning.location ?? ""} ${event.warning.message}`));
    } else if (event.kind === "note") {
      this.logLine(() => this.log.warning(event.text));
    } else if (event.kind === "reading") {
      this.draw(readingText(event, (this.target.now() - this.startedAt) / 1000));
    } else if (event.kind === "phase" && event.state === "started") {
      if (this.target.isTerminal) this.draw(PHASE_WORDS[event.phase], true);
      else this.log.info(`${PHASE_WORDS[event.phase]} …`);
    } else if (event.kind === "phase" && event.state === "progress" && event.total !== null && event.total > 0) {
      this.draw(`${PHASE_WORDS[event.phase]} ${bar(event.done / event.total)} ${formatCount(event.done)} of ${formatCount(event.total)}`);
    }
  }

  /** Removes the line, so that results start on a clean one. */
  clear(): void {
    if (this.isDrawn) this.target.write("\r\u001b[K");
    this.isDrawn = false;
  }

  private logLine(print: () => void): void {
    this.clear();
    print();
  }

  private draw(text: string, now = false): void {
    if (!this.target.isTerminal || this.log.level === "warning") return;
    const at = this.target.now();
    if (!now && at - this.drawnAt < REDRAW_MS) return;
    this.drawnAt = at;
    this.isDrawn = true;
    this.target.write(`\r\u001b[K${cutText(printable(text), Math.max(20, this.target.columns - 1))}`);
  }
}

function readingText(event: Extract<ExtractionEvent, { kind: "reading" }>, elapsedSeconds: number): string {
  const share = event.totalBytes === 0 ? 1 : Math.min(1, event.bytes / event.totalBytes);
  const rate = elapsedSeconds > 0 ? event.bytes / elapsedSeconds : 0;
  const left = rate > 0 ? formatSeconds((event.totalBytes - event.bytes) / rate) : "?";
  return `${bar(share)} ${formatCount(event.messages)} messages, ${formatBytes(rate)}/s, ${left} left  ${event.mailbox}`;
}

function bar(share: number): string {
  const full = Math.round(Math.min(1, share) * BAR_WIDTH);
  return `[${"#".repeat(full)}${"-".repeat(BAR_WIDTH - full)}]`;
}

import { type ExtractionEvent, PHASES, type Phase } from "../../extraction/extraction-event.ts";
import { formatCount } from "../../text/tokens/format-count.ts";
import { printable } from "../../text/tokens/printable.ts";
import type { ConsoleLog } from "./console-log.ts";
import { RunProgress, type RunShape } from "./run-progress.ts";
import type { Screen } from "./session.ts";
import { cutText } from "./text-columns.ts";

const UNITS = ["B", "KB", "MB", "GB", "TB"] as const;

/** `1536` -> `1.5 KB`. */
function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

/** `125` -> `2:05`. */
function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** Minimum milliseconds between updates of the line. */
const REDRAW_MS = 100;
/** Cells of the bar. */
const BAR_WIDTH = 20;
/** Minimum columns of a terminal for which the line is drawn. */
const MIN_COLUMNS = 20;

const PHASE_WORDS: Readonly<Record<Phase, string>> = {
  parsing: "reading mail",
  threading: "grouping threads",
  contact_resolution: "resolving contacts",
  redaction: "preparing text",
  topics: "finding topics",
  indexing: "storing",
  outputs: "writing pages",
};

/** Shows a run: a line redrawn in place on a terminal, one log line per phase elsewhere. */
export class ProgressLine {
  private readonly progress: RunProgress;
  private drawnAt = 0;
  private drawn: { readonly phase: Phase; readonly detail: string } | null = null;
  private isDrawn = false;

  constructor(
    private readonly screen: Screen,
    private readonly log: ConsoleLog,
    shape: RunShape,
  ) {
    this.progress = new RunProgress(shape, screen.now());
  }

  show(event: ExtractionEvent): void {
    if (event.kind === "warning") {
      if (this.log.level === "debug")
        this.logLine(() => this.log.debug(`skipped: ${event.warning.location ?? ""} ${event.warning.message}`));
    } else if (event.kind === "note") {
      this.logLine(() => this.log.warning(event.text));
    } else if (event.kind === "reading") {
      this.progress.advance(event.totalBytes === 0 ? 1 : event.bytes / event.totalBytes);
      const rate = event.bytes / Math.max(this.progress.elapsedSeconds(this.screen.now()), 0.001);
      this.draw("parsing", `${formatCount(event.messages)} messages, ${formatBytes(rate)}/s  ${event.mailbox}`);
    } else if (event.kind === "phase" && event.state === "started") {
      this.begin(event.phase);
    } else if (event.kind === "phase" && event.state === "progress" && event.total > 0) {
      this.progress.advance(event.done / event.total);
      this.draw(event.phase, `${formatCount(event.done)} of ${formatCount(event.total)}`);
    }
  }

  /** Redraws the times between two progress events. */
  tick(): void {
    this.progress.pass(this.screen.now());
    if (this.isDrawn && this.drawn !== null) this.draw(this.drawn.phase, this.drawn.detail);
  }

  /** Removes the line, so that results start on a clean one. */
  clear(): void {
    if (this.isDrawn) this.screen.write("\r\u001b[K");
    this.isDrawn = false;
  }

  private begin(phase: Phase): void {
    this.progress.begin(phase, this.screen.now());
    if (this.screen.isTerminal) this.draw(phase, "", true);
    else this.log.info(`phase ${this.progress.phaseNumber} of ${PHASES.length}: ${PHASE_WORDS[phase]} …`);
  }

  private logLine(print: () => void): void {
    this.clear();
    print();
  }

  /** Phase n of N, progress of the whole run, elapsed and remaining time; then details of the phase. */
  private draw(phase: Phase, detail: string, now = false): void {
    if (!this.screen.isTerminal || this.log.level === "warning") return;
    const at = this.screen.now();
    if (!now && at - this.drawnAt < REDRAW_MS) return;
    this.drawnAt = at;
    this.isDrawn = true;
    this.drawn = { phase, detail };
    const { progress } = this;
    const left = progress.secondsLeft(at);
    const times = `${formatSeconds(progress.elapsedSeconds(at))}, ${left === null ? "?" : formatSeconds(left)} left`;
    const text = `${progress.phaseNumber}/${PHASES.length} ${PHASE_WORDS[phase]} ${bar(progress.share)} ${times}  ${detail}`;
    this.screen.write(
      `\r\u001b[K${cutText(printable(text).trimEnd(), Math.max(MIN_COLUMNS, this.screen.columns - 1))}`,
    );
  }
}

function bar(share: number): string {
  const full = Math.floor(Math.min(1, share) * BAR_WIDTH);
  return `[${"#".repeat(full)}${"-".repeat(BAR_WIDTH - full)}]`;
}

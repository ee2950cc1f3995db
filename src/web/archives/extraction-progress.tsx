import type { PhaseEventWire } from "../../http/upload-service/base/wire-uploads.ts";
import { counted, sizeOf } from "../parts/formats.ts";
import { ARCHIVES_WORDS } from "../words/archives-words.ts";
import { amountOf, type PhaseProgress, paceOf } from "./phase-pace.ts";
import { formatTimeLeft } from "./time-left.ts";

/** Lowest rate shown, in messages per second: lower ones would read as 0. */
const LEAST_RATE = 0.5;

interface ExtractionProgressProps {
  /** Current phase from the list of uploads; null before the first. */
  readonly phase: PhaseEventWire["phase"] | null;
  /** The progress from events; null before the first one. */
  readonly progress: PhaseProgress | null;
}

/** Progress of an extraction, its speed, and the remaining time of its phase. */
export function ExtractionProgress({ phase: known, progress }: ExtractionProgressProps) {
  if (progress === null) {
    // A short extraction may end before its first event.
    const label = known === null ? ARCHIVES_WORDS.starting : ARCHIVES_WORDS.phases[known];
    return (
      <>
        <span>{label}</span>
        <progress aria-label={label} />
      </>
    );
  }
  const { phase, done: messages, total: allMessages, total_bytes } = progress.event;
  const { done, total } = amountOf(progress.event);
  const pace = paceOf(progress);
  const details = [
    ...(total_bytes === undefined ? [] : [ARCHIVES_WORDS.read(sizeOf(done), sizeOf(total_bytes))]),
    // Most short phases report only their start and end.
    ...(messages === 0 && allMessages === null ? [] : [ARCHIVES_WORDS.progress(messages, allMessages)]),
    ...(pace === null || pace.rate < LEAST_RATE ? [] : [ARCHIVES_WORDS.rate(counted(Math.round(pace.rate)))]),
    ...(pace?.secondsLeft == null ? [] : [formatTimeLeft(pace.secondsLeft)]),
  ];
  return (
    <>
      <span>
        {ARCHIVES_WORDS.phases[phase]} <span class="quiet">{details.join(" · ")}</span>
      </span>
      <progress aria-label={ARCHIVES_WORDS.phases[phase]} value={total === null ? undefined : done} max={total ?? 1} />
    </>
  );
}

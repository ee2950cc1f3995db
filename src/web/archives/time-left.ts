import { counted } from "../parts/formats.ts";
import { ARCHIVES_WORDS } from "../words/archives-words.ts";

/** Remaining time in words. */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 60) return ARCHIVES_WORDS.secondsLeft(counted(Math.max(1, Math.ceil(seconds))));
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return ARCHIVES_WORDS.minutesLeft(counted(minutes));
  return ARCHIVES_WORDS.hoursLeft(counted(Math.floor(minutes / 60)), counted(minutes % 60));
}

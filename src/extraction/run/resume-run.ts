import type { OutputClaim } from "../publishing/output-claim.ts";
import { TaskJournal } from "../workers/task-journal.ts";

const MEGABYTE = 1e6;

/** The journal of a run, with what one before it that was cut short has finished. The claim ends with a fault. */
export function openJournal(claim: OutputClaim): TaskJournal {
  try {
    return new TaskJournal(claim.run);
  } catch (error) {
    claim.close();
    throw error;
  }
}

/** What is told of a run that was cut short, where this one goes on with it. */
export function resumeRun({ goesOnFrom }: OutputClaim, { doneTasks, mailBytes }: TaskJournal): readonly string[] {
  if (goesOnFrom === null) return [];
  const done = `${doneTasks} completed parts and ${(mailBytes / MEGABYTE).toFixed(1)} MB of mail`;
  return [`${goesOnFrom} was interrupted: resuming with the ${done}`];
}

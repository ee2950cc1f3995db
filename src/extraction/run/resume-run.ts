import type { OutputClaim } from "../publishing/output-claim.ts";
import { TaskJournal } from "../workers/task-journal.ts";

const MEGABYTE = 1e6;

/**
 * Opens the journal of a run, including the finished tasks of an interrupted run that it resumes. Closes the claim on
 * failure.
 */
export function openJournal(claim: OutputClaim): TaskJournal {
  try {
    return new TaskJournal(claim.run);
  } catch (error) {
    claim.close();
    throw error;
  }
}

/** Notes that this run resumes an interrupted one. */
export function resumeRun({ goesOnFrom }: OutputClaim, { doneTasks, mailBytes }: TaskJournal): readonly string[] {
  if (goesOnFrom === null) return [];
  const done = `${doneTasks} completed parts and ${(mailBytes / MEGABYTE).toFixed(1)} MB of mail`;
  return [`${goesOnFrom} was interrupted: resuming with the ${done}`];
}

import type { JobRequest } from "./job-messages.ts";

/** What a job gives to the extraction. */
export interface JobSources {
  /** Where the paths begin. */
  readonly directory: string;
  /** Relative to the directory. */
  readonly paths: readonly string[];
  readonly isUnpacked: boolean;
}

/** The uploaded file itself. */
export async function openJobSources({ sourceDirectory, filename }: JobRequest): Promise<JobSources> {
  return { directory: sourceDirectory, paths: [filename], isUnpacked: false };
}

import { basename, dirname } from "node:path";
import type { UploadJob } from "../../../store/contract/upload-catalog.ts";
import type { DataDirectory } from "../base/data-directory.ts";
import type { JobRequest } from "../base/job-messages.ts";

/**
 * Location of a job's source, and of the archive that it extends. Uploaded bytes do not change; a path of the server
 * may.
 */
export function sourceOf(
  { upload }: UploadJob,
  directory: DataDirectory,
): Pick<JobRequest, "sourceDirectory" | "filename" | "expectedSha256" | "archiveDirectory"> {
  const { uploadId, filename, sourcePath, sha256, adding } = upload;
  const sourceDirectory = directory.sourceDirectory(uploadId);
  if (adding !== null) {
    const archiveDirectory = directory.archiveDirectory(uploadId);
    return { sourceDirectory, filename: adding.filename, expectedSha256: null, archiveDirectory };
  }
  if (sourcePath === null) return { sourceDirectory, filename, expectedSha256: null, archiveDirectory: null };
  return {
    ...{ sourceDirectory: dirname(sourcePath), filename: basename(sourcePath) },
    ...{ expectedSha256: sha256, archiveDirectory: null },
  };
}

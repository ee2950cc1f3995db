import type { NewUpload } from "../src/mail/uploads.ts";

/** An upload of one MBOX file without a password, whose file is deleted after extraction. */
export function newUpload(uploadId: string, change: Partial<NewUpload> = {}): NewUpload {
  const options = { redact: [], password: null, maxMessages: null, discardsOriginals: true };
  return {
    uploadId,
    filename: `${uploadId}.mbox`,
    sizeBytes: 10,
    sha256: "ab",
    createdAt: 1000,
    options,
    sourcePath: null,
    ...change,
  };
}

import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { UploadRecord } from "../../mail/uploads.ts";
import type { Intake } from "./intake.ts";
import { ResumableStore } from "./resumable-store.ts";

const ID = "upload-axof4tkbypg5";

/** A service whose catalogue answers in turn, and that holds no bytes any more. */
function serviceOf(answers: readonly (Pick<UploadRecord, "filename" | "sizeBytes"> | null)[]): Intake {
  const left = [...answers];
  const incoming = join(tmpdir(), "archivetool-no-such-directory");
  return {
    service: {
      catalogue: { get: () => left.shift() ?? null },
      vault: { parts: null },
      directory: {
        incoming,
        incomingFile: (id: string) => join(incoming, `${id}.part`),
        incomingState: (id: string) => join(incoming, `${id}.json`),
      },
    },
  } as unknown as Intake;
}

it("knows an upload that another request registers while it is looked for", async () => {
  const store = new ResumableStore(serviceOf([null, { filename: "a.mbox", sizeBytes: 7 }]));
  expect(await store.getUpload(ID)).toMatchObject({ size: 7, offset: 7 });
});

it("knows no other", async () => {
  await expect(new ResumableStore(serviceOf([])).getUpload(ID)).rejects.toMatchObject({ status_code: 404 });
});

import { randomBytes } from "node:crypto";
import type { Instant } from "../../mail/instant.ts";
import { UNPACK_LIMITS, type UnpackLimits } from "../../unpacking/unpack-limits.ts";
import { type FreeBytes, freeBytes } from "./disk-space.ts";
import type { Service } from "./service.ts";
import { newUploadId } from "./upload-id.ts";

/** What taking in uploads stands on. */
export interface Intake {
  readonly service: Service;
  readonly freeBytes: FreeBytes;
  /** What an uploaded archive may hold. */
  readonly unpackLimits: UnpackLimits;
  now(): Instant;
}

/** The intake of a service as it runs. */
export function intakeOf(service: Service): Intake {
  return { service, freeBytes, unpackLimits: UNPACK_LIMITS, now: () => Date.now() };
}

/** An id that no upload has. */
export function freshUploadId({ service }: Intake): string {
  for (;;) {
    const uploadId = newUploadId(randomBytes);
    if (service.catalogue.get(uploadId) === null) return uploadId;
  }
}

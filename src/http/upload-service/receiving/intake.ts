import { randomBytes } from "node:crypto";
import type { Instant } from "../../../mail/dates/instant.ts";
import { UNPACK_LIMITS, type UnpackLimits } from "../../../unpacking/unpack-limits.ts";
import { Semaphore } from "../../semaphore.ts";
import { type FreeBytes, freeBytes } from "../base/disk-space.ts";
import { newUploadId } from "../base/upload-id.ts";
import type { Service } from "../service/service.ts";

/** Dependencies of receiving uploads. */
export interface Intake {
  readonly service: Service;
  readonly freeBytes: FreeBytes;
  /** Limits concurrent inspections of archives. */
  readonly inspections: Semaphore;
  /** Limits of an uploaded archive. */
  readonly unpackLimits: UnpackLimits;
  /** The path that the service is published under, such as `/mail`; empty for the root. */
  readonly basePath: string;
  now(): Instant;
}

/** Each takes a core, and up to 50 MB for the names of the largest allowed archive. */
const INSPECTIONS_AT_ONCE = 2;

/** The intake of a running service. */
export function intakeOf(service: Service, basePath = ""): Intake {
  return {
    service,
    freeBytes,
    inspections: new Semaphore(INSPECTIONS_AT_ONCE),
    unpackLimits: UNPACK_LIMITS,
    basePath,
    now: () => Date.now(),
  };
}

/** An unused upload id. */
export async function freshUploadId({ service }: Intake): Promise<string> {
  for (;;) {
    const uploadId = newUploadId(randomBytes);
    if ((await service.catalog.get(uploadId)) === null) return uploadId;
  }
}

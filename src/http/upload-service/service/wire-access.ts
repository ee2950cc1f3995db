import type { AuditEntry } from "../../../mail/access.ts";
import { formatInstant } from "../../../mail/dates/instant.ts";
import type { TokenWithGrants } from "./manage-access.ts";
import type { Permissions } from "./service-view.ts";

/** A token as `archivetool service tokens --json` prints it. */
export function tokenWire({ name, mayUpload, createdAt, grants }: TokenWithGrants): object {
  return {
    name,
    may_upload: mayUpload,
    created_at: formatInstant(createdAt),
    grants: grants.map(({ uploadId, role }) => ({ upload_id: uploadId, role })),
  };
}

/** A row of the audit as `archivetool service audit --json` prints it. */
export function auditWire({ sequence, at, name, action, uploadId, detail }: AuditEntry): object {
  return { sequence, at: formatInstant(at), name, action, upload_id: uploadId, detail };
}

/** Response of `GET /session`. */
export interface PermissionsWire {
  readonly name: string;
  readonly may_upload: boolean;
  /** Ids of uploads, or all of them. */
  readonly may_delete: readonly string[] | "all";
}

export function permissionsWire({ name, mayUpload, owns }: Permissions): PermissionsWire {
  return { name, may_upload: mayUpload, may_delete: owns };
}

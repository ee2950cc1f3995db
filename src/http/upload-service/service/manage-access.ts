import { existsSync } from "node:fs";
import { ArchiveError } from "../../../errors.ts";
import type { AccessToken, Actor, AuditEntry, AuditFilter, Grant, Role } from "../../../mail/access.ts";
import type { Instant } from "../../../mail/dates/instant.ts";
import type { UploadCatalog } from "../../../store/contract/upload-catalog.ts";
import { formatText } from "../../format-value.ts";
import { MAX_TOKEN_NAME_CHARACTERS, makeToken } from "../base/access-token.ts";
import { openDataDirectory, requireUnshared } from "../base/data-directory.ts";
import { OPERATOR, RESERVED_NAMES } from "./caller.ts";
import { openCatalog, type SharedStore } from "./service.ts";

/** Letters, digits and characters of addresses: a name appears in command lines, lists and the audit. */
const TOKEN_NAME = /^[A-Za-z0-9][\w.@+-]*$/;

/** Rows of the audit read at a time. */
const READ_ENTRIES = 1000;

/** The catalog of a service, running or not. */
export interface ManagedService {
  /** `--data`. */
  readonly dataDirectory: string;
  readonly store: SharedStore | null;
  /** Whether to create a missing data directory. */
  readonly mayCreate: boolean;
}

/** A token with all its grants. */
export interface TokenWithGrants extends AccessToken {
  readonly grants: readonly Grant[];
}

/** Uploads to grant or revoke, with the time. */
interface GrantedUploads {
  readonly uploadIds: readonly string[];
  readonly at: Instant;
}

/**
 * Opens the catalog of a service until `use` has ended. Throws NOT_FOUND, and like `openService`, except
 * SERVICE_RUNNING.
 */
export async function withCatalog<T>(
  { dataDirectory, store, mayCreate }: ManagedService,
  use: (catalog: UploadCatalog) => Promise<T>,
): Promise<T> {
  if (store === null && !mayCreate && !existsSync(dataDirectory))
    throw new ArchiveError("NOT_FOUND", `${dataDirectory} does not exist`, {
      hint: "specify the data directory of the service with --data",
    });
  const directory = openDataDirectory(dataDirectory);
  if (store === null) requireUnshared(directory);
  const catalog = await openCatalog(directory, store).finally(() => store?.blobs?.close());
  try {
    return await use(catalog);
  } finally {
    await catalog.close();
  }
}

/**
 * Creates and returns a token, which is not stored. Throws INVALID_ARGUMENT if the name is taken, was used before, or
 * is invalid.
 */
export async function addToken(
  { access }: UploadCatalog,
  token: { readonly name: string; readonly mayUpload: boolean; readonly createdAt: Instant },
  random: (size: number) => Buffer,
): Promise<string> {
  requireName(token.name);
  const { secret, kept } = makeToken(token, random, token.createdAt);
  if (!(await access.addToken(kept, operatorAt(token.createdAt))))
    throw new ArchiveError("INVALID_ARGUMENT", `token name ${token.name} is already used`, {
      hint: "use another name: token names cannot be reused",
    });
  return secret;
}

/** All active tokens by name. */
export async function listTokens({ access }: UploadCatalog): Promise<readonly TokenWithGrants[]> {
  const grants = await access.grants(null);
  return (await access.tokens())
    .filter(({ revokedAt }) => revokedAt === null)
    .map((token) => ({ ...token, grants: grants.filter(({ name }) => name === token.name) }));
}

/** Throws NOT_FOUND. */
export async function revokeToken({ access }: UploadCatalog, name: string, at: Instant): Promise<void> {
  if (!(await access.revoke(name, operatorAt(at)))) throw noSuchToken(name);
}

/** Grants uploads to a token holder: all of them, or none if one does not exist. Throws NOT_FOUND. */
export async function grantUploads(
  catalog: UploadCatalog,
  { name, role }: { readonly name: string; readonly role: Role },
  { uploadIds, at }: GrantedUploads,
): Promise<void> {
  for (const uploadId of uploadIds)
    if ((await catalog.get(uploadId)) === null)
      throw new ArchiveError("NOT_FOUND", `Upload ${formatText(uploadId)} not found`);
  for (const uploadId of uploadIds)
    if (!(await catalog.access.grant({ name, uploadId, role }, operatorAt(at)))) throw noSuchToken(name);
}

/** Revokes grants of a token holder. Throws NOT_FOUND for one that was not granted. */
export async function ungrantUploads(
  { access }: UploadCatalog,
  name: string,
  { uploadIds, at }: GrantedUploads,
): Promise<void> {
  for (const uploadId of uploadIds)
    if (!(await access.ungrant(name, uploadId, operatorAt(at))))
      throw new ArchiveError("NOT_FOUND", `Token ${formatText(name)} is not granted ${formatText(uploadId)}`);
}

/** The rows of the audit, oldest first, read a page at a time. */
export async function* auditOf({ access }: UploadCatalog, filter: AuditFilter): AsyncGenerator<AuditEntry> {
  let last = 0;
  for (;;) {
    const page = await access.audited(filter, last, READ_ENTRIES);
    yield* page;
    last = page.at(-1)?.sequence ?? last;
    if (page.length < READ_ENTRIES) return;
  }
}

/** Anyone who can write the catalog is the operator. */
function operatorAt(at: Instant): Actor {
  return { name: OPERATOR.name, at };
}

function requireName(name: string): void {
  if (name.length <= MAX_TOKEN_NAME_CHARACTERS && TOKEN_NAME.test(name) && !RESERVED_NAMES.includes(name)) return;
  throw new ArchiveError("INVALID_ARGUMENT", `invalid token name ${formatText(name)}`, {
    hint: `use up to ${MAX_TOKEN_NAME_CHARACTERS} letters, digits and . _ @ + -, and not ${RESERVED_NAMES.join(", ")}`,
  });
}

function noSuchToken(name: string): ArchiveError {
  return new ArchiveError("NOT_FOUND", `Token ${formatText(name)} not found`, {
    hint: "list tokens with: archivetool service tokens",
  });
}

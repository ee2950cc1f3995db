import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import type { ManagedService, TokenWithGrants } from "../../http/upload-service/service/manage-access.ts";
import type { AuditEntry } from "../../mail/access.ts";
import { formatInstant } from "../../mail/dates/instant.ts";
import type { UploadCatalog } from "../../store/contract/upload-catalog.ts";
import { positiveInteger } from "../terminal/flag-values.ts";
import type { Session } from "../terminal/session.ts";
import { sinceInstant } from "../terminal/since-flag.ts";
import { NO_LEASE_SECONDS, openSharedStore, type SharedStoreFlags } from "./shared-store.ts";

/** Flags shared with `service`: both use one directory. */
interface ServiceFlags extends SharedStoreFlags {
  readonly data: string;
}

interface TokenFlags extends ServiceFlags {
  readonly mayUpload?: true;
}

interface GrantFlags extends ServiceFlags {
  readonly owner?: true;
}

interface ListFlags extends ServiceFlags {
  readonly json?: true;
}

interface AuditFlags extends ListFlags {
  readonly name?: string;
  readonly upload?: string;
  readonly since?: string;
  readonly keepDays?: string;
}

/** Only the user of the service can read its data directory. */
const PRIVATE_UMASK = 0o077;

/** Declares the commands for access control. */
export function declareServiceAccess(service: Command, session: () => Session): void {
  declareTokens(service, session);
  declareAudit(service, session);
  service
    .command("grant")
    .description("grant a token access to uploads")
    .argument("<name>", "token name")
    .argument("<uploads...>", "upload ids")
    .option("--owner", "also allow deleting them")
    .action(async (name: string, uploads: readonly string[], _flags: unknown, command: Command) => {
      const flags = command.optsWithGlobals<GrantFlags>();
      const { grantUploads } = await import("../../http/upload-service/service/manage-access.ts");
      const role = flags.owner ? "owner" : "reader";
      await inCatalog(flags, (catalog) =>
        grantUploads(catalog, { name, role }, { uploadIds: uploads, at: Date.now() }),
      );
      for (const uploadId of uploads) session().print(`${uploadId}  ${role}  ${name}`);
    });
  service
    .command("ungrant")
    .description("revoke a token's access to uploads")
    .argument("<name>", "token name")
    .argument("<uploads...>", "upload ids")
    .action(async (name: string, uploads: readonly string[], _flags: unknown, command: Command) => {
      const { ungrantUploads } = await import("../../http/upload-service/service/manage-access.ts");
      await inCatalog(command.optsWithGlobals<ServiceFlags>(), (catalog) =>
        ungrantUploads(catalog, name, { uploadIds: uploads, at: Date.now() }),
      );
    });
}

function declareTokens(service: Command, session: () => Session): void {
  service
    .command("token")
    .description("create a token with access to the uploads you grant it, and print it once")
    .argument("<name>", "name of the token holder")
    .option("--may-upload", "allow uploading; the token owns its uploads")
    .action(async (name: string, _flags: unknown, command: Command) => {
      const flags = command.optsWithGlobals<TokenFlags>();
      const { addToken } = await import("../../http/upload-service/service/manage-access.ts");
      const token = { name, mayUpload: flags.mayUpload === true, createdAt: Date.now() };
      session().print(await inCatalog(flags, (catalog) => addToken(catalog, token, randomBytes), true));
    });
  service
    .command("tokens")
    .description("list tokens and their grants")
    .option("--json", "print as JSON")
    .action(async (_flags: unknown, command: Command) => {
      const flags = command.optsWithGlobals<ListFlags>();
      const { listTokens } = await import("../../http/upload-service/service/manage-access.ts");
      const tokens = await inCatalog(flags, listTokens);
      const { tokenWire } = await import("../../http/upload-service/service/wire-access.ts");
      if (flags.json) session().printJson(tokens.map(tokenWire));
      else for (const line of tokens.flatMap(tokenLines)) session().print(line);
    });
  service
    .command("revoke")
    .description("revoke a token and all its grants")
    .argument("<name>", "token name")
    .action(async (name: string, _flags: unknown, command: Command) => {
      const { revokeToken } = await import("../../http/upload-service/service/manage-access.ts");
      await inCatalog(command.optsWithGlobals<ServiceFlags>(), (catalog) => revokeToken(catalog, name, Date.now()));
    });
}

function declareAudit(service: Command, session: () => Session): void {
  service
    .command("audit")
    .description("print the audit log, oldest entry first")
    .option("--name <name>", "only entries of this token")
    .option("--upload <id>", "only entries about this upload")
    .option("--since <date>", "only entries on or after this date or time (ISO 8601)")
    .option("--json", "print one JSON object per line")
    .option("--keep-days <n>", "set the retention in days and delete older entries; prints nothing")
    .action(async (_flags: unknown, command: Command) => {
      const flags = command.optsWithGlobals<AuditFlags>();
      const { auditOf } = await import("../../http/upload-service/service/manage-access.ts");
      const { auditWire } = await import("../../http/upload-service/service/wire-access.ts");
      if (flags.keepDays !== undefined) {
        const days = positiveInteger("--keep-days", flags.keepDays);
        await inCatalog(flags, ({ access }) => access.keepAudit(days, { name: "operator", at: Date.now() }));
        return;
      }
      const since = sinceInstant(flags.since);
      const filter = { name: flags.name ?? null, uploadId: flags.upload ?? null, since };
      const { print } = session();
      await inCatalog(flags, async (catalog) => {
        for await (const entry of auditOf(catalog, filter))
          print(flags.json ? JSON.stringify(auditWire(entry)) : auditLine(entry));
      });
    });
}

/** @param mayCreate tokens can be created before the service starts for the first time */
async function inCatalog<T>(
  flags: ServiceFlags,
  use: (catalog: UploadCatalog) => Promise<T>,
  mayCreate = false,
): Promise<T> {
  const { withCatalog } = await import("../../http/upload-service/service/manage-access.ts");
  process.umask(PRIVATE_UMASK);
  const store = await openSharedStore(flags, NO_LEASE_SECONDS);
  return withCatalog({ dataDirectory: flags.data, store, mayCreate } satisfies ManagedService, use);
}

function auditLine({ at, name, action, uploadId, detail }: AuditEntry): string {
  return [formatInstant(at), name, action, uploadId, detail].filter((part) => part !== null).join("  ");
}

function tokenLines({ name, mayUpload, createdAt, grants }: TokenWithGrants): readonly string[] {
  const head = `${name}  ${formatInstant(createdAt)}${mayUpload ? "  can upload" : ""}`;
  return [head, ...grants.map(({ uploadId, role }) => `  ${uploadId}  ${role}`)];
}

import { availableParallelism } from "node:os";
import type { Command } from "commander";
import { ArchiveError } from "../../errors.ts";
import type { FileLocation } from "../../store/contract/archive-location.ts";
import { applyCorrections } from "../extracting/apply-corrections.ts";
import {
  allowedHosts,
  BASE_PATH_DESCRIPTION,
  basePathOf,
  environmentName,
  type ProxyFlags,
  portNumber,
  serverLog,
} from "../reading/served-archive.ts";
import { positiveInteger } from "../terminal/flag-values.ts";
import { openPage, unopened } from "../terminal/open-page.ts";
import type { Session } from "../terminal/session.ts";
import { declareServiceAccess } from "./service-access.ts";
import { declareServiceAdd } from "./service-add.ts";
import { openSharedStore } from "./shared-store.ts";

interface ServiceFlags extends ProxyFlags {
  readonly data: string;
  readonly store?: string;
  readonly lease: string;
  readonly blobs?: string;
  readonly port: string;
  readonly host: string;
  readonly token?: string;
  readonly public?: true;
  readonly jobs: string;
  readonly threads?: string;
  readonly maxUploadBytes: string;
  readonly rateLimit?: string;
  readonly discardOriginals?: true;
  readonly allowOrigin?: readonly string[];
  readonly open?: true;
}

/** 50 GiB: larger than any mailbox that a mail program writes as one file. */
const MAX_UPLOAD_BYTES = 53_687_091_200;
/** Bytes that uploads leave free on the disk for the catalog, the log and other programs. */
const DISK_MARGIN_BYTES = 512 << 20;
/** Only the user of the service can read its data directory. */
const PRIVATE_UMASK = 0o077;
/** Seconds without renewal after which another service takes over an extraction. */
const LEASE_SECONDS = "30";
const TOKEN_VARIABLE = "ARCHIVETOOL_TOKEN";

/** Declares `archivetool service` and its subcommands. */
export function declareService(program: Command, session: () => Session): void {
  const service = program
    .command("service")
    .description("start the upload service, where people upload and explore mail archives")
    .option("--data <dir>", "data directory for uploads, archives and the catalog", "./archivetool-data")
    .option("--store <url>", "PostgreSQL database of the catalog, shared by services with one data directory")
    .option(
      "--lease <seconds>",
      "seconds after which the extraction of an unresponsive service is taken over",
      LEASE_SECONDS,
    )
    .option("--blobs <bucket>", "s3://bucket/prefix for upload files, for services without a shared disk")
    .option("--port <n>", "port to listen on", "8787")
    .option("--host <host>", "address to listen on", "127.0.0.1")
    .option("--open", "open the page in the browser")
    .option("--token <token>", `bearer token required for every request (or set ${TOKEN_VARIABLE})`)
    .option("--public", "allow non-loopback addresses without a token")
    .option("--jobs <n>", "number of concurrent extractions", "1")
    .option("--threads <n>", "worker threads of each extraction (default: one per core)")
    .option("--max-upload-bytes <n>", "maximum upload size", String(MAX_UPLOAD_BYTES))
    .option("--rate-limit <n>", "maximum requests per client in 60,000 ms")
    .option("--discard-originals", "delete uploaded files after extraction")
    .option("--base-path <prefix>", BASE_PATH_DESCRIPTION)
    .option("--allow-host <host...>", "host names that requests without a token may use")
    .option("--allow-origin <origins...>", "origins allowed by CORS, * for all")
    .action(async (flags: ServiceFlags) => {
      await startService(flags, session());
    });
  declareServiceAdd(service, session);
  declareServiceAccess(service, session);
}

async function startService(flags: ServiceFlags, session: Session): Promise<void> {
  const port = portNumber(flags.port);
  const limits = {
    maxUploadBytes: positiveInteger("--max-upload-bytes", flags.maxUploadBytes),
    diskMarginBytes: DISK_MARGIN_BYTES,
    discardsOriginals: flags.discardOriginals === true,
  };
  const leaseSeconds = positiveInteger("--lease", flags.lease);
  const jobs = positiveInteger("--jobs", flags.jobs);
  const threads = flags.threads === undefined ? availableParallelism() : positiveInteger("--threads", flags.threads);
  const { isLoopback } = await import("../../http/upload-service/base/host-names.ts");
  const setting = {
    host: flags.host,
    token: bearerToken(flags.token),
    allowedHosts: allowedHosts(flags),
    allowedOrigins: (flags.allowOrigin ?? []).map(webOrigin),
    environment: environmentName(),
    basePath: basePathOf(flags),
    rateLimit: flags.rateLimit === undefined ? null : positiveInteger("--rate-limit", flags.rateLimit),
    follow: async (location: FileLocation, signal: AbortSignal) => void (await applyCorrections(location, signal)),
  };
  if (setting.token === null && !flags.public && !isLoopback(flags.host)) {
    throw new ArchiveError(
      "INVALID_ARGUMENT",
      `--host ${flags.host} is reachable from other machines and requires a token`,
      {
        hint: `set ${TOKEN_VARIABLE} or use --token; --public lets everyone upload and read all mail`,
      },
    );
  }
  const { serveUntil } = await import("../../http/http-server.ts");
  const { createUploadService } = await import("../../http/upload-service/upload-service.ts");
  const { openService } = await import("../../http/upload-service/service/service.ts");
  const { createJobStarter } = await import("../../http/upload-service/jobs/job-process.ts");
  const { loggedFault } = await import("../../http/upload-service/base/logged-fault.ts");
  process.umask(PRIVATE_UMASK);
  const log = await serverLog(session, { err: loggedFault });
  const now = (): number => Date.now();
  const service = await openService({
    dataDirectory: flags.data,
    store: await openSharedStore(flags, leaseSeconds),
    limits,
    jobs,
    threads,
    startJob: createJobStarter(jobEnvironment()),
    log,
    now,
  });
  try {
    const app = await createUploadService(service, setting, log);
    const onReady = (url: string): void => {
      session.print(`upload service on ${url}, data in ${flags.data} (Ctrl-C to stop)`);
      if (flags.open) openPage(url, process.platform, unopened(session.log, url));
    };
    await serveUntil(app, { host: flags.host, port }, { signal: session.signal, onReady });
  } finally {
    await service.close();
  }
}

/**
 * The token of the flag, else of the environment, from which it is removed so that jobs do not inherit it. Throws
 * INVALID_ARGUMENT if a header cannot contain it.
 */
function bearerToken(flag: string | undefined): string | null {
  const token = flag ?? process.env["ARCHIVETOOL_TOKEN"];
  delete process.env["ARCHIVETOOL_TOKEN"];
  if (token === undefined) return null;
  // RFC 6750 section 2.1 allows fewer characters; those excluded here would be truncated or rejected in transit.
  if (/^[!-~]+$/.test(token)) return token;
  throw new ArchiveError("INVALID_ARGUMENT", "the token must consist of visible ASCII characters without spaces", {
    hint: "create one with: openssl rand -hex 32",
  });
}

/** An origin as browsers send it. Throws INVALID_ARGUMENT. */
function webOrigin(text: string): string {
  if (text === "*") return text;
  if (URL.canParse(text) && new URL(text).origin === text.toLowerCase().replace(/\/$/, "")) return new URL(text).origin;
  throw new ArchiveError(
    "INVALID_ARGUMENT",
    `--allow-origin must be origins such as https://mail.example or *, not "${text}"`,
  );
}

/** Variables with credentials of the bucket and the database, which no extraction needs: it reads mail of strangers. */
const SECRET_VARIABLE = /^(?:AWS_|PG)/;

function jobEnvironment(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !SECRET_VARIABLE.test(name)));
}

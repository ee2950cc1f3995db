import type { ProcessIdentity } from "../../files/process-identity.ts";
import type { Instant } from "../../mail/dates/instant.ts";
import type {
  AddedSource,
  LoggedEvent,
  NewUpload,
  UploadCounts,
  UploadFault,
  UploadOptions,
  UploadRecord,
  UploadStatus,
} from "../../mail/uploads.ts";
import type { AccessRegister } from "./access-register.ts";
import type { UploadCorrections } from "./upload-corrections.ts";
import type { UploadNotebooks } from "./upload-notebooks.ts";

/** The catalog file in a data directory. */
export const CATALOG_FILE = "catalogue.db";

/**
 * Maximum stored events: a job of 80 minutes at four per second, in about 5 MB. After a longer absence, clients get
 * the current state.
 */
export const KEPT_EVENTS = 20_000;
/** Number of events after which the log is truncated again. */
export const CUT_EVENTS_EVERY = 250;
/**
 * More than the number of unsynced events: a checkpoint of a file writes after at most 1,000 pages, and an event
 * changes at least one.
 */
export const SKIPPED_SEQUENCES = 1000;

/** An upload as its job needs it. */
export interface UploadJob {
  readonly upload: UploadRecord;
  readonly options: UploadOptions;
  /** Number of starts of the job: each attempt has its own directory. */
  readonly attempt: number;
  /** Times a job or the service ended before the job did. */
  readonly interruptions: number;
  /** Process of a running job, if started. */
  readonly process: ProcessIdentity | null;
}

/** The first event for a client that connects. */
export interface CatalogState {
  /** Oldest first. */
  readonly uploads: readonly UploadRecord[];
  /** The last event of each running upload that has one. */
  readonly phases: readonly LoggedEvent[];
}

/**
 * Uploads and the log of their events. Every change of a status writes its event in the same transaction, and is on
 * disk when the call returns. Several processes can open the catalog. With a file, only one service runs jobs. In a
 * shared catalog, a service holds a job by a lease that it renews; after it loses the lease, its updates of the job
 * are ignored. Calls run in order. They reject with DISK_FULL or OUTPUT_UNWRITABLE, or for a shared catalog with
 * CATALOGUE_UNREACHABLE.
 */
export interface UploadCatalog extends CatalogCalls {
  /** True if several services may share it: its directory is not exclusive to this one. */
  readonly isShared: boolean;
  /** Permissions for uploads. */
  readonly access: AccessRegister;
  /** Notebooks of services that share only a database. */
  readonly notebooks: UploadNotebooks | null;
}

/** The calls of a catalog. */
export interface CatalogCalls extends UploadCorrections {
  /** Queued, after all others. */
  add(upload: NewUpload): Promise<UploadRecord>;
  get(uploadId: string): Promise<UploadRecord | null>;
  /** Newest first, without those being removed (`cancelled`). */
  list(): Promise<readonly UploadRecord[]>;
  /** The first readable upload of `list`. */
  newestCompleted(): Promise<UploadRecord | null>;
  countOf(status: UploadStatus): Promise<number>;

  /** The oldest queued upload, now running; null if there is none. */
  claim(startedAt: Instant): Promise<UploadJob | null>;
  setProcess(uploadId: string, process: ProcessIdentity): Promise<void>;
  /**
   * Takes over running and canceled uploads without a living service, oldest first. For a catalog in a file these are
   * all, so call it once, before any job begins.
   */
  takeOver(): Promise<readonly UploadJob[]>;
  /** Renews the leases of running uploads. Returns the ids whose leases were renewed. */
  renew(uploadIds: readonly string[]): Promise<readonly string[]>;
  /** True if another living service holds the upload, and will notice the cancellation. */
  isHeldElsewhere(uploadId: string): Promise<boolean>;
  /**
   * Reserves the files of an upload for this service until `unlock` or its end. Returns false if another service has
   * them.
   */
  lock(uploadId: string): Promise<boolean>;
  unlock(uploadId: string): Promise<void>;
  /** Uploads in a status as jobs, oldest first. */
  jobsOf(status: UploadStatus): Promise<readonly UploadJob[]>;
  /**
   * Running to queued, at its previous position. @param isInterruption true to count it against the upload: its job did
   * not end by our own decision
   */
  requeue(uploadId: string, isInterruption: boolean): Promise<UploadRecord | null>;
  /**
   * Completed to queued, for a job that adds a source to the archive. Returns null without a change if the upload does
   * not match the record.
   */
  addSource(upload: UploadRecord, source: AddedSource, password: string | null): Promise<UploadRecord | null>;
  /**
   * Running to completed or failed; also to completed if a source could not be added. Returns null without a change if
   * the upload is not running.
   */
  complete(uploadId: string, counts: UploadCounts, completedAt: Instant): Promise<UploadRecord | null>;
  fail(uploadId: string, fault: UploadFault, completedAt: Instant): Promise<UploadRecord | null>;
  /** Cancels an upload in any status; the log keeps only that. Null if it does not exist or is already canceled. */
  cancel(uploadId: string, completedAt: Instant): Promise<UploadRecord | null>;
  /** Removes a canceled upload, including its name, size and hash. */
  remove(uploadId: string): Promise<void>;

  /**
   * Records an event of a running job; does nothing if the upload is not running. Losing an event in a power failure
   * does no harm, so it is not synced.
   */
  appendPhase(uploadId: string, phase: string, data: string): Promise<void>;
  /** Events after a sequence, oldest first. @param uploadId null for all uploads */
  eventsAfter(sequence: number, limit: number, uploadId: string | null): Promise<readonly LoggedEvent[]>;
  /** Sequence of the oldest stored event; one after the last if there is none. */
  firstSequence(): Promise<number>;
  /** The newest sequence; 0 before the first. */
  lastSequence(): Promise<number>;
  state(uploadId: string | null): Promise<CatalogState>;
  /** Sequence of the event with the current status of an upload; 0 if the log no longer has it. */
  statusSequence(uploadId: string): Promise<number>;
  /**
   * Call once at the start of each service: sequences that clients saw before a power failure are never used for other
   * events.
   */
  skipSequences(): Promise<void>;
  /** True when another process has written since the last call. */
  hasForeignChanges(): Promise<boolean>;
  close(): Promise<void>;
}

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Instant } from "../../../mail/dates/instant.ts";
import { UPLOAD_STATUSES } from "../../../mail/uploads.ts";
import { TOOL_VERSION } from "../../../version.ts";
import { type Figure, figure, processFigures, type Sample, ServerMetrics } from "../../server-metrics.ts";
import { freeBytes } from "../base/disk-space.ts";
import type { ServiceHealthWire } from "../base/wire.ts";
import { catalogUnreachable, soon } from "../service/database-loss.ts";
import type { Service } from "../service/service.ts";
import type { ViewSource } from "../service/service-view.ts";

/** Metrics of the service itself, in addition to those of the catalog. */
interface Gauges {
  now(): Instant;
  uptimeMs(): number;
  /** Clients of /agent-stream. */
  streamCount(): number;
  openArchiveCount(): number;
}

/** Adds `GET /health` and `GET /metrics`. */
export function addOperations(
  app: FastifyInstance,
  { service, views }: { readonly service: Service; readonly views: ViewSource },
  gauges: Gauges,
): void {
  const metrics = new ServerMetrics(app);
  const load = async (): Promise<Partial<ServiceHealthWire>> => ({
    queue_length: await service.queue.queueLength(),
    running: service.queue.runningCount(),
    disk_free_bytes: await freeBytes(service.directory.root),
  });
  // If some callers see only some uploads, only those who see all get the totals.
  const showsTotals = async (request: FastifyRequest): Promise<boolean> =>
    views.of(request).caller.isOperator || !(await service.catalog.access.hasTokens());
  app.get("/health", async (request, reply) => {
    if (service.watch?.isReachable === false) throw catalogUnreachable();
    const details = showsTotals(request).then((shown) => (shown ? load() : {}));
    const health: ServiceHealthWire = {
      status: "ok",
      version: TOOL_VERSION,
      uptime_ms: Math.round(gauges.uptimeMs()),
      // A database failure must not delay health checks.
      ...(await (service.watch === null ? details : soon<Partial<ServiceHealthWire>>(details, {}))),
    };
    return reply.header("cache-control", "no-store").send(health);
  });
  app.get("/metrics", async (request, reply) => {
    const isReachable = service.watch?.isReachable !== false;
    // Without the database, only the service token can be verified.
    if (!isReachable && !views.of(request).caller.isOperator) throw catalogUnreachable();
    views.of(request).requireOperator();
    return metrics.send(reply, [
      ...(isReachable ? await catalogFigures(service, gauges.now()) : []),
      ...(await serviceFigures(service, gauges)),
      ...processFigures(gauges.uptimeMs(), service.watch),
    ]);
  });
}

/** Metrics from the database. */
async function catalogFigures({ catalog, queue }: Service, now: Instant): Promise<readonly Figure[]> {
  const samples: Sample[] = [];
  for (const status of UPLOAD_STATUSES) samples.push({ labels: { status }, value: await catalog.countOf(status) });
  const [oldest] = await catalog.jobsOf("queued");
  const waitedMs = oldest === undefined ? 0 : now - oldest.upload.createdAt;
  const length = await queue.queueLength();
  return [
    { type: "gauge", name: "archivetool_uploads", help: "Uploads by status.", samples },
    figure("gauge", "archivetool_queue_length", "Uploads waiting for extraction.", length),
    figure(
      "gauge",
      "archivetool_queue_oldest_seconds",
      "Age of the oldest waiting upload; 0 if none.",
      Math.max(0, Math.round(waitedMs / 1000)),
    ),
  ];
}

/** Metrics of this process and its disk. */
async function serviceFigures({ queue, directory }: Service, gauges: Gauges): Promise<readonly Figure[]> {
  const free = await freeBytes(directory.root);
  return [
    figure("gauge", "archivetool_running_jobs", "Running extractions.", queue.runningCount()),
    figure(
      "counter",
      "archivetool_messages_extracted_total",
      "Messages in extractions completed by this service.",
      queue.extractedMessages,
    ),
    figure("gauge", "archivetool_event_streams", "Clients of /agent-stream.", gauges.streamCount()),
    figure("gauge", "archivetool_open_archives", "Archives open for reading.", gauges.openArchiveCount()),
    figure("gauge", "archivetool_disk_free_bytes", "Free space of the data directory.", free),
  ];
}

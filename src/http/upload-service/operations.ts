import type { FastifyInstance, FastifyRequest } from "fastify";
import { UPLOAD_STATUSES } from "../../mail/uploads.ts";
import { TOOL_VERSION } from "../../version.ts";
import { catalogueAway, soon } from "./database-loss.ts";
import { freeBytes } from "./disk-space.ts";
import type { Service } from "./service.ts";
import type { ViewSource } from "./service-view.ts";
import type { ServiceHealthWire } from "./wire.ts";

/** What the service counts of itself beside what the catalogue knows. */
export interface Gauges {
  uptimeMs(): number;
  /** Clients of /agent-stream. */
  streamCount(): number;
  openArchiveCount(): number;
}

/** One figure in the text format of Prometheus. */
interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: "gauge" | "counter";
  /** Values by their labels; the empty text for one without. */
  readonly values: ReadonlyMap<string, number>;
}

/** Adds `GET /health` and `GET /metrics`. */
export function addOperations(
  app: FastifyInstance,
  { service, views }: { readonly service: Service; readonly views: ViewSource },
  gauges: Gauges,
): void {
  const answered = new Map<string, number>();
  app.addHook("onResponse", async (_request, { statusCode }) => {
    const label = `class="${Math.floor(statusCode / 100)}xx"`;
    answered.set(label, (answered.get(label) ?? 0) + 1);
  });
  const load = async (): Promise<Partial<ServiceHealthWire>> => ({
    queue_length: await service.queue.queueLength(),
    running: service.queue.runningCount(),
    disk_free_bytes: await freeBytes(service.directory.root),
  });
  // Where some see only some uploads, how many there are is told to who sees all of them.
  const isTold = async (request: FastifyRequest): Promise<boolean> =>
    views.of(request).caller.isOperator || !(await service.catalogue.access.hasTokens());
  app.get("/health", async (request, reply) => {
    if (service.watch?.isReachable === false) throw catalogueAway();
    // A database that has just stopped must not hold up whoever watches over the process.
    const details = isTold(request).then((isOpen) => (isOpen ? load() : {}));
    const health: ServiceHealthWire = {
      status: "ok",
      version: TOOL_VERSION,
      uptime_ms: Math.round(gauges.uptimeMs()),
      ...(await soon<Partial<ServiceHealthWire>>(details, {})),
    };
    return reply.header("cache-control", "no-store").send(health);
  });
  app.get("/metrics", async (request, reply) => {
    views.of(request).requireOperator();
    const metrics = await readMetrics(service, gauges, answered);
    return reply
      .header("cache-control", "no-store")
      .type("text/plain; version=0.0.4; charset=utf-8")
      .send(metrics.map(metricText).join(""));
  });
}

async function readMetrics(
  { catalogue, queue, directory }: Service,
  gauges: Gauges,
  answered: ReadonlyMap<string, number>,
): Promise<readonly Metric[]> {
  const gauge = (name: string, help: string, value: number): Metric => ({
    name,
    help,
    type: "gauge",
    values: new Map([["", value]]),
  });
  const uploads = new Map<string, number>();
  for (const status of UPLOAD_STATUSES) uploads.set(`status="${status}"`, await catalogue.countOf(status));
  return [
    { name: "archivetool_uploads", help: "Uploads by status.", type: "gauge", values: uploads },
    {
      name: "archivetool_http_responses_total",
      help: "Answers by class of status.",
      type: "counter",
      values: answered,
    },
    gauge("archivetool_queue_length", "Uploads that wait for their extraction.", await queue.queueLength()),
    gauge("archivetool_running_jobs", "Extractions that run.", queue.runningCount()),
    gauge("archivetool_event_streams", "Clients of /agent-stream.", gauges.streamCount()),
    gauge("archivetool_open_archives", "Archives open for reading.", gauges.openArchiveCount()),
    gauge("archivetool_disk_free_bytes", "Free space of the data directory.", await freeBytes(directory.root)),
    gauge(
      "archivetool_resident_memory_bytes",
      "Resident memory of the service; jobs run in processes of their own.",
      process.memoryUsage.rss(),
    ),
    gauge("archivetool_uptime_seconds", "Time since the start.", Math.round(gauges.uptimeMs() / 1000)),
  ];
}

function metricText({ name, help, type, values }: Metric): string {
  const samples = Array.from(values, ([labels, value]) => `${name}${labels === "" ? "" : `{${labels}}`} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.join("")}`;
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { DatabaseWatch } from "../store/contract/database-watch.ts";
import { isSearch } from "./audited-request.ts";

/** A value with labels. Labels are fixed words: no name of a file, person or upload. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric computed when it is read. */
export interface Figure {
  readonly name: string;
  readonly help: string;
  readonly type: "gauge" | "counter";
  readonly samples: readonly Sample[];
}

/** Bounds of the latency histogram, in seconds: a word of a small archive to a costly query, which ends after 20 s. */
const LATENCY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** A metric with one value and no labels. */
export function figure(type: Figure["type"], name: string, help: string, value: number): Figure {
  return { type, name, help, samples: [{ labels: {}, value }] };
}

/** The figures that every server has. */
export function processFigures(uptimeMs: number, watch: DatabaseWatch | null): readonly Figure[] {
  const memory = process.memoryUsage.rss();
  const isUp = watch?.isReachable === true ? 1 : 0;
  return [
    ...(watch === null
      ? []
      : [figure("gauge", "archivetool_database_up", "1 if the database is reachable, else 0.", isUp)]),
    figure("gauge", "archivetool_resident_memory_bytes", "Resident memory of the server process.", memory),
    figure("gauge", "archivetool_uptime_seconds", "Time since the server started.", Math.round(uptimeMs / 1000)),
  ];
}

/** The metrics of a server in the text format of Prometheus. For requests, only the duration is measured. */
export class ServerMetrics {
  private readonly durations = new Histogram({
    name: "archivetool_request_duration_seconds",
    help: "Request duration by kind (search or other) and status class.",
    labelNames: ["kind", "class"],
    buckets: LATENCY_SECONDS,
    registers: [],
  });

  constructor(app: FastifyInstance) {
    app.addHook("onResponse", async (request, reply) => this.observe(request, reply));
  }

  private observe(request: FastifyRequest, { statusCode, elapsedTime }: FastifyReply): void {
    const kind = isSearch(request) ? "search" : "other";
    this.durations.observe({ kind, class: `${Math.floor(statusCode / 100)}xx` }, elapsedTime / 1000);
  }

  async send(reply: FastifyReply, figures: readonly Figure[]): Promise<FastifyReply> {
    const registry = new Registry();
    for (const { type, name, help, samples } of figures) {
      const labelNames = Object.keys(samples[0]?.labels ?? {});
      const options = { name, help, labelNames, registers: [registry] };
      const metric = type === "gauge" ? new Gauge(options) : new Counter(options);
      for (const { labels, value } of samples) metric.inc(labels, value);
    }
    registry.registerMetric(this.durations);
    return reply
      .header("cache-control", "no-store")
      .type(registry.contentType)
      .send(await registry.metrics());
  }
}

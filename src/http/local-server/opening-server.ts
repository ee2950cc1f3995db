import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { jsonLine } from "../../document/json-line.ts";
import type { ErrorCode } from "../../errors.ts";
import type { ExtractionEvent } from "../../extraction/extraction-event.ts";
import type { LoggedEvent } from "../../mail/uploads.ts";
import { addressOf, LOCAL_ARCHIVE } from "../../web/shell/addresses.ts";
import { checkHostHeader } from "../host-check.ts";
import { createHttpServer } from "../http-server.ts";
import { SECURITY_HEADERS } from "../security-headers.ts";
import { noSuchRoute } from "../unknown-route.ts";
import { phaseEventWire } from "../upload-service/base/wire-uploads.ts";
import { PhaseReporter } from "../upload-service/jobs/phase-reporter.ts";
import { type EventFeed, openEventStream, StreamClient } from "../upload-service/routes/stream-client.ts";
import { mountWeb } from "../web/mount-web.ts";
import { localError } from "./local-server.ts";
import type { OpeningWire } from "./wire.ts";

/**
 * The server of `open`: shows the progress of an extraction, then passes every request to the server of the archive.
 */
interface OpeningServer {
  /** The HTTP server. */
  readonly app: FastifyInstance;
  /** Sends an extraction event to the open pages. */
  show(event: ExtractionEvent): void;
  /** Serves the archive from now on. Its server is closed with this one. */
  serve(archive: FastifyInstance): Promise<void>;
  /** Shows the error on the page. */
  fail(fault: { readonly code: ErrorCode; readonly message: string }): Promise<void>;
}

/** @param name of the archive @param host the address that is listened on */
export async function createOpeningServer(
  { name, host }: { readonly name: string; readonly host: string },
  logger: FastifyBaseLogger | null,
): Promise<OpeningServer> {
  const app = await createHttpServer(logger, localError);
  const progress = new Progress();
  const reporter = new PhaseReporter(
    (phase) => progress.add("phase", jsonLine(phaseEventWire(LOCAL_ARCHIVE, phase, Date.now()))),
    () => performance.now(),
  );
  const end = (state: OpeningWire): void => progress.add("upload", jsonLine(state));
  let archive: FastifyInstance | null = null;
  app.addHook("onRequest", async (request, reply) => {
    if (archive !== null) {
      reply.hijack();
      archive.routing(request.raw, reply.raw);
      return reply;
    }
    reply.headers(SECURITY_HEADERS);
    checkHostHeader(request.headers.host, host, { localAddress: request.socket.localAddress, names: [] });
    return undefined;
  });
  app.setNotFoundHandler((request) => {
    throw noSuchRoute(request, () => false);
  });
  for (const path of ["/", "/a/*"]) app.get(path, (_request, reply) => reply.redirect(addressOf("opening", {})));
  const readers = new Set<StreamClient>();
  app.addHook("preClose", async () => {
    for (const reader of readers) reader.end();
  });
  app.addHook("onClose", () => archive?.close());
  app.route({
    method: "GET",
    url: "/agent-stream",
    exposeHeadRoute: false,
    handler: async (_request, reply) => {
      const output = openEventStream(reply);
      const reader = new StreamClient(progress, output, { sequence: 0, uploadId: null });
      readers.add(reader);
      output.once("close", () => readers.delete(reader));
    },
  });
  mountWeb(app, {
    server: "opening",
    basePath: "",
    needsToken: async () => false,
    hasNotebook: false,
    firstAnswers: () => [],
    intake: null,
    archiveOf: async () => ({ id: LOCAL_ARCHIVE, name }),
  });
  return {
    app,
    show: (event) => reporter.show(event),
    async serve(opened) {
      await opened.ready();
      archive = opened;
      end({ status: "completed", error: null });
    },
    async fail(error) {
      end({ status: "failed", error });
      // Readers write in a later turn of the event loop, and the server is closed next.
      await new Promise((settle) => setImmediate(settle));
    },
  };
}

/** The events of one extraction. A new event of a kind replaces the earlier one. */
class Progress implements EventFeed {
  private readonly listeners = new Set<(event: LoggedEvent) => void>();
  private events: readonly LoggedEvent[] = [];
  private sequence = 0;

  add(event: LoggedEvent["event"], data: string): void {
    const added = { sequence: ++this.sequence, uploadId: LOCAL_ARCHIVE, event, data };
    this.events = [...this.events.filter((known) => known.event !== event), added];
    for (const listener of this.listeners) listener(added);
  }

  idOf(sequence: number): string {
    return String(sequence);
  }

  async eventsAfter(sequence: number): Promise<readonly LoggedEvent[]> {
    return this.events.filter((event) => event.sequence > sequence);
  }

  subscribe(listener: (event: LoggedEvent) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}

import type { FastifyInstance, FastifyRequest } from "fastify";
import { ArchiveError } from "../../../errors.ts";
import { queryOf } from "../../checked-request.ts";
import { formatText } from "../../format-value.ts";
import { streamParameters } from "../base/wire.ts";
import type { Service } from "../service/service.ts";
import type { ServiceView, ViewSource } from "../service/service-view.ts";
import { eventFrame, openEventStream, StreamClient } from "./stream-client.ts";
import { type EventIds, eventIds, visibleEvents } from "./visible-events.ts";

/**
 * Adds `GET /agent-stream`, the server-sent events of all extractions (HTML Standard, section 9.2). Returns the
 * listening clients.
 */
export function addAgentStream(app: FastifyInstance, service: Service, views: ViewSource): ReadonlySet<StreamClient> {
  const readers = new Set<StreamClient>();
  const { catalog, events } = service;
  app.addHook("preClose", async () => {
    for (const reader of [...readers]) reader.end();
  });
  app.route({
    method: "GET",
    url: "/agent-stream",
    // The response to HEAD would never end.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const parameters = queryOf(streamParameters, request);
      const uploadId = parameters.upload_id || null;
      const view = views.of(request);
      const ids = eventIds(service, view);
      if (uploadId !== null) await requireKnown(service, view, uploadId);
      // Runs before the stream opens: later errors cannot be sent.
      const resumed = await resumePoint(request, ids, service);
      const sequence = resumed ?? (await catalog.lastSequence());
      // Another service may write at the same time: later events are sent as they arrive.
      const seen = await view.seen();
      const state =
        resumed === null
          ? (await events.currentState(uploadId)).filter((event) => event.sequence <= sequence && seen(event.uploadId))
          : [];
      const output = openEventStream(reply);
      output.write(state.map((event) => eventFrame(event, ids.idOf(event.sequence))).join(""));
      const reader = new StreamClient(visibleEvents(service, view), output, { sequence, uploadId });
      readers.add(reader);
      output.once("close", () => readers.delete(reader));
    },
  });
  return readers;
}

/** A deleted upload is known while the log has events of it: its clients must receive how it ended. */
async function requireKnown({ catalog }: Service, view: ServiceView, uploadId: string): Promise<void> {
  const isKnown = async (): Promise<boolean> =>
    (await catalog.get(uploadId)) !== null || (await catalog.eventsAfter(0, 1, uploadId)).length > 0;
  if ((await view.sees(uploadId)) && (await isKnown())) return;
  throw new ArchiveError("NOT_FOUND", `Upload ${formatText(uploadId)} not found`);
}

/** Sequence after which to continue; null for a new client, or if the log does not reach back. */
async function resumePoint(request: FastifyRequest, ids: EventIds, { catalog }: Service): Promise<number | null> {
  const given = request.headers["last-event-id"];
  const sequence = typeof given === "string" ? ids.sequence(given) : null;
  if (sequence === null) return null;
  const isKept = sequence >= (await catalog.firstSequence()) - 1 && sequence <= (await catalog.lastSequence());
  return isKept ? sequence : null;
}

import { createCipheriv, createDecipheriv } from "node:crypto";
import type { LoggedEvent } from "../../../mail/uploads.ts";
import type { Service } from "../service/service.ts";
import type { ServiceView } from "../service/service-view.ts";
import type { EventFeed } from "./stream-client.ts";

/** Events read at a time while those of other owners are skipped. */
const READ_EVENTS = 500;
const CIPHER = "aes-256-ecb";
/** Block size of the cipher: a sequence, followed by the same number of zeros as a check. */
const BLOCK_BYTES = 16;

/** Converts sequences to event ids for a client, and back; null for an invalid id. */
export interface EventIds {
  idOf(sequence: number): string;
  sequence(id: string): number | null;
}

const PLAIN_IDS: EventIds = {
  idOf: String,
  sequence: (id) => (/^\d{1,15}$/.test(id) ? Number(id) : null),
};

/**
 * The event ids of a client of the log. Sequences count the events of all uploads, so a client that does not see all
 * uploads receives each encrypted as one block: gaps would reveal the activity of others.
 */
export function eventIds(service: Service, view: ServiceView): EventIds {
  if (view.caller.isOperator) return PLAIN_IDS;
  const key = Buffer.from(service.eventKey, "hex");
  return {
    idOf(sequence) {
      const block = Buffer.alloc(BLOCK_BYTES);
      block.writeBigUInt64BE(BigInt(sequence));
      return createCipheriv(CIPHER, key, null).setAutoPadding(false).update(block).toString("hex");
    },
    sequence(id) {
      if (!/^[\da-f]{32}$/.test(id)) return null;
      const block = createDecipheriv(CIPHER, key, null).setAutoPadding(false).update(Buffer.from(id, "hex"));
      const sequence = block.readBigUInt64BE(0);
      return block.readBigUInt64BE(8) === 0n && sequence <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(sequence) : null;
    },
  };
}

/**
 * The log filtered by a view. Grants are checked again for every page and every event. A revoked caller has no grants.
 */
export function visibleEvents(service: Service, view: ServiceView): EventFeed {
  const { idOf } = eventIds(service, view);
  const { catalog, events } = service;
  if (view.caller.isOperator)
    return {
      idOf,
      eventsAfter: (sequence, limit, uploadId) => catalog.eventsAfter(sequence, limit, uploadId),
      subscribe: (listener) => events.subscribe(listener),
    };
  // Events of other owners are not read again.
  let examined = 0;
  return {
    idOf,
    async eventsAfter(sequence, limit, uploadId) {
      const seen = await view.seen();
      const from = Math.max(sequence, examined);
      const found: LoggedEvent[] = [];
      for await (const event of loggedEvents(service, from, uploadId)) {
        if (found.length === limit) break;
        examined = event.sequence;
        if (seen(event.uploadId)) found.push(event);
      }
      return found;
    },
    subscribe: (listener) =>
      events.subscribe((event) => {
        void isSeen(view, event).then((seen) => {
          if (seen) listener(event);
        });
      }),
  };
}

/** Also true if the lookup fails: the client sees the error with its next page, or at its end. */
function isSeen(view: ServiceView, { uploadId }: LoggedEvent): Promise<boolean> {
  return view.sees(uploadId).catch(() => true);
}

/** Yields every event after a sequence, oldest first, read page by page. */
async function* loggedEvents(
  { catalog }: Service,
  sequence: number,
  uploadId: string | null,
): AsyncGenerator<LoggedEvent> {
  let last = sequence;
  for (;;) {
    const page = await catalog.eventsAfter(last, READ_EVENTS, uploadId);
    yield* page;
    last = page.at(-1)?.sequence ?? last;
    if (page.length < READ_EVENTS) return;
  }
}

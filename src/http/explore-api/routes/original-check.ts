import type { FastifyInstance } from "fastify";
import * as z from "zod";
import { ArchiveError } from "../../../errors.ts";
import type { ArchivedMessage } from "../../../mail/archive.ts";
import type { SourcesRead } from "../../../mail/records/provenance.ts";
import { queryOf } from "../../checked-request.ts";
import {
  type MessageParameters,
  type OriginalLender,
  type OriginalLoan,
  requireMessage,
} from "../../original-files.ts";
import { sendPrivate } from "../../private-answer.ts";
import { limit, offset } from "../../query-api/wire-requests.ts";
import { routerPath } from "../../route-row.ts";
import {
  type LostOriginalWire,
  ORIGINAL_STATES,
  type OriginalCheckWire,
  type OriginalPlacesWire,
  type OriginalPlaceWire,
} from "../wire/wire-originals.ts";

/** Paths below the explore API. */
export const ORIGINAL_CHECK_PATHS = ["/originals", "/messages/{message_id}/originals"] as const;

/** Maximum messages per response: clients show progress, and may stop between two responses. */
const MAX_CHECKED = 200;

const parameters = z.object({ limit: limit(MAX_CHECKED, MAX_CHECKED), offset });

/**
 * Adds the check of originals: compares every location of some messages with its recorded SHA-256. No content is
 * returned, and for a redacted archive not even availability.
 */
export function addOriginalCheck(scope: FastifyInstance, lend: OriginalLender): void {
  const [ofArchive, ofMessage] = ORIGINAL_CHECK_PATHS.map(routerPath);
  scope.get(ofArchive!, (request, reply) =>
    lend(request, async (loan) => {
      const asked = queryOf(parameters, request);
      return sendPrivate(reply, await checkOriginals(loan, asked));
    }),
  );
  scope.get(ofMessage!, (request, reply) =>
    lend(request, async (loan) => {
      const from = await sourcesOf(loan);
      const message = await requireMessage(loan.archive, (request.params as MessageParameters).message_id);
      return sendPrivate(reply, { places: await placesOf(loan, message, from) } satisfies OriginalPlacesWire);
    }),
  );
}

/** Returns the locations of originals. Throws ORIGINAL_WITHHELD for a redacted archive. */
async function sourcesOf({ archive }: OriginalLoan): Promise<SourcesRead> {
  const from = await archive.provenance();
  if (from.options.redact.length > 0)
    throw new ArchiveError("ORIGINAL_WITHHELD", "originals are withheld: the archive is redacted");
  return from;
}

async function checkOriginals(loan: OriginalLoan, page: z.infer<typeof parameters>): Promise<OriginalCheckWire> {
  const from = await sourcesOf(loan);
  const { items, total } = await loan.archive.messages.list("sent_at", page);
  const states = Object.fromEntries(ORIGINAL_STATES.map((state) => [state, 0])) as OriginalCheckWire["states"];
  const lost: LostOriginalWire[] = [];
  for (const message of await loan.archive.messages.getMany(items.map(({ id }) => id))) {
    for (const place of await placesOf(loan, message, from)) {
      states[place.state]++;
      const { state } = place;
      if (state !== "available") lost.push({ id: message.id, ...place, state });
    }
  }
  return { total, checked: items.length, states, lost };
}

/** States of all occurrences of a message. */
async function placesOf(
  { originals }: OriginalLoan,
  message: ArchivedMessage,
  { sources, options }: SourcesRead,
): Promise<readonly OriginalPlaceWire[]> {
  const places: OriginalPlaceWire[] = [];
  for (const { source, mailbox, location, sha256 } of message.occurrences) {
    const record = sources[source];
    if (record === undefined) continue;
    const place = { mailbox, location, sha256: sha256 ?? message.sha256, charset: options.charset ?? null };
    const { state } = await originals.read(
      { format: record.format, sourcePath: record.path, ...place },
      { kind: "none" },
    );
    places.push({ source, mailbox, location, state });
  }
  return places;
}

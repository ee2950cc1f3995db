import type { FastifyInstance } from "fastify";
import * as z from "zod";
import { ArchiveError } from "../../errors.ts";
import { formatInstant } from "../../mail/instant.ts";
import type { SourceRecord } from "../../mail/provenance.ts";
import { checkedParameters } from "../checked-request.ts";
import type { OriginalLender, OriginalLoan } from "../original-files.ts";
import { limit, offset } from "../query-api/wire-requests.ts";
import { type LostOriginalWire, ORIGINAL_STATES, type OriginalCheckWire } from "./wire-originals.ts";

/** Path below the explore API. */
export const ORIGINAL_CHECK_PATH = "/originals";

/** Messages of an answer at most: whoever asks tells how far it is, and may stop between two answers. */
const MAX_CHECKED = 200;

const parameters = z.object({ limit: limit(MAX_CHECKED, MAX_CHECKED), offset });

/**
 * Adds the check of originals: whether every place of some messages still holds what was read there, by the SHA-256 that
 * was taken then. Nothing of them is answered; a redacted archive does not even say whether they are there.
 */
export function addOriginalCheck(scope: FastifyInstance, lend: OriginalLender): void {
  scope.get(ORIGINAL_CHECK_PATH, (request, reply) =>
    lend(request, async (loan) => {
      const asked = checkedParameters(parameters, request.query as Readonly<Record<string, unknown>>);
      return reply
        .header("cache-control", "private, no-store")
        .type("application/json; charset=utf-8")
        .send(
          JSON.stringify({
            status: "ok",
            data: await checkOriginals(loan, asked),
            timestamp: formatInstant(Date.now()),
          }),
        );
    }),
  );
}

async function checkOriginals(loan: OriginalLoan, page: z.infer<typeof parameters>): Promise<OriginalCheckWire> {
  const { sources, options } = await loan.archive.provenance();
  if (options.redact.length > 0)
    throw new ArchiveError("ORIGINAL_WITHHELD", "originals are withheld: the archive is redacted");
  const { items, total } = await loan.archive.messages.list("sent_at", page);
  const states = Object.fromEntries(ORIGINAL_STATES.map((state) => [state, 0])) as OriginalCheckWire["states"];
  const lost: LostOriginalWire[] = [];
  for (const message of await loan.archive.messages.getMany(items.map(({ id }) => id))) {
    for (const place of message.occurrences) {
      const record = sources[place.source];
      if (record === undefined) continue;
      const state = await stateOf(loan, record, { ...place, sha256: place.sha256 ?? message.sha256 });
      states[state]++;
      const { source, mailbox, location } = place;
      if (state !== "available") lost.push({ id: message.id, source, mailbox, location, state });
    }
  }
  return { total, checked: items.length, states, lost };
}

async function stateOf(
  { originals }: OriginalLoan,
  { format, path }: SourceRecord,
  { mailbox, location, sha256 }: { readonly mailbox: string; readonly location: string; readonly sha256: string },
): Promise<(typeof ORIGINAL_STATES)[number]> {
  const { state } = await originals.read({ format, sourcePath: path, mailbox, location, sha256 }, { kind: "none" });
  return state;
}

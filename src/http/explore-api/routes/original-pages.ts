import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod";
import { ArchiveError } from "../../../errors.ts";
import type { ArchivedMessage } from "../../../mail/archive.ts";
import { checkedValue, jsonBody, queryOf } from "../../checked-request.ts";
import { requireSameOrigin } from "../../host-check.ts";
import { type MessageParameters, type OriginalLender, readOriginal, requireMessage } from "../../original-files.ts";
import { offset } from "../../query-api/wire-requests.ts";
import { routerPath } from "../../route-row.ts";

/** Paths below the explore API whose responses are not JSON. */
export const ORIGINAL_PAGE_PATHS = ["/messages/{message_id}/html", "/messages/{message_id}/source"] as const;

/** Path for the password of protected sources. */
const PASSWORD_PATH = "/originals/password";

/**
 * Security policy for the HTML of a mail: no scripts, no requests except for its own images, no forms. Without
 * `allow-same-origin`, images would be blocked and the height could not be measured; scripts are never allowed.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox",
].join("; ");

/** Maximum bytes of a message source per response. */
const SOURCE_PIECE_BYTES = 1 << 20;

/** Maximum characters of a password. */
const MAX_PASSWORD = 1000;

const passwordBody = z.strictObject({ password: z.string().min(1).max(MAX_PASSWORD) });

const sourceParameters = z.object({ offset });

/** Adds pages of originals: the HTML of a message as a separate page, and its source as text. */
export function addOriginalPages(scope: FastifyInstance, lend: OriginalLender): void {
  const [html, source] = ORIGINAL_PAGE_PATHS.map(routerPath);
  scope.get(html!, (request, reply) =>
    lend(request, async (loan) => {
      const message = await requireMessage(loan.archive, (request.params as MessageParameters).message_id);
      const { bytes } = await readOriginal(loan, message, { kind: "page", files: filesOf(message) });
      if (bytes.length === 0)
        throw new ArchiveError("NOT_FOUND", `${message.id} has no HTML or exceeds the size limit: read its text`);
      return sendText(reply, bytes, "text/html", PAGE_POLICY);
    }),
  );
  scope.post(PASSWORD_PATH, (request, reply) =>
    lend(request, async ({ originals }) => {
      const { origin, host } = request.headers;
      requireSameOrigin(origin ?? "no origin", host, "enter it on a page of this server");
      const body = jsonBody(request.body, request.headers["content-type"]);
      originals.unlock(checkedValue(passwordBody, body, "body").password);
      return reply.code(204).header("cache-control", "no-store").send();
    }),
  );
  scope.get(source!, (request, reply) =>
    lend(request, async (loan) => {
      const message = await requireMessage(loan.archive, (request.params as MessageParameters).message_id);
      const parameters = queryOf(sourceParameters, request);
      const { bytes } = await readOriginal(loan, message, { kind: "message" });
      reply.header("x-archivetool-source-bytes", String(bytes.length));
      const piece = bytes.subarray(parameters.offset, parameters.offset + SOURCE_PIECE_BYTES);
      return sendText(reply, piece, "text/plain", "default-src 'none'; sandbox");
    }),
  );
}

/** Images of a mail by name, served like attachments, two path levels up. */
function filesOf({ id, attachments }: ArchivedMessage): readonly (readonly [string, string])[] {
  return attachments.flatMap(({ contentId }, index) =>
    contentId === null ? [] : [[contentId, `../../../messages/${id}/attachments/${index + 1}`] as const],
  );
}

function sendText(reply: FastifyReply, bytes: Buffer, type: string, policy: string): FastifyReply {
  return reply
    .header("content-security-policy", policy)
    .header("cache-control", "private, no-store")
    .type(`${type}; charset=utf-8`)
    .send(bytes);
}

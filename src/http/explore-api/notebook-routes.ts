import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { requiredDate } from "../../document/published-values.ts";
import type { Archive } from "../../mail/archive.ts";
import { formatInstant } from "../../mail/instant.ts";
import { NOTEBOOK_KINDS, type NotebookEntry } from "../../mail/notebook.ts";
import type { ArchiveLocation } from "../../store/archive-location.ts";
import { notebookEntries, withNotebook } from "../../store/open-notebook.ts";
import { checkedParameters, checkedValue, jsonBody } from "../checked-request.ts";
import { requireSameOrigin } from "../host-check.ts";
import { filter, limit, offset } from "../query-api/wire-requests.ts";
import { idOf, keyOf } from "./notebook-keys.ts";
import { oneOf } from "./table-parameters.ts";
import {
  type CarriedWire,
  carriedSchema,
  changeBody,
  type EntryWire,
  type MarkWire,
  NOTEBOOK_FORMAT,
  type NotebookWire,
  VALUE_SCHEMAS,
} from "./wire-notebook.ts";

/** An archive, and where it and its notebook lie. */
export interface NotebookLoan {
  readonly archive: Archive;
  readonly location: ArchiveLocation;
}

export type NotebookLender = <T>(request: FastifyRequest, use: (loan: NotebookLoan) => Promise<T>) => Promise<T>;

const listParameters = z.object({
  kind: oneOf(NOTEBOOK_KINDS, "entries of this kind only"),
  tag: filter("entries with this tag only"),
  limit: limit(200),
  offset,
});

/** Adds the notebook of an archive: what is written in it needs the page's own origin. */
export function addNotebook(scope: FastifyInstance, lend: NotebookLender): void {
  const send = (reply: FastifyReply, data: object): FastifyReply =>
    reply
      .header("cache-control", "private, no-store")
      .type("application/json; charset=utf-8")
      .send(JSON.stringify({ status: "ok", data, timestamp: formatInstant(Date.now()) }));

  scope.get("/notebook", (request, reply) =>
    lend(request, async (loan) => {
      const parameters = checkedParameters(listParameters, request.query as Readonly<Record<string, unknown>>);
      return send(reply, await listed(loan, parameters));
    }),
  );
  scope.post("/notebook/entries", (request, reply) =>
    lend(request, async ({ archive, location }) => {
      const { kind, id, revision, value } = checkedValue(changeBody, writtenBody(request), "body");
      const key = await keyOf(archive, kind, id);
      const checked = value === null ? null : JSON.stringify(checkedValue(VALUE_SCHEMAS[kind], value, "value"));
      const change = { kind, key, revision, value: checked, updatedAt: Date.now() };
      const entry = withNotebook(location, (notebook) => notebook.write(change));
      return send(reply, { entry: entry === null ? null : entryWire(entry, id) });
    }),
  );
  scope.get("/notebook/export", (request, reply) =>
    lend(request, async ({ location }) => {
      reply.header("content-disposition", 'attachment; filename="notebook.json"');
      return reply.type("application/json; charset=utf-8").send(JSON.stringify(carried(notebookEntries(location))));
    }),
  );
  scope.post("/notebook/import", (request, reply) =>
    lend(request, async ({ location }) => {
      const { entries } = checkedValue(carriedSchema, writtenBody(request), "body");
      const taken = entries.map(({ kind, key, value, updated_at }) => ({
        kind,
        key,
        value: JSON.stringify(checkedValue(VALUE_SCHEMAS[kind], value, `value of ${kind}`)),
        updatedAt: Date.parse(updated_at),
      }));
      return send(
        reply,
        withNotebook(location, (notebook) => notebook.merge(taken)),
      );
    }),
  );
}

/** A page says where it is from; what says nothing of it is no page of ours. */
function writtenBody(request: FastifyRequest): unknown {
  const { origin, host } = request.headers;
  requireSameOrigin(origin ?? "nowhere", host, "write from a page of this server");
  return jsonBody(request.body, request.headers["content-type"]);
}

async function listed(
  { archive, location }: NotebookLoan,
  { kind, tag, limit: most, offset: from }: z.infer<typeof listParameters>,
): Promise<NotebookWire> {
  const all = notebookEntries(location);
  const counts = new Map<string, number>();
  for (const name of all.flatMap(tagsOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const found = all.filter(
    (entry) => (kind === undefined || entry.kind === kind) && (!tag || tagsOf(entry).includes(tag)),
  );
  const entries: EntryWire[] = [];
  for (const entry of found.slice(from, from + most))
    entries.push(entryWire(entry, await idOf(archive, entry.kind, entry.key)));
  const tags = Array.from(counts, ([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count);
  return { total: found.length, tags, entries };
}

function tagsOf({ kind, value }: NotebookEntry): readonly string[] {
  return kind === "search" || kind === "tag" ? [] : (JSON.parse(value) as MarkWire).tags;
}

function entryWire({ kind, revision, value, updatedAt }: NotebookEntry, id: string | null): EntryWire {
  return { kind, id, revision, value: JSON.parse(value), updated_at: requiredDate(updatedAt) };
}

function carried(entries: readonly NotebookEntry[]): CarriedWire {
  return {
    format: NOTEBOOK_FORMAT,
    version: 1,
    entries: entries.map(({ kind, key, value, updatedAt }) => ({
      kind,
      key,
      value: JSON.parse(value),
      updated_at: requiredDate(updatedAt),
    })),
  };
}

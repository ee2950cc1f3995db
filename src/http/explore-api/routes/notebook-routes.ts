import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod";
import { requiredDate } from "../../../document/published-values.ts";
import type { Archive } from "../../../mail/archive.ts";
import { NOTEBOOK_KINDS, type NotebookEntry } from "../../../mail/notebook.ts";
import { parseTags, type TagSpelling, tagSpelling, uniqueTags } from "../../../mail/tag-spellings.ts";
import { foldKey } from "../../../mail/words/fold-key.ts";
import type { StoredNotebook } from "../../../store/contract/notebook-location.ts";
import { checkedValue, jsonBody, queryOf } from "../../checked-request.ts";
import { requireSameOrigin } from "../../host-check.ts";
import { sendPrivate } from "../../private-answer.ts";
import { filter, limit, mustBe, offset } from "../../query-api/wire-requests.ts";
import { idOf, keyOf, keysOf, labelOf } from "../setting/notebook-keys.ts";
import { oneOf } from "../setting/table-parameters.ts";
import {
  type CarriedWire,
  carriedSchema,
  changeBody,
  type EntryWire,
  type ListedEntryWire,
  MARKED_KINDS,
  MAX_TAGS,
  type MarksWire,
  type MarkWire,
  NOTEBOOK_FORMAT,
  type NotebookWire,
  type TaggingWire,
  taggingBody,
  VALUE_SCHEMAS,
} from "../wire/wire-notebook.ts";

/** An archive, and its notebook. */
export interface NotebookLoan {
  readonly archive: Archive;
  readonly notebook: Pick<StoredNotebook, "entries" | "write">;
  /** The writer, recorded with each entry. */
  readonly author: string;
}

type NotebookLender = <T>(request: FastifyRequest, use: (loan: NotebookLoan) => Promise<T>) => Promise<T>;

/** Selects all kinds with tags and notes. */
const MARKED = "marked";

const listParameters = z.object({
  kind: oneOf([...NOTEBOOK_KINDS, MARKED], "only entries of this kind; `marked` for everything with tags or notes"),
  tag: filter("only entries with this tag"),
  limit: limit(200),
  offset,
});

/** Maximum marks per request: those of a page of results. */
const MAX_MARKED = 200;

const markParameters = z.object({
  kind: z.enum(MARKED_KINDS, { error: mustBe(`one of ${MARKED_KINDS.join(", ")}`) }),
  ids: z
    .string({ error: mustBe("comma-separated ids") })
    .refine((text) => text.split(",").length <= MAX_MARKED, { error: mustBe(`at most ${MAX_MARKED} ids`) }),
});

/** Adds the notebook of an archive: writing requires the page's own origin. */
export function addNotebook(scope: FastifyInstance, lend: NotebookLender): void {
  scope.get("/notebook", (request, reply) =>
    lend(request, async (loan) => {
      const parameters = queryOf(listParameters, request);
      return sendPrivate(reply, await listed(loan, parameters));
    }),
  );
  scope.get("/notebook/marks", (request, reply) =>
    lend(request, async (loan) => {
      const parameters = queryOf(markParameters, request);
      return sendPrivate(reply, await marksOf(loan, parameters));
    }),
  );
  scope.post("/notebook/entries", (request, reply) =>
    lend(request, async ({ archive, notebook, author }) => {
      const { kind, id, revision, value } = checkedValue(changeBody, writtenBody(request), "body");
      const spelling = tagSpelling(await notebook.entries());
      const key = await keyOf(archive, kind, kind === "tag" ? spelling(id) : id);
      const checked = value === null ? null : JSON.stringify(checkedValue(VALUE_SCHEMAS[kind], value, "value"));
      const change = { kind, key, revision, value: checked, updatedAt: Date.now(), author };
      const entry = await notebook.write((opened) => opened.write(change));
      return sendPrivate(reply, { entry: entry === null ? null : entryWire(entry, id, spelling) });
    }),
  );
  scope.post("/notebook/tags", (request, reply) =>
    lend(request, async ({ archive, notebook, author }) => {
      const tagging = checkedValue(taggingBody, writtenBody(request), "body");
      const keys = await taggedKeys(archive, tagging);
      const spelling = tagSpelling(await notebook.entries());
      const change = {
        updatedAt: Date.now(),
        author,
        edited: (value: string | null) => withTag(value, spelling(tagging.tag), tagging.is_set),
      };
      return sendPrivate(reply, { changed: await notebook.write((opened) => opened.edit(tagging.kind, keys, change)) });
    }),
  );
  scope.get("/notebook/export", (request, reply) =>
    lend(request, async ({ notebook }) => {
      reply.header("content-disposition", 'attachment; filename="notebook.json"');
      return reply.type("application/json; charset=utf-8").send(JSON.stringify(carried(await notebook.entries())));
    }),
  );
  scope.post("/notebook/import", (request, reply) =>
    lend(request, async ({ notebook, author }) => {
      const { entries } = checkedValue(carriedSchema, writtenBody(request), "body");
      const taken = entries.map(({ kind, key, value, updated_at }) => ({
        kind,
        key,
        value: JSON.stringify(checkedValue(VALUE_SCHEMAS[kind], value, `value of ${kind}`)),
        updatedAt: Date.parse(updated_at),
        // The importer is the author: authors in a file are not trusted.
        author,
      }));
      return sendPrivate(reply, await notebook.write((opened) => opened.merge(taken)));
    }),
  );
}

/** Requires an Origin header, which every browser sends. */
export function writtenBody(request: FastifyRequest): unknown {
  const { origin, host } = request.headers;
  requireSameOrigin(origin ?? "no origin", host, "send the request from a page of this server");
  return jsonBody(request.body, request.headers["content-type"]);
}

async function listed(
  { archive, notebook }: NotebookLoan,
  { kind, tag, limit: most, offset: from }: z.infer<typeof listParameters>,
): Promise<NotebookWire> {
  const all = await notebook.entries();
  const spelling = tagSpelling(all);
  const tagsOf = (entry: NotebookEntry): readonly string[] => uniqueTags(parseTags(entry), spelling);
  const counts = new Map<string, number>();
  for (const name of all.flatMap(tagsOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const found = all
    .filter((entry) => isOfKind(entry, kind) && (!tag || tagsOf(entry).includes(spelling(tag))))
    .filter((entry) => entry.kind !== "tag" || spelling(entry.key) === entry.key);
  const entries: ListedEntryWire[] = [];
  for (const entry of found.slice(from, from + most)) {
    const id = await idOf(archive, entry.kind, entry.key);
    entries.push({
      ...entryWire(entry, id, spelling),
      label: id === null ? "" : await labelOf(archive, entry.kind, id),
    });
  }
  const tags = Array.from(counts, ([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count);
  return { total: found.length, tags, entries };
}

function isOfKind({ kind }: NotebookEntry, asked: string | undefined): boolean {
  return asked === undefined || asked === kind || (asked === MARKED && kind !== "search" && kind !== "tag");
}

/** The marks of entities on a page; unmarked ones are omitted. */
async function marksOf(
  { archive, notebook }: NotebookLoan,
  { kind, ids }: z.infer<typeof markParameters>,
): Promise<MarksWire> {
  const all = await notebook.entries();
  const spelling = tagSpelling(all);
  const known = new Map(all.filter((entry) => entry.kind === kind).map((entry) => [entry.key, entry]));
  const keys = known.size === 0 ? new Map<string, string>() : await keysOf(archive, kind, ids.split(","));
  const marks = Array.from(keys, ([id, key]) => {
    const entry = known.get(key);
    return entry === undefined ? [] : [{ id, revision: entry.revision, value: markWire(entry.value, spelling) }];
  });
  return { marks: marks.flat() };
}

/** Messages whose keys are read at a time; texts are read with them. */
const KEYS_AT_ONCE = 200;

async function taggedKeys(archive: Archive, tagging: TaggingWire): Promise<readonly string[]> {
  const ids = "ids" in tagging ? tagging.ids : await archive.search.matching(tagging.q, {}, tagging.match);
  const keys: string[] = [];
  for (let at = 0; at < ids.length; at += KEYS_AT_ONCE)
    keys.push(...(await keysOf(archive, tagging.kind, ids.slice(at, at + KEYS_AT_ONCE))).values());
  return keys;
}

/** Adds or removes a tag of a mark. Returns null if the mark becomes empty. */
function withTag(value: string | null, tag: string, isSet: boolean): string | null {
  const mark: MarkWire = value === null ? { tags: [], note: "", review: "open" } : (JSON.parse(value) as MarkWire);
  const others = mark.tags.filter((name) => foldKey(name) !== foldKey(tag));
  if (others.length < mark.tags.length === isSet) return value;
  const tags = isSet ? [...others, tag].slice(-MAX_TAGS) : others;
  return tags.length === 0 && mark.note === "" && mark.review === "open" ? null : JSON.stringify({ ...mark, tags });
}

/** Returns a mark with its tags in their shared spelling. */
function markWire(value: string, spelling: TagSpelling): MarkWire {
  const mark = JSON.parse(value) as MarkWire;
  return { ...mark, tags: uniqueTags(mark.tags, spelling) };
}

function entryWire(
  { kind, revision, value, updatedAt, author }: NotebookEntry,
  id: string | null,
  spelling: TagSpelling,
): EntryWire {
  const wireValue = kind === "search" || kind === "tag" ? JSON.parse(value) : markWire(value, spelling);
  return { kind, id, revision, value: wireValue, updated_at: requiredDate(updatedAt), author };
}

function carried(entries: readonly NotebookEntry[]): CarriedWire {
  return {
    format: NOTEBOOK_FORMAT,
    version: 1,
    entries: entries.map(({ kind, key, value, updatedAt, author }) => ({
      kind,
      key,
      value: JSON.parse(value),
      updated_at: requiredDate(updatedAt),
      author,
    })),
  };
}

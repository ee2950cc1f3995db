import * as z from "zod";
import { ArchiveError } from "../../errors.ts";
import { type Archive, CONTACT_SORTS, MESSAGE_SORTS, TOPIC_SORTS } from "../../mail/archive.ts";
import {
  CONVERSATION_SORTS,
  EXPLORED_SORTS,
  FACETS,
  FILE_SORTS,
  RANKED_MATCHES,
  REPEAT_MODES,
  TIMELINE_UNITS,
  WORD_MATCHES,
} from "../../mail/exploration.ts";
import { RECORD_SORTS } from "../../mail/located-records.ts";
import { ATTACHMENT_TYPES } from "../../mail/records/attachment-types.ts";
import { ITEM_KINDS } from "../../mail/records/item.ts";
import { MENTION_KINDS } from "../../mail/records/mention.ts";

type Method = (...values: readonly unknown[]) => unknown;
type ReaderName = { [Name in keyof Archive]: Archive[Name] extends Method ? never : Name }[keyof Archive];
/** Argument types of each method, in order. */
type ReaderArguments<Reader> = { readonly [Name in keyof Reader]: readonly z.ZodType[] };

const count = z.int().min(0);
const instant = z.int();
const ids = z.array(z.string());
const page = { limit: count, offset: count };
const explored = { query: z.string(), match: z.enum(WORD_MATCHES) };
const record = {
  ...explored,
  ...page,
  sort: z.enum(RECORD_SORTS),
  after: instant.nullable(),
  before: instant.nullable(),
};
const searchFilter = z
  .strictObject({
    from: z.string().optional(),
    topicId: z.string().optional(),
    after: instant.optional(),
    before: instant.optional(),
  })
  .optional();
const messageFilter = z
  .strictObject({ from: z.string().optional(), threadId: z.string().optional(), topicId: z.string().optional() })
  .optional();

const ARGUMENTS: { readonly [Name in ReaderName]: ReaderArguments<Archive[Name]> } = {
  contacts: {
    list: [z.enum(CONTACT_SORTS), z.strictObject(page), z.string().optional()],
    get: [z.string()],
    ofAddresses: [ids],
    scan: [],
    edges: [],
  },
  messages: {
    list: [z.enum(MESSAGE_SORTS), z.strictObject(page), messageFilter],
    get: [z.string()],
    fileTexts: [z.string()],
    getMany: [ids],
    ofMessageIds: [ids],
    scan: [z.strictObject({ first: count, last: count }).optional()],
    headings: [],
    mailboxes: [],
    timeline: [],
  },
  threads: { list: [z.strictObject(page)], get: [z.string()], messages: [z.string()], scan: [], summaries: [] },
  topics: { list: [z.enum(TOPIC_SORTS), count], get: [z.string()] },
  events: { get: [z.string()], scan: [], page: [z.strictObject(record)] },
  items: {
    get: [z.string()],
    scan: [],
    page: [z.strictObject({ ...record, kind: z.enum(ITEM_KINDS).nullable() })],
  },
  search: {
    search: [z.string(), count, searchFilter, z.enum(RANKED_MATCHES).optional()],
    matching: [z.string(), searchFilter, z.enum(WORD_MATCHES).optional()],
  },
  explore: {
    page: [z.strictObject({ ...explored, ...page, repeats: z.enum(REPEAT_MODES), sort: z.enum(EXPLORED_SORTS) })],
    facets: [z.strictObject({ ...explored, of: z.array(z.enum(FACETS)), limit: count, search: z.string().optional() })],
    timeline: [
      z.strictObject({ ...explored, by: z.enum([...TIMELINE_UNITS, "auto"]), stack: z.enum(FACETS).optional() }),
    ],
    hits: [z.array(z.strictObject(explored))],
    attachmentCounts: [],
    mentions: [z.enum(MENTION_KINDS)],
    conversations: [z.strictObject({ ...explored, ...page, sort: z.enum(CONVERSATION_SORTS) })],
    files: [
      z.strictObject({
        ...explored,
        ...page,
        search: z.string(),
        type: z.enum(ATTACHMENT_TYPES).nullable(),
        sort: z.enum(FILE_SORTS),
      }),
    ],
  },
};

/**
 * The same archive with argument checks for untyped programs, so that an invalid argument is not reported as a fault
 * of the file. Methods throw INVALID_ARGUMENT.
 */
export function checkedArchive(archive: Archive): Archive {
  const own = archive as unknown as Readonly<Record<string, Readonly<Record<string, Method>>>>;
  const readers = Object.entries(ARGUMENTS).map(([name, methods]) => {
    const reader = own[name]!;
    const checked = Object.entries<readonly z.ZodType[]>(methods).map(([method, types]) => {
      const call = (...values: readonly unknown[]): unknown => reader[method]!(...values);
      return [method, checkedMethod(call, types, `${name}.${method}`)] as const;
    });
    return [name, Object.fromEntries(checked)] as const;
  });
  return { ...archive, ...(Object.fromEntries(readers) as unknown as Pick<Archive, ReaderName>) };
}

/** Invalid arguments reject the promise of a method, or the first step of `scan`. */
function checkedMethod(method: Method, types: readonly z.ZodType[], name: string): Method {
  if (types.length === 0) return method;
  if (name.endsWith(".scan"))
    return async function* (...values) {
      checkArguments(types, values, name);
      yield* method(...values) as AsyncIterable<unknown>;
    };
  return async (...values) => {
    checkArguments(types, values, name);
    return method(...values);
  };
}

function checkArguments(types: readonly z.ZodType[], values: readonly unknown[], name: string): void {
  const fault = argumentFault(types, values);
  if (fault === null) return;
  throw new ArchiveError("INVALID_ARGUMENT", `invalid argument to archive.${name}: ${fault}`, {
    hint: "see the type definitions of the package",
  });
}

/** Returns the first invalid argument, such as `limit (argument 2): expected number`, or null. */
function argumentFault(types: readonly z.ZodType[], values: readonly unknown[]): string | null {
  for (const [at, type] of types.entries()) {
    const [issue] = type.safeParse(values[at]).error?.issues ?? [];
    if (issue !== undefined) return [`argument ${at + 1}`, ...issue.path.map(String), issue.message].join(": ");
  }
  return null;
}

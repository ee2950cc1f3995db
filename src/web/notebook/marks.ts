import { type Signal, signal } from "@preact/signals";
import type {
  EntryWire,
  MarksWire,
  MarkWire,
  NotebookWire,
  SavedSearchWire,
  TaggingWire,
  TagWire,
} from "../../http/explore-api/wire/wire-notebook.ts";
import { foldKey } from "../../mail/words/fold-key.ts";
import type { Answers } from "../shell/answers.ts";
import { Fault } from "../shell/fault.ts";

/** Kinds of entities with tags and notes. */
export type MarkedKind = "message" | "thread" | "person" | "topic";

/** A mark from the server; revision 0 if nothing is marked. */
export interface Mark extends MarkWire {
  readonly revision: number;
}

/** A tag that is set on something or has a color. */
export interface Tag extends TagWire {
  readonly name: string;
  /** Number of tagged entities. */
  readonly count: number;
  /** 0 for a tag without its own entry. */
  readonly revision: number;
}

export const NO_MARK: Mark = { tags: [], note: "", review: "open", revision: 0 };

/** Milliseconds during which records scrolled into view are collected for one request. */
const GATHER_MS = 20;
/** Maximum ids per request. */
const MAX_IDS = 200;
/** Entries per page of the notebook. */
const MAX_ENTRIES = 1000;
/** Tags whose keys are 1 to 9. */
const MAX_DIGIT = 9;

/** Distinguishable on light and dark backgrounds and with color blindness: each tag is also written out. */
const TAG_COLORS = [
  "#3b74d1",
  "#c4572a",
  "#2f8f5b",
  "#9a4fb5",
  "#b8860b",
  "#c23b6b",
  "#2a8c96",
  "#6b6f76",
  "#7a5c3e",
] as const;

/** True for a mark without content, which needs no entry. */
function isBare({ tags, note, review }: MarkWire): boolean {
  return tags.length === 0 && note === "" && review === "open";
}

function markOf({ tags, note, review }: MarkWire): MarkWire {
  return { tags, note, review };
}

/** API paths that contain marks, relative to an archive. */
const PATHS_WITH_MARKS = [
  "/messages?",
  "/facets?",
  "/timeline?",
  "/threads?",
  "/files?",
  "/suggest?",
  "/notebook?",
] as const;

/** The cached notebook of one archive. */
export class Marks {
  readonly tags: Signal<readonly Tag[]> = signal([]);
  /** True after the tags were loaded, or failed to load. */
  readonly areTagsLoaded: Signal<boolean> = signal(false);
  /** Incremented by every write, so that counts of marks are reloaded. */
  readonly writes: Signal<number> = signal(0);
  private readonly known = new Map<string, Signal<Mark>>();
  private readonly wanted = new Map<MarkedKind, Set<string>>();
  /** The last write: each waits for the previous one, so that fast key presses do not cause revision conflicts. */
  private last: Promise<unknown> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | null = null;
  private areTagsAsked = false;

  constructor(
    private readonly answers: Answers,
    /** The path of the explore API of the archive. */
    private readonly path: string,
  ) {}

  /** The marks of a record, loaded on first use. */
  of(kind: MarkedKind, id: string): Signal<Mark> {
    const key = `${kind} ${id}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const mark = signal(NO_MARK);
    this.known.set(key, mark);
    const ids = this.wanted.get(kind) ?? new Set<string>();
    this.wanted.set(kind, ids.add(id));
    this.timer ??= setTimeout(() => this.gather(), GATHER_MS);
    return mark;
  }

  /** All tags, loaded on first use. */
  allTags(): Signal<readonly Tag[]> {
    if (!this.areTagsAsked) this.requestTags();
    return this.tags;
  }

  /** Reloads everything: another user may have written. */
  look(): void {
    this.forgetAnswers();
    this.requestTags();
  }

  /** Without a response there are no tags until the next request; a write reports the cause. */
  private requestTags(): void {
    this.loadTags()
      .catch(() => {
        this.areTagsAsked = false;
      })
      .finally(() => {
        this.areTagsLoaded.value = true;
      });
  }

  async loadTags(): Promise<void> {
    this.areTagsAsked = true;
    const path = `${this.path}/notebook?kind=tag&limit=${MAX_ENTRIES}`;
    const { entries, tags } = await this.answers.send<NotebookWire>(path, {});
    const counts = new Map(tags.map(({ name, count }) => [name, count]));
    const own = entries.map(({ id, revision, value }) => ({ name: id!, revision, ...(value as TagWire) }));
    const names = new Set(own.map(({ name }) => name));
    const others = tags.filter(({ name }) => !names.has(name)).map(({ name }) => ({ name, revision: 0, digit: null }));
    this.tags.value = [...own, ...others.map((tag) => ({ ...tag, color: colorOf(tag.name) }))]
      .map((tag) => ({ ...tag, count: counts.get(tag.name) ?? 0 }))
      .sort((a, b) => (a.digit ?? MAX_DIGIT + 1) - (b.digit ?? MAX_DIGIT + 1) || (a.name < b.name ? -1 : 1));
  }

  /**
   * Changes a mark. If another user wrote in the meantime, applies the change to that version.
   * @param edit returns the new mark; throws if the current one does not allow it
   */
  change(kind: MarkedKind, id: string, edit: (mark: Mark) => MarkWire): Promise<void> {
    return this.inTurn(async () => {
      const mark = this.of(kind, id);
      try {
        await this.write(kind, id, edit(mark.peek()));
      } catch (cause) {
        if (!(cause instanceof Fault) || cause.code !== "NOTEBOOK_CHANGED") throw cause;
        await this.load(kind, [id]);
        await this.write(kind, id, edit(mark.peek()));
      }
    });
  }

  /**
   * Sets a tag on the shown records, or removes it if all have it; returns which. Tags of several users do not
   * conflict: the server applies the change.
   */
  async turnTag(kind: MarkedKind, ids: readonly string[], written: string): Promise<boolean> {
    const tag = this.spelled(written);
    const isSet = !ids.every((id) => this.of(kind, id).peek().tags.includes(tag));
    await this.setTag({ kind, ids, tag, is_set: isSet });
    return isSet;
  }

  /** The existing spelling of a tag; a new tag is unchanged. */
  spelled(written: string): string {
    const key = foldKey(written);
    return this.tags.peek().find(({ name }) => foldKey(name) === key)?.name ?? written;
  }

  /** Adds or removes a tag; returns the number of changed entities. */
  setTag(change: TaggingWire): Promise<number> {
    return this.inTurn(async () => {
      const { changed } = await this.post<{ readonly changed: number }>("/tags", change);
      if (
        !this.allTags()
          .peek()
          .some(({ name }) => foldKey(name) === foldKey(change.tag))
      )
        await this.nameTag(change.tag);
      await this.reload(change.kind, "ids" in change ? change.ids : null);
      this.forgetAnswers();
      return changed;
    });
  }

  /** Writes a saved search or the appearance of a tag. Null deletes it. */
  async writeEntry(
    kind: "search" | "tag",
    entry: { readonly id: string; readonly revision: number },
    value: TagWire | SavedSearchWire | null,
  ): Promise<void> {
    await this.inTurn(() => this.post("/entries", { kind, id: entry.id, revision: entry.revision, value }));
    if (kind === "tag") await this.loadTags();
    this.forgetAnswers();
  }

  /** Clears the cache after many entries changed. */
  async forget(): Promise<void> {
    for (const kind of ["message", "thread", "person", "topic"] as const) await this.reload(kind, null);
    await this.loadTags();
    this.forgetAnswers();
  }

  /** A new tag gets the next color and the next free key. */
  private async nameTag(name: string): Promise<void> {
    const tags = this.tags.peek();
    const digits = new Set(tags.map(({ digit }) => digit));
    const free = Array.from({ length: MAX_DIGIT }, (_, at) => at + 1).find((digit) => !digits.has(digit));
    const value: TagWire = { color: TAG_COLORS[tags.length % TAG_COLORS.length]!, digit: free ?? null };
    await this.post("/entries", { kind: "tag", id: name, revision: 0, value });
  }

  private async write(kind: MarkedKind, id: string, value: MarkWire): Promise<void> {
    const mark = this.of(kind, id);
    const { revision } = mark.peek();
    const { entry } = await this.post<{ readonly entry: EntryWire | null }>("/entries", {
      kind,
      id,
      revision,
      value: isBare(value) ? null : markOf(value),
    });
    mark.value = entry === null ? NO_MARK : { ...(entry.value as MarkWire), revision: entry.revision };
    this.forgetAnswers();
  }

  private async reload(kind: MarkedKind, ids: readonly string[] | null): Promise<void> {
    const shown = [...this.known.keys()].filter((key) => key.startsWith(`${kind} `)).map((key) => key.split(" ")[1]!);
    await Promise.all([this.loadTags(), this.load(kind, ids === null ? shown : ids)]);
  }

  private async load(kind: MarkedKind, ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += MAX_IDS) {
      const asked = ids.slice(at, at + MAX_IDS);
      const path = `${this.path}/notebook/marks?kind=${kind}&ids=${asked.map(encodeURIComponent).join(",")}`;
      const { marks } = await this.answers.send<MarksWire>(path, {});
      const found = new Map(marks.map(({ id, revision, value }) => [id, { ...value, revision }]));
      for (const id of asked) {
        const mark = this.known.get(`${kind} ${id}`);
        if (mark !== undefined) mark.value = found.get(id) ?? NO_MARK;
      }
    }
  }

  private gather(): void {
    this.timer = null;
    for (const [kind, ids] of this.wanted) {
      this.wanted.delete(kind);
      // Without a response nothing is marked; a write reports the cause.
      this.load(kind, [...ids]).catch(() => undefined);
    }
  }

  private post<T>(path: string, body: object): Promise<T> {
    return this.answers.post<T>(`${this.path}/notebook${path}`, body);
  }

  private forgetAnswers(): void {
    for (const path of PATHS_WITH_MARKS) this.answers.forget(this.path + path);
    this.writes.value++;
  }

  private inTurn<T>(write: () => Promise<T>): Promise<T> {
    const done = this.last.then(write);
    this.last = done.catch(() => undefined);
    return done;
  }
}

/** The default color of a tag: always the same. */
function colorOf(name: string): string {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + character.codePointAt(0)!) % 9973;
  return TAG_COLORS[sum % TAG_COLORS.length]!;
}

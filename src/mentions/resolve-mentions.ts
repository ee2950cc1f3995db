import { foldName } from "../contacts/names/person-name.ts";
import { MENTION_KINDS, type MentionedValue, type MentionKind } from "../mail/records/mention.ts";
import type { ContactOrdinal } from "../mail/records/ordinal.ts";
import { kindOfFound, NAME_FORMS } from "./found-mention.ts";
import { JOINED } from "./name-words.ts";
import { organizationKey } from "./organizations.ts";
import type { PersonIndex } from "./person-index.ts";

/** Minimum messages for mentions that require recurrence: numbers of documents, and people who are not contacts. */
const MIN_MESSAGES: Readonly<Partial<Record<MentionKind, number>>> = { reference: 2, others: 3 };

/**
 * Factor by which the end of an organization name must be more frequent than the whole name to replace it: `Chronicle
 * Harbor Inc` in a row of headings.
 */
const MORE_MESSAGES = 4;

/** Minimum ratio of messages with the whole name to those with longer names that begin with it. */
const MOST_WHOLE = 4;

/** A word in capitals before a name that is not. */
const HEADING = /^\p{Lu}{2,}[ ,]+(\p{Lu}\p{L}*\p{Ll}.*)$/u;

/** Counters of the sketch, a power of two. Rare values share counters; the rest is counted exactly. */
const SKETCH_COUNTERS = 1 << 22;
const MOST = 0xff;

/** Candidates kept with their results. */
const MAX_RESOLVED = 1 << 16;
const NOBODY: readonly ContactOrdinal[] = [];

/** A value that a message mentions, by its number in `values`. */
interface ResolvedMention {
  readonly kind: MentionKind;
  readonly value: number;
}

/**
 * Decides which candidates are mentions. Every message is counted, then resolved, in the same order: mentions depend
 * only on the messages and contacts of an archive.
 */
export class MentionResolver {
  /** Maximum messages per number that need no memory. */
  private readonly sketch = new Uint8Array(SKETCH_COUNTERS);
  private readonly recurring = new Map<string, number>();
  /** The first two words of names of organizations: `arthur reed` of `Arthur Reed LLP`. */
  private readonly beginnings = new Set<string>();
  private isCounted = false;
  private readonly mentions = new Map<string, ResolvedMention>();
  /** Cached results for candidates that are no names of contacts: texts repeat them. */
  private readonly resolved = new Map<string, ResolvedMention | null>();
  private readonly values: Readonly<Record<MentionKind, MentionedValue[]>>;

  constructor(private readonly people: PersonIndex) {
    this.values = Object.fromEntries(MENTION_KINDS.map((kind) => [kind, [[""]]])) as unknown as typeof this.values;
  }

  /** Counts values that must recur: reads all messages twice, before the first is resolved. */
  count(found: readonly string[]): void {
    if (!this.isCounted) this.addBeginnings(found);
    for (const key of new Set(found.map((one) => this.recurringKey(one)))) {
      if (key === null) continue;
      const at = hashOf(key) & (SKETCH_COUNTERS - 1);
      if (!this.isCounted) this.sketch[at] = Math.min(MOST, this.sketch[at]! + 1);
      else if (this.sketch[at]! > 1) this.recurring.set(key, (this.recurring.get(key) ?? 0) + 1);
    }
  }

  /** Ends the first pass, which finds the names that cannot recur. */
  finishSketch(): void {
    this.isCounted = true;
  }

  /** Distinct mentions of a message. @param author whose own name is not a mention */
  resolve(found: readonly string[], author: ContactOrdinal | null): readonly ResolvedMention[] {
    const mentions = new Set<ResolvedMention>();
    for (const one of found) {
      if (one[0] === NAME_FORMS.titled && this.namesAnother(one.slice(1), found)) continue;
      const known = this.resolved.get(one);
      const mention = known === undefined ? this.resolveOne(one, author) : known;
      if (mention !== null) mentions.add(mention);
    }
    return [...mentions];
  }

  /** True if a message names someone with this family name in full who is not a contact: `Ms. Reed` is that person. */
  private namesAnother(family: string, found: readonly string[]): boolean {
    return found.some(
      (one) => one[0] === NAME_FORMS.whole && one.endsWith(` ${family}`) && this.people.withName(one).length === 0,
    );
  }

  private resolveOne(found: string, author: ContactOrdinal | null): ResolvedMention | null {
    const contacts = kindOfFound(found) === "mentions" ? this.people.withName(found) : NOBODY;
    if (contacts.length > 0) return this.person(found, this.people.meant(found, contacts, author), author);
    const mention = this.mentionOf(this.withoutContact(found));
    if (this.resolved.size === MAX_RESOLVED) this.resolved.clear();
    this.resolved.set(found, mention);
    return mention;
  }

  /** The values of a kind by their numbers, from 1 on. */
  valuesOf(kind: MentionKind): readonly MentionedValue[] {
    return this.values[kind];
  }

  private withoutContact(found: string): LabeledValue | null {
    const kind = kindOfFound(found);
    if (kind !== "mentions") return this.other(kind, found);
    return found[0] === NAME_FORMS.prefix || found[0] === NAME_FORMS.shortened ? null : this.otherPerson(found);
  }

  /** @param contacts that the name may mean */
  private person(
    found: string,
    contacts: readonly ContactOrdinal[],
    author: ContactOrdinal | null,
  ): ResolvedMention | null {
    const [contact] = contacts;
    if (found[0] === NAME_FORMS.prefix || contact === author) return null;
    if (contact === undefined) return this.mentionOf(this.withoutContact(found));
    // One of several contacts: nothing shows which.
    if (contacts.length > 1 && found[0] === NAME_FORMS.shortened) return null;
    if (contacts.length > 1) return this.mentionOf(labeled(found.slice(1)));
    return this.mentionOf({
      kind: "mentions",
      key: String(contact),
      value: [this.people.labelOf(contact), contact],
    });
  }

  /** A person who is not a contact, or who shares a common name with one, by a name that several messages contain. */
  private otherPerson(found: string): LabeledValue | null {
    const name = found.slice(1);
    if (!this.recurs("others", name) || this.isPrefix(name)) return null;
    const [givenNames, familyName] = name.split(" ") as [string, string];
    const [given, family] = [foldName(givenNames.split(JOINED, 1)[0]!), foldName(familyName)];
    if (this.beginnings.has(`${given} ${family}`)) return null;
    const isWhole = found[0] === NAME_FORMS.whole && !givenNames.includes(JOINED);
    const sharesName = isWhole && this.people.isNameOfPerson(given, family);
    return sharesName || !this.people.isNameOfContact(given, family) ? labeled(name) : null;
  }

  private other(kind: MentionKind, found: string): LabeledValue | null {
    const text = found.slice(1);
    if (kind === "org") {
      const name = this.withoutHeading(text);
      const key = organizationKey(name);
      return this.endsInCommonName(key) ? null : { kind, key, value: [name] };
    }
    return this.recurs(kind, text) ? { kind, key: text, value: [text] } : null;
  }

  /** True for a name that often begins longer ones: `Ann Reed Foundation`. */
  private isPrefix(name: string): boolean {
    const prefixes = this.recurring.get(`prefix${name}`) ?? 0;
    return prefixes * MOST_WHOLE >= this.recurring.get(`others${name}`)!;
  }

  /** `Harbor Inc` for `CONFIDENTIAL Harbor Inc`, if other messages have it. */
  private withoutHeading(name: string): string {
    const rest = HEADING.exec(name)?.[1];
    return rest !== undefined && this.recurring.has(`org${organizationKey(rest)}`) ? rest : name;
  }

  private endsInCommonName(key: string): boolean {
    const least = Math.max(1, this.recurring.get(`org${key}`) ?? 1) * MORE_MESSAGES;
    for (let at = key.indexOf(" "); at !== -1; at = key.indexOf(" ", at + 1))
      if ((this.recurring.get(`org${key.slice(at + 1)}`) ?? 0) >= least) return true;
    return false;
  }

  private recurs(kind: MentionKind, key: string): boolean {
    const least = MIN_MESSAGES[kind];
    return least === undefined || (this.recurring.get(kind + key) ?? 0) >= least;
  }

  /** Key for counting a value; null if the kind need not recur. */
  private recurringKey(found: string): string | null {
    const kind = kindOfFound(found);
    if (found[0] === NAME_FORMS.prefix) return `prefix${found.slice(1)}`;
    if (found[0] === NAME_FORMS.whole) return `others${found.slice(1)}`;
    if (kind === "org") return kind + organizationKey(found.slice(1));
    return MIN_MESSAGES[kind] === undefined ? null : kind + found.slice(1);
  }

  private addBeginnings(found: readonly string[]): void {
    for (const one of found)
      if (kindOfFound(one) === "org") this.beginnings.add(organizationKey(one.slice(1)).split(" ", 2).join(" "));
  }

  private mentionOf(labeled: LabeledValue | null): ResolvedMention | null {
    if (labeled === null) return null;
    const { kind, key, value } = labeled;
    let mention = this.mentions.get(kind + key);
    if (mention === undefined)
      this.mentions.set(kind + key, (mention = { kind, value: this.values[kind].push(value) - 1 }));
    return mention;
  }
}

interface LabeledValue {
  readonly kind: MentionKind;
  readonly key: string;
  readonly value: MentionedValue;
}

function labeled(name: string): LabeledValue {
  return { kind: "others", key: name, value: [name.replaceAll(JOINED, " ")] };
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

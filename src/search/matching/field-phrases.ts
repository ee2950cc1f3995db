import { withJoinedNames } from "../../text/tokens/hyphenated-words.ts";
import { tokensOf } from "../../text/tokens/tokens.ts";
import { readTexts, readValues } from "../indexing/read-texts.ts";
import type { ValueField } from "../indexing/search-field.ts";
import {
  FILES_ALONE,
  type IndexedText,
  type SearchSource,
  SUBJECTS_ALONE,
  type TextParts,
} from "../indexing/search-source.ts";
import { type Phrase, PhraseMatcher } from "../query/phrase.ts";

/** A field that may be searched by a phrase. */
export type PhraseField = "subject" | "attachment" | ValueField;

/** A field that is read with the texts. */
interface TextField {
  readonly parts: TextParts;
  values(text: IndexedText): readonly Uint8Array[];
}

const TEXT_FIELDS: Readonly<Record<Exclude<PhraseField, ValueField>, TextField>> = {
  subject: { parts: SUBJECTS_ALONE, values: (text) => [text.subject()] },
  attachment: {
    parts: FILES_ALONE,
    values: (message) => message.files().map(({ text }) => Buffer.from(text)),
  },
};

/** Values remembered while a field is read, about 5 MB: the same people are in many messages. */
const MAX_KNOWN_VALUES = 50_000;

/** Reads a field of messages, and calls `visit` with true if one of its values contains the phrase. */
export async function matchField(
  source: SearchSource,
  documents: Uint32Array,
  { field, phrase }: { readonly field: PhraseField; readonly phrase: Phrase },
  visit: (document: number, isHeld: boolean) => void,
): Promise<void> {
  const matcher = new PhraseMatcher(phrase);
  if (field === "subject" || field === "attachment") {
    const { values, parts } = TEXT_FIELDS[field];
    const look = (document: number, text: IndexedText): boolean => {
      visit(
        document,
        values(text).some((value) => matcher.occursIn(value)),
      );
      return true;
    };
    await readTexts(source, documents, look, parts);
    return;
  }
  const occursIn = (value: string): boolean => matcher.occursIn(Buffer.from(value));
  const fits = (value: string): boolean =>
    field === "filename"
      ? occursIn(value)
      : fitsPerson(value, phrase, occursIn) || otherForms(value).some((form) => fitsPerson(form, phrase, occursIn));
  const known = new Map<string, boolean>();
  const holds = (value: string): boolean => {
    const before = known.get(value);
    if (before !== undefined) return before;
    const isHeld = fits(value);
    if (known.size < MAX_KNOWN_VALUES) known.set(value, isHeld);
    return isHeld;
  };
  await readValues(source, documents, field, (document, values) => visit(document, values.some(holds)));
}

/** A name with the surname first, and the address. */
const SURNAME_FIRST = /^([^,<]+),([^,<]+)(<.*)$/s;

/** Other forms in which a query may name a person: `OConnor` for `O'Connor`, and `Ann Lee` for `Lee, Ann`. */
function otherForms(written: string): readonly string[] {
  const start = addressStart(written);
  // Addresses that differ by a hyphen are different.
  const joined = withJoinedNames(written.slice(0, start)) + written.slice(start);
  const forms = joined === written ? [] : [joined];
  for (const form of [written, ...forms]) {
    const parts = SURNAME_FIRST.exec(form);
    if (parts !== null) forms.push(`${parts[2]} ${parts[1]} ${parts[3]}`);
  }
  return forms;
}

/** True for a phrase in the name or the address. One that goes from the name into the address must have all of it. */
function fitsPerson(form: string, { tokens }: Phrase, occursIn: (text: string) => boolean): boolean {
  if (!occursIn(form)) return false;
  const start = addressStart(form);
  const address = form.slice(start);
  return occursIn(form.slice(0, start)) || occursIn(address) || tokensOf(address).length < tokens.length;
}

/** Fields of items may have only a name. */
function addressStart(person: string): number {
  const start = person.lastIndexOf("<");
  return start < 0 ? person.length : start;
}

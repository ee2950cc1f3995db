import { ordinalOf } from "../../mail/records/ids.ts";
import type { MentionedValue, MentionKind } from "../../mail/records/mention.ts";
import { equivalentGivenNames } from "../../mail/words/given-names.ts";
import { tokensOf } from "../../text/tokens/tokens.ts";
import type { MentionLists } from "../indexing/search-source.ts";
import { matchesToken } from "../indexing/term-pattern.ts";
import { isAmountWithin, parseAmounts } from "../query/query-amounts.ts";
import type { Leaf } from "../query/query-syntax.ts";

type FieldLeaf = Leaf & { readonly kind: "field" };
type Asked = Pick<FieldLeaf, "text" | "tokens">;

/** Tests whether a message mentions a value that the condition matches. */
export function mentionTest(
  kind: MentionKind,
  asked: Asked,
  { starts, values, names }: MentionLists,
): (document: number) => boolean {
  const isMeant = VALUE_TESTS[kind](asked, names);
  const wanted = Uint8Array.from(names, (value, number) => (number > 0 && isMeant(value) ? 1 : 0));
  return (document) => {
    for (let at = starts[document]!; at < starts[document + 1]!; at++) if (wanted[values[at]!] === 1) return true;
    return false;
  };
}

type ValueTest = (value: MentionedValue) => boolean;

/** The value with exactly this name, otherwise all values whose name contains the words. */
function named({ text, tokens }: Asked, names: readonly MentionedValue[]): ValueTest {
  if (names.some(([label]) => label === text)) return ([label]) => label === text;
  return ([label]) => {
    const words = tokensOf(label);
    return tokens.every((token) => matchesToken(words, token));
  };
}

/** Also finds `Kenneth Lay` by `Ken Lay`. A given name without other words is matched as it is written. */
function namedPerson(asked: Asked, names: readonly MentionedValue[]): ValueTest {
  const isNamed = named(asked, names);
  const { text, tokens } = asked;
  if (tokens.length < 2 || names.some(([label]) => label === text)) return isNamed;
  const forms = tokens.map((token) => new Set(equivalentGivenNames(token)));
  return (value) => {
    if (isNamed(value)) return true;
    const [given = "", ...others] = tokensOf(value[0]);
    return forms.some(
      (form, at) => form.has(given) && tokens.every((token, i) => i === at || matchesToken(others, token)),
    );
  };
}

const VALUE_TESTS: Readonly<Record<MentionKind, (asked: Asked, names: readonly MentionedValue[]) => ValueTest>> = {
  mentions(asked, names) {
    const contact = ordinalOf("contact", asked.text.toLowerCase());
    return contact === null ? namedPerson(asked, names) : ([, own]) => own === contact;
  },
  others: namedPerson,
  org: named,
  phone({ text }) {
    // With a plus sign it is the whole number, otherwise its end: a national number in any notation.
    if (text.startsWith("+")) return ([label]) => label === text;
    return ([label]) => label.endsWith(text);
  },
  iban:
    ({ text }) =>
    ([label]) =>
      label === text,
  amount({ text }) {
    const span = parseAmounts(text)!;
    return ([label]) => isAmountWithin(label, span);
  },
  site({ text }, names) {
    // The value of a facet does not match shorter sites.
    if (names.some(([label]) => label === text)) return ([label]) => label === text;
    return ([label]) => text.endsWith(`.${label}`);
  },
  reference: named,
};

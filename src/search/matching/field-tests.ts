import type { AttachmentType } from "../../mail/records/attachment-types.ts";
import { foldKey } from "../../mail/words/fold-key.ts";
import { tokensOf } from "../../text/tokens/tokens.ts";
import type { MarkedMessages } from "../indexing/marked-messages.ts";
import {
  type MessageFacts,
  type NamedColumn,
  type NamedLists,
  type Trait,
  traitBit,
  typeBit,
} from "../indexing/message-facts.ts";
import { holdsToken } from "../indexing/term-pattern.ts";
import type { Leaf } from "../query/query-syntax.ts";

type FieldLeaf = Leaf & { readonly kind: "field" };

/** What a condition that the notebook tells asks of a message. */
export function markTest({ field, text }: FieldLeaf, marked: MarkedMessages): (document: number) => boolean {
  const { tagNames, tags, noted, reviews } = marked;
  if (field === "note") return (document) => noted.has(document);
  if (field === "review") return (document) => (reviews.get(document) ?? "open") === text;
  const wanted = new Set(tagNames.flatMap((name, number) => (foldKey(name) === text ? [number] : [])));
  return (document) => tags.get(document)?.some((number) => wanted.has(number)) ?? false;
}

/** What a condition that columns tell asks of a message. */
export function factTest(leaf: FieldLeaf, facts: MessageFacts): (document: number) => boolean {
  const { sizes, traits } = facts;
  const size = Number(leaf.text);
  switch (leaf.field) {
    case "domain":
      return isNamed(facts.domains, leaf.text);
    case "lang":
      return isNamed(facts.languages, leaf.text);
    case "larger":
      return (document) => sizes[document]! > size;
    case "smaller":
      return (document) => sizes[document]! < size;
    case "label":
      return isLabelled(facts.labels, leaf);
    case "type":
      return hasBit(traits, typeBit(leaf.text as AttachmentType));
    default:
      return hasBit(traits, traitBit(leaf.text as Trait));
  }
}

function isNamed({ numbers, names }: NamedColumn, name: string): (document: number) => boolean {
  const number = names.indexOf(name, 1);
  return (document) => number > 0 && numbers[document] === number;
}

function hasBit(bits: Uint32Array, bit: number): (document: number) => boolean {
  return (document) => (bits[document]! & bit) !== 0;
}

/** The label of this name, or else every label whose name holds all the words. */
function isLabelled({ starts, values, names }: NamedLists, { text, tokens }: FieldLeaf): (document: number) => boolean {
  const exact = names.indexOf(text, 1);
  const numbers = names.flatMap((name, number) => (holdsAll(tokensOf(name), tokens) ? [number] : []));
  const wanted = new Set(exact > 0 ? [exact] : numbers);
  return (document) => {
    for (let at = starts[document]!; at < starts[document + 1]!; at++) if (wanted.has(values[at]!)) return true;
    return false;
  };
}

function holdsAll(words: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((word) => holdsToken(words, word));
}

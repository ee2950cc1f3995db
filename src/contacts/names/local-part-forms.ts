import { shortGivenNames } from "../../mail/words/given-names.ts";
import { foldAcross } from "./fold-across.ts";
import type { FullName } from "./full-name.ts";

/** Letters to which old systems truncated local parts. */
const CUT_LETTERS = 8;
/** Minimum letters of a family name that identifies a person together with an initial. */
const MIN_FAMILY = 3;

/** A local part derived from a name. */
interface LocalForm {
  readonly text: string;
  /** True if it contains only the initial of the given name. */
  readonly isInitial: boolean;
  /** True if it contains a short form of the given name. */
  readonly isShort: boolean;
}

/** Local parts that identify a person: initial and family name, both names, and those cut to eight letters. */
export function localFormsOf({ given, longForms, middles, family }: FullName): readonly LocalForm[] {
  if (family.length < MIN_FAMILY) return [];
  const forms: LocalForm[] = [];
  for (const name of new Set([given, ...longForms])) {
    const initial = name.charAt(0);
    for (const text of [name + family, family + name]) forms.push({ text, isInitial: false, isShort: false });
    const initials = initial + middles.map((middle) => middle.charAt(0)).join("");
    for (const text of new Set([initial + family, family + initial, initials + family]))
      forms.push({ text, isInitial: true, isShort: false });
  }
  for (const name of shortGivenNames(given))
    for (const text of [name + family, family + name]) forms.push({ text, isInitial: false, isShort: true });
  return forms.flatMap((form) =>
    form.text.length > CUT_LETTERS
      ? [form, { ...form, text: form.text.slice(0, CUT_LETTERS), isInitial: true }]
      : [form],
  );
}

/** Kind of a local part, compared with the name of its owner. */
type LocalKind = "handle" | "given" | "name";

/** @param local letters and digits only. */
export function localKindOf(local: string, name: FullName): LocalKind {
  if (/\d/.test(local)) return "handle";
  const letters = foldAcross(local);
  const { given, longForms, middles, family } = name;
  if (letters === given || longForms.includes(letters)) return "given";
  const initials = given.charAt(0) + middles.map((middle) => middle.charAt(0)).join("");
  const made = [family, given + family.charAt(0), initials + family, initials + family.charAt(0), family + initials];
  const isMade = made.includes(letters) || localFormsOf(name).some(({ text }) => text === letters);
  return isMade || letters === given + middles.join("") + family ? "name" : "handle";
}

/** Normalizes a local part for comparison with forms of names, without a trailing number. */
export function comparableLocalPart(local: string): string {
  return foldAcross(local.replace(/(?<!\d)\d{1,4}$/, ""));
}

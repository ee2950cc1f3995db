/**
 * Published values are described once. Schema (`record-schema.ts`), writer and reader are derived from the
 * description. Descriptions are plain data: writing does not load the validators (100 files of a package).
 */

/** JSON form of a value. */
export type Shape =
  | { readonly kind: "text"; readonly pattern: TextPattern | null }
  | { readonly kind: "integer"; readonly isNatural: boolean }
  | { readonly kind: "number" }
  | { readonly kind: "flag" }
  | { readonly kind: "choice"; readonly words: readonly string[] }
  | { readonly kind: "texts-by-name" }
  | { readonly kind: "list"; readonly of: Shape }
  | { readonly kind: "nullable"; readonly of: Shape }
  | { readonly kind: "record"; readonly fields: readonly FieldShape[] };

interface FieldShape {
  readonly name: string;
  readonly shape: Shape;
  readonly isOptional: boolean;
}

interface TextPattern {
  readonly pattern: RegExp;
  /** Description of valid text for errors. */
  readonly expected: string;
}

/** A value, its JSON form, and both conversions. */
export interface Published<Value, Json> {
  readonly shape: Shape;
  /** True if the JSON value equals the value, so neither function need be called. */
  readonly isSame: boolean;
  write(value: Value): Json;
  read(json: Json): Value;
}

/** A value that a document may omit. */
export interface Omissible<Value, Json, IsMissing extends boolean> extends Published<Value, Json> {
  /** Null if it is always written. */
  readonly isOmitted: ((value: never) => boolean) | null;
  /** Value of an absent field; undefined if the record then lacks it. */
  instead(rest: unknown): Value | undefined;
  /** True if the object may lack it. */
  readonly isMissing: IsMissing;
}

const same = <T>(value: T): T => value;

function plain<Value extends Json, Json = Value>(shape: Shape): Published<Value, Json> {
  return { shape, isSame: true, write: same, read: (json) => json as Value };
}

export const TEXT: Published<string, string> = plain({ kind: "text", pattern: null });
/** Text of a fixed form. */
export const patterned = <Value extends string = string>(pattern: RegExp, expected: string): Published<Value, string> =>
  plain({ kind: "text", pattern: { pattern, expected } });
/** A count, or an index in a list. */
export const COUNT: Published<number, number> = plain({ kind: "integer", isNatural: true });
export const INTEGER: Published<number, number> = plain({ kind: "integer", isNatural: false });
export const FLAG: Published<boolean, boolean> = plain({ kind: "flag" });
export const TEXTS_BY_NAME: Published<Readonly<Record<string, string>>, Readonly<Record<string, string>>> = plain({
  kind: "texts-by-name",
});
/** One word of a fixed set. */
export interface PublishedChoice<Word extends string> extends Published<Word, Word> {
  readonly words: readonly Word[];
}
export const choice = <const Word extends string>(words: readonly Word[]): PublishedChoice<Word> => ({
  ...plain<Word>({ kind: "choice", words }),
  words,
});

/** Numbers with a different published form. */
export const convertedNumber = (write: (value: number) => number): Published<number, number> => ({
  ...plain<number>({ kind: "number" }),
  isSame: false,
  write,
});

export function nullable<Value, Json>(of: Published<Value, Json>): Published<Value | null, Json | null> {
  return {
    shape: { kind: "nullable", of: of.shape },
    isSame: of.isSame,
    write: (value) => (value === null ? null : of.write(value)),
    read: (json) => (json === null ? null : of.read(json)),
  };
}

export interface PublishedList<Value, Json> extends Published<readonly Value[], readonly Json[]> {
  readonly of: Published<Value, Json>;
}

export function list<P extends Published<unknown, unknown>>(of: P): PublishedList<ValueOf<P>, JsonOf<P>> {
  const element = of as unknown as Published<ValueOf<P>, JsonOf<P>>;
  return {
    of: element,
    shape: { kind: "list", of: element.shape },
    isSame: element.isSame,
    write: element.isSame
      ? (values) => values as unknown as readonly JsonOf<P>[]
      : (values) => values.map((value) => element.write(value)),
    read: element.isSame
      ? (json) => json as unknown as readonly ValueOf<P>[]
      : (json) => json.map((value) => element.read(value)),
  };
}

/** An optional field, written if present. */
export const whereThere = <Value, Json>(of: Published<Value, Json>): Omissible<Value, Json, true> => ({
  ...of,
  isOmitted: (value: unknown) => value === undefined,
  instead: () => undefined,
  isMissing: true,
});

/** A field omitted in some records, with its default, which may depend on earlier fields. */
export const unless = <Value, Json, Rest>(
  of: Published<Value, Json>,
  isOmitted: (value: Value) => boolean,
  instead: (rest: Rest) => Value,
): Omissible<Value, Json, false> => ({
  ...of,
  isOmitted,
  instead: (rest) => instead(rest as Rest),
  isMissing: false,
});

export const unlessEmpty = <Value, Json>(
  of: PublishedList<Value, Json>,
): Omissible<readonly Value[], readonly Json[], false> =>
  unless(
    of,
    (values) => values.length === 0,
    () => [],
  );

export const unlessNull = <Value, Json>(of: Published<Value, Json>): Omissible<Value | null, Json, false> =>
  unless(
    of as Published<Value | null, Json>,
    (value) => value === null,
    () => null,
  );

/** A field that documents of earlier versions do not have: null is read there. It is always written. */
export const notInEarlier = <Value, Json>(of: Published<Value, Json>): Omissible<Value | null, Json | null, false> => ({
  ...nullable(of),
  isOmitted: null,
  instead: () => null,
  isMissing: false,
});

/** Fields of an object, each with published name and type. */
export type Fields = Readonly<Record<string, readonly [name: string, of: Published<unknown, unknown>]>>;

export type ValueOf<P> = P extends Published<infer Value, infer _> ? Value : never;
export type JsonOf<P> = P extends Published<infer _, infer Json> ? Json : never;
type Whole<T> = { readonly [K in keyof T]: T[K] };
type IsOmissible<F> = F extends readonly [string, Omissible<unknown, unknown, boolean>] ? true : false;
type IsMissing<F> = F extends readonly [string, Omissible<unknown, unknown, true>] ? true : false;

/** Input of a record. */
type ThingOf<F extends Fields> = Whole<
  { readonly [K in keyof F as IsMissing<F[K]> extends true ? never : K]: ValueOf<F[K][1]> } & {
    readonly [K in keyof F as IsMissing<F[K]> extends true ? K : never]?: ValueOf<F[K][1]>;
  }
>;

/** Output of a record. */
type RecordOf<F extends Fields> = Whole<
  { readonly [K in keyof F as IsOmissible<F[K]> extends true ? never : F[K][0]]: JsonOf<F[K][1]> } & {
    readonly [K in keyof F as IsOmissible<F[K]> extends true ? F[K][0] : never]?: JsonOf<F[K][1]>;
  }
>;

export interface PublishedRecord<F extends Fields> extends Published<ThingOf<F>, RecordOf<F>> {
  readonly fields: F;
  /** Writes an object; fields in `made` replace its own. */
  writeParts<Made extends Partial<ThingOf<F>>>(thing: Omit<ThingOf<F>, keyof Made>, made: Made): RecordOf<F>;
}

type Entry = readonly [field: string, name: string, of: Published<unknown, unknown>, omissible: OmissibleOf | null];
type OmissibleOf = Omissible<unknown, unknown, boolean>;

/** A record of these fields, in this order; optional fields come last. Other fields are not published. */
export function record<const F extends Fields>(fields: F): PublishedRecord<F> {
  const entries = Object.entries(fields).map(([field, [name, described]]): Entry => {
    const of = described as unknown as Published<unknown, unknown>;
    return [field, name, of, "isOmitted" in of ? (of as OmissibleOf) : null];
  });
  const always = entries.filter(([, , , omissible]) => (omissible?.isOmitted ?? null) === null);
  const blank = Object.fromEntries(always.map(([, name]) => [name, null]));
  const writeParts = (thing: object, made: object): RecordOf<F> => {
    // All fields from the start: adding fields to an object is slower.
    const json: Record<string, unknown> = { ...blank };
    for (const [field, name, of, omissible] of entries) {
      let value = (made as Readonly<Record<string, unknown>>)[field];
      if (value === undefined) value = (thing as Readonly<Record<string, unknown>>)[field];
      if (omissible?.isOmitted?.(value as never) !== true) json[name] = of.isSame ? value : of.write(value);
    }
    return json as RecordOf<F>;
  };
  return {
    fields,
    shape: {
      kind: "record",
      fields: entries.map(([, name, { shape }, omissible]) => ({ name, shape, isOptional: omissible !== null })),
    },
    isSame: false,
    write: (thing) => writeParts(thing, NOTHING_MADE),
    writeParts,
    read: (json) => readFields(entries, json) as ThingOf<F>,
  };
}

const NOTHING_MADE = {};

function readFields(entries: readonly Entry[], json: object): object {
  const thing: Record<string, unknown> = {};
  for (const [field, name, of, omissible] of entries) {
    const found = (json as Readonly<Record<string, unknown>>)[name];
    const isThere = found !== undefined || omissible === null;
    const value = !isThere ? omissible.instead(thing) : of.isSame ? found : of.read(found);
    if (value !== undefined) thing[field] = value;
  }
  return thing;
}

/** A record with the names and order of the object. */
export const asItStands = <F extends Fields>(described: PublishedRecord<F>): PublishedRecord<F> => ({
  ...described,
  isSame: true,
});

/** A record that is grouped differently: how it is written, and how the object is built when reading. */
export function regrouped<Thing, F extends Fields>(
  described: PublishedRecord<F>,
  write: (thing: Thing) => RecordOf<F>,
  ungroup: (grouped: ThingOf<F>) => Thing,
): Published<Thing, RecordOf<F>> {
  return { shape: described.shape, isSame: false, write, read: (json) => ungroup(described.read(json)) };
}

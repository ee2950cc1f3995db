import { expect, expectTypeOf, it } from "vitest";
import {
  asItStands,
  COUNT,
  choice,
  type JsonOf,
  list,
  notInEarlier,
  nullable,
  record,
  regrouped,
  TEXT,
  unless,
  unlessEmpty,
  unlessNull,
  type ValueOf,
  whereThere,
} from "./published-record.ts";
import { DATE } from "./published-values.ts";
import { recordSchemaOf } from "./record-schema.ts";

const VISIT = record({
  ship: ["ship_name", TEXT],
  flag: ["flag", notInEarlier(TEXT)],
  berth: ["berth", nullable(COUNT)],
  arrival: ["arrived_at", DATE],
  state: ["state", choice(["moored", "under way"])],
  crew: ["crew", list(record({ name: ["full_name", TEXT] }))],
  pilot: ["pilot", whereThere(TEXT)],
  cargo: ["cargo", unlessNull(TEXT)],
  notes: ["notes", unlessEmpty(list(TEXT))],
  agents: [
    "agents",
    unless(
      list(TEXT),
      (agents) => agents.length <= 1,
      ({ ship }: { readonly ship: string }) => [ship],
    ),
  ],
});
type Visit = ValueOf<typeof VISIT>;

const bare: Visit = {
  ship: "Teal",
  flag: null,
  berth: null,
  arrival: 990_000_000_000,
  state: "moored",
  crew: [{ name: "Ann" }],
  cargo: null,
  notes: [],
  agents: ["Teal"],
};
const laden: Visit = { ...bare, berth: 4, pilot: "Bob", cargo: "tea", notes: ["late"], agents: ["Teal", "Eider"] };

it("writes a record under its published names, in order, and reads it again", () => {
  const json = VISIT.write(laden);
  expect(JSON.stringify(json)).toBe(
    '{"ship_name":"Teal","flag":null,"berth":4,"arrived_at":"2001-05-16T08:00:00Z","state":"moored","crew":[{"full_name":"Ann"}],' +
      '"pilot":"Bob","cargo":"tea","notes":["late"],"agents":["Teal","Eider"]}',
  );
  expect(VISIT.read(json)).toStrictEqual(laden);
  expect(VISIT.write({ ...laden, secret: "x" } as Visit)).toStrictEqual(json);
});

it("omits empty fields, and restores their defaults", () => {
  const json = VISIT.write(bare);
  expect(Object.keys(json)).toEqual(["ship_name", "flag", "berth", "arrived_at", "state", "crew"]);
  expect(VISIT.read(json)).toStrictEqual(bare);
});

it("writes given parts instead of those of the record", () => {
  expect(VISIT.writeParts(bare, { ship: "Eider", crew: [] })).toMatchObject({ ship_name: "Eider", crew: [] });
});

it("matches its schema, and the schema rejects anything else", () => {
  const schema = recordSchemaOf(VISIT);
  const isValid = (json: object): boolean => schema.safeParse(json).success;
  const json = VISIT.write(laden);
  expect([VISIT.write(bare), json].map(isValid)).toEqual([true, true]);
  for (const change of [
    { berth: -1 },
    { berth: 1.5 },
    { ship_name: null },
    { arrived_at: "today" },
    { state: "sunk" },
    { crew: [{}] },
    { pilot: null },
    { secret: "x" },
  ])
    expect(isValid({ ...json, ...change }), JSON.stringify(change)).toBe(false);
  const { berth: _, ...without } = json;
  expect(isValid(without)).toBe(false);
  const { flag: __, ...earlier } = json;
  expect(isValid(earlier)).toBe(true);
  expect(VISIT.read(earlier as typeof json)).toStrictEqual(laden);
});

it("writes a flat object as groups", () => {
  const place = record({ name: ["name", TEXT], at: ["at", record({ x: ["x", COUNT], y: ["y", COUNT] })] });
  const described = regrouped(
    place,
    (flat: { readonly name: string; readonly x: number; readonly y: number }) => place.writeParts(flat, { at: flat }),
    ({ at, ...rest }) => ({ ...rest, ...at }),
  );
  const json = described.write({ name: "a", x: 1, y: 2 });
  expect(json).toStrictEqual({ name: "a", at: { x: 1, y: 2 } });
  expect(described.read(json)).toStrictEqual({ name: "a", x: 1, y: 2 });
});

it("passes on a list of records unchanged", () => {
  const people = list(asItStands(record({ name: ["name", TEXT] })));
  const values = [{ name: "Ann" }];
  expect(people.write(values)).toBe(values);
  expect(people.read(values)).toBe(values);
});

it("has the types of its record", () => {
  expectTypeOf<Visit["berth"]>().toEqualTypeOf<number | null>();
  expectTypeOf<Visit["cargo"]>().toEqualTypeOf<string | null>();
  expectTypeOf<Pick<JsonOf<typeof VISIT>, "cargo" | "state">>().toEqualTypeOf<{
    readonly cargo?: string;
    readonly state: "moored" | "under way";
  }>();
});

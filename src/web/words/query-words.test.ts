import { describe, expect, it } from "vitest";
import { OPERATOR_NAMES, readOperator } from "../../search/query/query-operators.ts";
import { QUERY_WORDS } from "./query-words.ts";

const examples = QUERY_WORDS.flatMap(([written]) => written).flatMap((text) => {
  const [, name, value] = /^([a-z0-9_]+):"?([^"]+)"?$/.exec(text) ?? [];
  return name === undefined ? [] : [[name, value!] as const];
});

describe("the help of the query language", () => {
  it("has every operator", () => {
    expect(new Set(examples.map(([name]) => name))).toEqual(new Set(OPERATOR_NAMES));
  });

  it.each(examples)("has an example that is taken: %s:%s", (name, value) => {
    expect(readOperator(name, value, 0)).not.toBeNull();
  });
});

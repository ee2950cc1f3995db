import { describe, expect, it } from "vitest";
import { areSpellingsOfOne } from "./name-spellings.ts";
import { parsePersonName } from "./person-name.ts";

function areOne([one, other]: readonly [string, string]): boolean {
  const [first, second] = [parsePersonName(one)!, parsePersonName(other)!];
  const isOne = areSpellingsOfOne(first, second);
  expect(areSpellingsOfOne(second, first)).toBe(isOne);
  return isOne;
}

describe("names of one address", () => {
  it.each([
    ["a wrong letter", ["Roy Marlan", "Roy Marlen"]],
    ["a letter too many", ["Willliam Hoggart", "William Hoggart"]],
    ["a letter missing and a middle initial", ["Sonceria Messing", "Sonceia P. Messing"]],
    ["two letters exchanged", ["Ann Brandon", "Ann Bradnon"]],
    ["family name first", ["Carabel Julia", "Julia Carabel"]],
    ["a double family name", ["Cheryl Thomas-Drake", "Cheryl L Thomas"]],
    ["a second family name", ["Jessica Wallace", "Jessica Wallace Modan"]],
    ["initials", ["BS Stone", "Brenda Stone"]],
  ] as const)("are one person's with %s", (_, names) => expect(areOne(names)).toBe(true));

  it.each([
    ["different middle initials", ["Susan R Lewis", "Susan M Lewis"]],
    ["two given names", ["Eric Jonas", "Erica Jonas"]],
    ["different given names", ["Katie Little", "Barbara Little"]],
    ["a short family name with another letter", ["Ann Reed", "Ann Reid"]],
    ["initials of another name", ["BS Stone", "Carla Stone"]],
    ["a family name that only begins alike", ["Ann Johns", "Ann Johnson"]],
    ["father and son", ["John Marlan Jr.", "John Marlen III"]],
  ] as const)("are two people's with %s", (_, names) => expect(areOne(names)).toBe(false));
});

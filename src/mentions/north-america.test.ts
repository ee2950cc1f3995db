import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { expect, it } from "vitest";
import { isNorthAmerican } from "./north-america.ts";

it("agrees with the library on every area code", () => {
  const numbers = Array.from({ length: 800 }, (_, at) => `${200 + at}${200 + ((at * 37) % 800)}${1000 + at}`);
  const valid = numbers.filter((number) => parsePhoneNumberFromString(number, "US")?.isValid() === true);
  expect(numbers.filter(isNorthAmerican)).toEqual(valid);
  expect(valid.length).toBeGreaterThan(400);
});

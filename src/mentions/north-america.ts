import metadata from "libphonenumber-js/metadata.min";

/** Positions in a numbering plan of the library. */
const NATIONAL_NUMBER = 2;
const LEADING_DIGITS = 10;
const TYPES = 11;

/** Numbers of a country. */
interface NumberingPlan {
  /** First digits of all its numbers; null if `valid` decides. */
  readonly leading: RegExp | null;
  readonly valid: RegExp;
}

let plans: readonly NumberingPlan[] | null = null;

/**
 * True for the ten digits of a valid number of calling code 1. Uses the patterns of the library directly: the library
 * compiles those of 25 countries for every number, which takes 0.15 ms.
 */
export function isNorthAmerican(number: string): boolean {
  plans ??= (metadata.country_calling_codes["1"] ?? []).map((country) => planOf(metadata.countries[country] ?? []));
  const plan = plans.find(({ leading, valid }) => (leading ?? valid).test(number));
  return plan?.valid.test(number) === true;
}

function planOf(parts: readonly unknown[]): NumberingPlan {
  const leading = parts[LEADING_DIGITS];
  const types = (parts[TYPES] || []) as readonly (readonly [pattern: string] | 0)[];
  const patterns = types.flatMap((type) => (type === 0 || type[0] === "" ? [] : type[0]));
  const ofType = patterns.length === 0 ? "" : `(?=(?:${patterns.join("|")})$)`;
  return {
    leading: typeof leading === "string" ? new RegExp(`^(?:${leading})`) : null,
    valid: new RegExp(`^${ofType}(?:${parts[NATIONAL_NUMBER]})$`),
  };
}

import type { PersonWire } from "../../http/explore-api/wire/wire.ts";

/** The name of a person, or the address if there is none. */
export function nameOf({ name, email }: PersonWire): string {
  return name === "" ? email : name;
}

import type { PersonWire } from "../../http/explore-api/wire/wire.ts";
import { useAddress } from "../application.ts";
import { nameOf } from "../parts/person.ts";
import { operatorClause } from "../shell/query-text.ts";

interface PeopleProps {
  readonly people: readonly PersonWire[];
  /** Operator that finds mail of a person in this field. */
  readonly operator: "from" | "to" | "cc";
  /** True to show addresses next to names. */
  readonly areAddressesShown: boolean;
}

/** People, names before addresses; each links to the mail with that person in the same field. */
export function People({ people, operator, areAddressesShown }: PeopleProps) {
  const address = useAddress();
  return (
    <>
      {people.map((person, index) => (
        // A field may contain the same person twice.
        <span key={`${index} ${person.email}`}>
          {index === 0 ? "" : ", "}
          <a
            href={address(
              "search",
              {},
              { q: operatorClause(operator, person.contact_id ?? (person.email || person.name)) },
            )}
            title={person.email}
          >
            <bdi>{nameOf(person)}</bdi>
          </a>
          {areAddressesShown && person.name !== "" && person.email !== "" ? (
            <bdi class="address"> {person.email}</bdi>
          ) : null}
        </span>
      ))}
    </>
  );
}

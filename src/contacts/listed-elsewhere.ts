import type { Profiles } from "./address-profile.ts";
import type { SiftedEvidence } from "./contact-evidence.ts";
import type { MergeForest } from "./merge-forest.ts";
import { areSpellingsOfOne } from "./names/name-spellings.ts";

/** Joins an address that an export made up from a name to the one it lists for the name, or to others made up so. */
export function joinListedElsewhere(
  { listedElsewhere, respelled, isLeftOut }: SiftedEvidence,
  profiles: Profiles,
  forest: MergeForest,
): void {
  for (const { key, addresses } of listedElsewhere.all(isLeftOut)) {
    const real = respelled.of(key).find((address) => !isLeftOut(address));
    const first = real ?? addresses[0]!;
    for (const address of addresses)
      if (address !== first && profiles.at(address).kind === "person")
        forest.join(first, address, "address that an export made up from the name", areSpellingsOfOne);
  }
}

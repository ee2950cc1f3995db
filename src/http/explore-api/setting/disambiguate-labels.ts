import type { Archive } from "../../../mail/archive.ts";
import type { Facet, FacetName, FacetValue } from "../../../mail/exploration.ts";
import { foldKey } from "../../../mail/words/fold-key.ts";

/** Facets whose values are people. */
const OF_PEOPLE: readonly FacetName[] = ["from", "to", "recipient"];
/** Maximum namesakes of a list to distinguish: each needs a lookup. */
const MAX_LABELS = 100;
/** The contact id in a clause. */
const CONTACT_ID = /contact-\d+/;

/** Adds addresses to the labels of people with equal names. */
export async function disambiguateLabels(archive: Archive, facets: readonly Facet[]): Promise<readonly Facet[]> {
  const disambiguated: Facet[] = [];
  for (const facet of facets)
    disambiguated.push(
      OF_PEOPLE.includes(facet.of) ? { ...facet, values: await namedApart(archive, facet.values) } : facet,
    );
  return disambiguated;
}

async function namedApart(archive: Archive, values: readonly FacetValue[]): Promise<readonly FacetValue[]> {
  const times = new Map<string, number>();
  for (const { label } of values) times.set(foldKey(label), (times.get(foldKey(label)) ?? 0) + 1);
  const named: FacetValue[] = [];
  let looked = 0;
  for (const value of values) {
    const isAlone = times.get(foldKey(value.label)) === 1 || looked++ >= MAX_LABELS;
    const contact = isAlone ? null : await archive.contacts.get(CONTACT_ID.exec(value.clause)?.[0] ?? "");
    const email = contact?.email ?? "";
    named.push(email === "" ? value : { ...value, label: `${value.label} <${email}>` });
  }
  return named;
}

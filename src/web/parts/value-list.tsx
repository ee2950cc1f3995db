import type { ComponentChildren } from "preact";
import type { FacetWire } from "../../http/explore-api/wire/wire.ts";
import { useAddress } from "../application.ts";
import type { ViewName } from "../shell/addresses.ts";
import { withClause } from "../shell/query-text.ts";
import { WORDS } from "../words/words.ts";
import { counted } from "./formats.ts";
import { valueNames } from "./value-names.ts";

/** Views with all values of a list. */
const WHOLE_LISTS: Partial<Readonly<Record<FacetWire["of"], ViewName>>> = {
  from: "people",
  topic: "topics",
  mailbox: "mailboxes",
  type: "files",
};

/** Facets shown as a view of the results instead of next to them. */
const OF_PEOPLE: readonly FacetWire["of"][] = ["from", "to", "recipient"];

interface ValueListProps {
  readonly facet: FacetWire;
  /** Query of the counted messages; empty for all. */
  readonly clause?: string;
  /** True if the view of all values contains them: the facet covers the whole archive. */
  readonly isOfAll?: boolean;
  /** The name of the facet unless given. */
  readonly title?: string;
}

/** The most frequent values of a facet, each with a link to its messages. */
export function ValueList({ facet, clause: within = "", isOfAll = false, title }: ValueListProps) {
  const address = useAddress();
  const names = valueNames(facet.of, facet.values);
  const most = Math.max(...facet.values.map(({ count }) => count));
  const whole = OF_PEOPLE.includes(facet.of) ? { view: "people" } : { more: facet.of };
  const view = isOfAll ? WHOLE_LISTS[facet.of] : undefined;
  return (
    <section class="value-list">
      <h2>{title ?? WORDS.search.facetNames[facet.of]}</h2>
      <ol>
        {facet.values.map(({ clause, label, count }, at) => (
          <li key={clause || label}>
            <Line href={clause === "" ? null : address("search", {}, { q: withClause(within, clause) })}>
              <bdi title={label}>{names[at]}</bdi>
              <span class="count">{counted(count)}</span>
              <span class="share" style={{ width: `${(count / most) * 100}%` }} />
            </Line>
          </li>
        ))}
      </ol>
      {facet.other === 0 ? null : (
        <p class="quiet">
          {view === undefined ? (
            <a href={address("search", {}, { q: within, ...whole })}>{WORDS.search.otherValues(facet.other)}</a>
          ) : (
            <a href={address(view)}>{WORDS.overview.all}</a>
          )}
        </p>
      )}
    </section>
  );
}

function Line({ href, children }: { readonly href: string | null; readonly children: ComponentChildren }) {
  return href === null ? <span>{children}</span> : <a href={href}>{children}</a>;
}

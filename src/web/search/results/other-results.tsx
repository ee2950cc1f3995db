import { useAddress, useApi } from "../../application.ts";
import { formatParameters } from "../../shell/addresses.ts";
import { useAnswer } from "../../shell/use-answer.ts";
import { number } from "../../words/nouns.ts";
import { WORDS } from "../../words/words.ts";

/** Counts of appointments and Outlook items that the query also finds, each as a link. */
export function OtherResults({ q }: { readonly q: string }) {
  const api = useApi();
  const address = useAddress();
  const asked = q.trim() === "" ? null : formatParameters({ search: q, limit: 1 });
  const events = useAnswer<{ readonly total: number }>(asked === null ? null : api(`/events${asked}`)).data?.total ?? 0;
  const items = useAnswer<{ readonly total: number }>(asked === null ? null : api(`/items${asked}`)).data?.total ?? 0;
  if (events + items === 0) return null;
  return (
    <p class="quiet beside">
      {WORDS.search.beside}{" "}
      {events === 0 ? null : (
        <a href={address("calendar", {}, { view: "list", search: q })}>{number(events, "appointment")}</a>
      )}
      {events > 0 && items > 0 ? ", " : null}
      {items === 0 ? null : <a href={address("items", {}, { search: q })}>{number(items, "item")}</a>}
    </p>
  );
}

import type { z } from "zod";
import type { itemsSchema } from "../../http/explore-api/wire/wire-tables.ts";
import { useApi, useApplication, useRoute } from "../application.ts";
import { Choices } from "../parts/choices.tsx";
import { ItemFileCards } from "../parts/file-cards.tsx";
import { FilterBox } from "../parts/filter-box.tsx";
import { dayOf, momentOf } from "../parts/formats.ts";
import { Pager, TABLE_ROWS, useOffset } from "../parts/pager.tsx";
import { EmptyState, FaultMessage, Skeleton } from "../parts/states.tsx";
import { ViewHead } from "../parts/view-head.tsx";
import { formatParameters } from "../shell/addresses.ts";
import { useAnswer } from "../shell/use-answer.ts";
import { number } from "../words/nouns.ts";
import { TABLE_WORDS } from "../words/table-words.ts";
import { WORDS } from "../words/words.ts";

const words = TABLE_WORDS.items;

/** The response of `/items`. */
type ItemPage = z.infer<typeof itemsSchema>;

/** Outlook items other than mail and appointments. */
export function ItemsView() {
  const api = useApi();
  const { parameters } = useRoute();
  const [kind, search] = [parameters.get("kind") ?? "", parameters.get("search") ?? ""];
  const asked = { kind, search, offset: useOffset(), limit: TABLE_ROWS };
  const { data, fault, retry } = useAnswer<ItemPage>(api(`/items${formatParameters(asked)}`));
  return (
    <div class="page">
      <ViewHead title={WORDS.views.items} summary={data === null ? "" : number(data.total, "item")} />
      <FilterBox name="search" label={words.filter} />
      {fault === null ? null : <FaultMessage fault={fault} onRetry={retry} />}
      {data === null && fault === null ? <Skeleton rows={6} height={90} /> : null}
      {data === null ? null : (
        <>
          <Choices
            label={words.kind}
            name="kind"
            chosen={kind}
            values={data.kinds.map((value) => ({
              value: value.kind,
              label: words.kindNames[value.kind as ItemPage["items"][number]["kind"]],
              count: value.count,
            }))}
          />
          {data.total === 0 ? <EmptyState title={words.none} /> : null}
          <ul class="cards">
            {data.items.map((item) => (
              <Item key={item.id} item={item} />
            ))}
          </ul>
          <Pager total={data.total} rows={data.items.length} />
        </>
      )}
    </div>
  );
}

/** Formats a date; other values are unchanged. */
function fieldText(value: string, isUtc: boolean): string {
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return dayOf(value, true);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? momentOf(value, isUtc) : value;
}

function Item({ item }: { readonly item: ItemPage["items"][number] }) {
  const { isUtc } = useApplication();
  const facts = (
    <dl class="facts">
      {Object.entries(item.fields).map(([name, value]) =>
        // A text with the same data, the only form in archives of earlier versions.
        name === "attachments" && item.attachments.length > 0 ? null : (
          <div key={name}>
            <dt>{name.replaceAll("_", " ")}</dt>
            <dd class="field" dir="auto">
              {fieldText(value, isUtc.value)}
            </dd>
          </div>
        ),
      )}
    </dl>
  );
  return (
    <li class="panel" id={item.id}>
      <h2 dir="auto">{item.subject === "" ? WORDS.noSubject : item.subject}</h2>
      <p class="count">
        {words.kindNames[item.kind]} · <bdi>{item.mailbox}</bdi>
      </p>
      {/^ipm\.microsoft\./i.test(item.fields["message_class"] ?? "") ? (
        <details>
          <summary>{words.internal}</summary>
          {facts}
        </details>
      ) : (
        facts
      )}
      <ItemFileCards of={`/items/${item.id}`} files={item.attachments} />
    </li>
  );
}

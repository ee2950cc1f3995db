import { useAddress } from "../application.ts";
import { KeyList } from "../frame/key-list.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { ViewHead } from "../parts/view-head.tsx";
import { QUERY_WORDS } from "../words/query-words.ts";
import { TABLE_WORDS } from "../words/table-words.ts";
import { WORDS } from "../words/words.ts";

const { help: words } = TABLE_WORDS;

/** Shortens a hash in an example. */
function shortened(q: string): string {
  return q.replace(/([0-9a-f]{12})[0-9a-f]{52}/, "$1…");
}

/** Search help with clickable examples, and all keys. */
export function HelpView() {
  const address = useAddress();
  return (
    <div class="page">
      <ViewHead title={WORDS.views.help} />
      <section class="panel">
        <h2>{words.query}</h2>
        <p class="quiet">{words.hint}</p>
        <DataTable
          label={words.query}
          rows={QUERY_WORDS}
          keyOf={([written]) => written.join(" ")}
          columns={[
            {
              name: "written",
              label: words.written,
              cell: ([written]) => (
                <span class="examples">
                  {written.map((q) => (
                    <a key={q} href={address("search", {}, { q })}>
                      <code title={q}>{shortened(q)}</code>
                    </a>
                  ))}
                </span>
              ),
            },
            { name: "finds", label: words.finds, cell: ([, finds]) => finds },
          ]}
        />
      </section>
      <section class="panel">
        <h2>{WORDS.keys.title}</h2>
        <KeyList />
      </section>
    </div>
  );
}

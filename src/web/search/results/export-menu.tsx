import { useRef } from "preact/hooks";
import { apiOf, useApplication, useRoute } from "../../application.ts";
import { Icon } from "../../parts/icon.tsx";
import { formatParameters, type Parameters } from "../../shell/addresses.ts";
import { useKeys } from "../../shell/use-keys.ts";
import { WORDS } from "../../words/words.ts";
import type { Match } from "../state/search-state.ts";

/** Export formats, the usual ones first. */
const FORMATS = ["mbox", "eml", "csv", "html", "markdown", "jsonl", "load-file", "maildir"] as const;
/** Formats without messages, always of the whole archive. */
const WHOLE_FORMATS = ["vcf", "ics", "graphml", "gexf"] as const;

interface ExportMenuProps {
  readonly q: string;
  readonly match: Match;
  /** Individually selected messages; empty for all that the query finds. */
  readonly ids?: readonly string[];
  readonly total: number;
}

/** Exports the results of a query as a zip file with a manifest. */
export function ExportMenu({ q, match, ids = [], total }: ExportMenuProps) {
  const { shell } = useApplication();
  const { archive } = useRoute();
  const menu = useRef<HTMLDetailsElement>(null);
  useKeys({
    export() {
      menu.current!.open = true;
      menu.current!.querySelector("a")?.focus();
    },
  });
  const addressOf = (parameters: Parameters): string =>
    `${apiOf(shell, archive)}/export${formatParameters(parameters)}`;
  const link = (format: keyof typeof WORDS.search.exports, chosen: Parameters) => (
    <li key={format}>
      <a href={addressOf({ format, ...chosen })} download="">
        {WORDS.search.exports[format]}
      </a>
    </li>
  );
  return (
    <details ref={menu} class="menu">
      <summary class="tool" aria-label={WORDS.search.export} title={WORDS.search.export}>
        <Icon name="save" />
      </summary>
      <div>
        <p class="quiet">{WORDS.search.exportAs(total)}</p>
        <ul>
          {FORMATS.map((format) =>
            link(format, { q, match: match === "all" ? null : match, message_ids: ids.join(",") }),
          )}
        </ul>
        <p class="quiet">{WORDS.search.exportWhole}</p>
        <ul>{WHOLE_FORMATS.map((format) => link(format, {}))}</ul>
      </div>
    </details>
  );
}

/** Saves a conversation as one mailbox. */
export function ThreadExport({ id }: { readonly id: string }) {
  const { shell } = useApplication();
  const { archive } = useRoute();
  const text = WORDS.message.saveThread;
  const address = `${apiOf(shell, archive)}/export${formatParameters({ format: "mbox", thread_id: id })}`;
  return (
    <a class="tool" download="" href={address} aria-label={text} title={text}>
      <Icon name="save" />
    </a>
  );
}

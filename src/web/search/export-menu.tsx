import { useRef } from "preact/hooks";
import { writtenParameters } from "../addresses.ts";
import { apiOf, useApplication, usePlace } from "../application.ts";
import { Icon } from "../icon.tsx";
import { useKeys } from "../use-keys.ts";
import { WORDS } from "../words.ts";

/** Formats that a result is saved in, the usual ones first. */
const FORMATS = ["mbox", "eml", "csv", "html", "markdown", "jsonl", "load-file"] as const;

interface ExportMenuProps {
  readonly q: string;
  readonly total: number;
}

/** Saves what a query finds, as a zip file with its list of contents. */
export function ExportMenu({ q, total }: ExportMenuProps) {
  const { shell } = useApplication();
  const { archive } = usePlace();
  const menu = useRef<HTMLDetailsElement>(null);
  useKeys({
    export() {
      menu.current!.open = true;
      menu.current!.querySelector("a")?.focus();
    },
  });
  return (
    <details ref={menu} class="menu">
      <summary class="tool" aria-label={WORDS.search.export} title={WORDS.search.export}>
        <Icon name="save" />
      </summary>
      <div>
        <p class="quiet">{WORDS.search.exportAs(total)}</p>
        <ul>
          {FORMATS.map((format) => (
            <li key={format}>
              <a href={`${apiOf(shell, archive)}/export${writtenParameters({ format, q })}`} download="">
                {WORDS.search.exports[format]}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}

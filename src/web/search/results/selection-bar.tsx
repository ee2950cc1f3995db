import { useLayoutEffect, useRef } from "preact/hooks";
import { MAX_NAMED_IDS } from "../../../mail/exploration.ts";
import { useAddress, useApplication } from "../../application.ts";
import { TagChoice } from "../../notebook/mark-editor.tsx";
import { useMarks, useSaveStatus } from "../../notebook/use-marks.ts";
import { copyText } from "../../parts/copy-text.ts";
import { Icon, IconButton } from "../../parts/icon.tsx";
import type { PagedRows } from "../../parts/paged-rows.ts";
import { useKeys } from "../../shell/use-keys.ts";
import { WORDS } from "../../words/words.ts";
import type { SearchState } from "../state/search-state.ts";
import type { Choosable, Selection } from "../state/selection.ts";
import { ExportMenu } from "./export-menu.tsx";

const { selection: words } = WORDS;

/** Maximum messages that a query can list. */
const MAX_PRINTED = 100;

interface SelectionBarProps {
  readonly selection: Selection;
  readonly rows: PagedRows<Choosable>;
  readonly state: SearchState;
  /** Rows of the search, and its messages: repeated texts have one row. */
  readonly listed: number;
  readonly total: number;
}

/** Actions for the selection. */
export function SelectionBar({ selection, rows, state, listed, total }: SelectionBarProps) {
  const application = useApplication();
  const { q, match } = state;
  const address = useAddress();
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const own = bar.current!;
    // Returns the focus to the list when the bar disappears.
    return () => {
      if (own.contains(document.activeElement)) document.querySelector<HTMLElement>(".rows")?.focus();
    };
  }, []);
  const isAll = selection.isAll.value;
  const ids = [...selection.rows.value.keys()];
  const chosen = ids.length === 1 ? `id:${ids[0]}` : `id:(${ids.join(" OR ")})`;
  const printed = address("search", {}, { q: isAll ? q : chosen, match: isAll ? match : null, view: "read" });
  const copy = async (): Promise<void> => {
    if (isAll && !(await rows.bring(0, listed))) return;
    const chosen = isAll ? rows.held(0, listed) : [...selection.rows.peek().values()];
    // By Message-ID, which survives re-extraction.
    const links = chosen.map(({ message_id }) => new URL(address("permalink", { id: message_id }), location.href).href);
    await copyText(application, links.join("\n"), words.copied(links.length));
  };
  return (
    <div ref={bar} class="selection-bar" role="toolbar" aria-label={words.label}>
      <strong role="status">{words.chosen(isAll ? total : ids.length)}</strong>
      {isAll ? null : (
        <button type="button" class="text" onClick={selection.all}>
          {words.all(total)}
        </button>
      )}
      <TagMenu selection={selection} state={state} ids={ids} />
      <ExportMenu q={isAll ? q : ""} match={match} ids={isAll ? [] : ids} total={isAll ? total : ids.length} />
      {isAll || ids.length <= MAX_PRINTED ? (
        <a class="tool" aria-label={words.print} title={words.print} href={printed}>
          <Icon name="print" />
        </a>
      ) : null}
      {isAll && listed > MAX_NAMED_IDS ? null : (
        <IconButton icon="link" name={words.copy} onClick={() => void copy()} />
      )}
      <IconButton icon="close" name={words.clear} onClick={selection.clear} />
    </div>
  );
}

interface TagMenuProps {
  readonly selection: Selection;
  readonly state: SearchState;
  readonly ids: readonly string[];
}

/** Tags for the selection; their keys set them on it as well. */
function TagMenu({ selection, state: { q, match }, ids }: TagMenuProps) {
  const marks = useMarks();
  const showStatus = useSaveStatus();
  const menu = useRef<HTMLDetailsElement>(null);
  if (marks === null) return null;
  const isAll = selection.isAll.value;
  const chosen = isAll ? [] : ids.map((id) => marks.of("message", id).value.tags);
  const common = (chosen[0] ?? []).filter((tag) => chosen.every((tags) => tags.includes(tag)));
  const turn = (tag: string): void => {
    if (isAll) {
      const change = { kind: "message", q, match, tag, is_set: true } as const;
      showStatus(marks.setTag(change).then((count) => WORDS.notebook.turned(tag, true, count)));
    } else
      showStatus(marks.turnTag("message", ids, tag).then((isSet) => WORDS.notebook.turned(tag, isSet, ids.length)));
  };
  return (
    <details ref={menu} class="menu">
      <summary class="tool" aria-label={words.tag} title={words.tag}>
        <Icon name="tag" />
      </summary>
      <div>
        <TagKeys tags={marks.allTags().value} onTurn={turn} />
        <TagChoice chosen={common} onTurn={turn} />
      </div>
    </details>
  );
}

interface TagKeysProps {
  readonly tags: readonly { readonly name: string; readonly digit: number | null }[];
  readonly onTurn: (tag: string) => void;
}

/** Shortcuts for tags apply to the selection, if there is one. */
function TagKeys({ tags, onTurn }: TagKeysProps) {
  useKeys({
    tag(key) {
      const tag = tags.find(({ digit }) => digit === Number(key));
      if (tag === undefined) return false;
      onTurn(tag.name);
      return true;
    },
  });
  return null;
}

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { NotebookWire } from "../../../http/explore-api/wire/wire-notebook.ts";
import { useApi, useApplication } from "../../application.ts";
import { useMarks, useSaveStatus } from "../../notebook/use-marks.ts";
import { Icon } from "../../parts/icon.tsx";
import { WORDS } from "../../words/words.ts";
import type { SearchState } from "../state/search-state.ts";

const { notebook: words } = WORDS;

/** Saves a search in the notebook under a name; replaces one with the same name. */
export function SaveSearch({ state: { q, match, sort } }: { readonly state: SearchState }) {
  const api = useApi();
  const { answers } = useApplication();
  const marks = useMarks();
  const showStatus = useSaveStatus();
  const name = useSignal("");
  const menu = useRef<HTMLDetailsElement>(null);
  if (marks === null || q.trim() === "") return null;
  const save = async (id: string): Promise<string> => {
    const { entries } = await answers.send<NotebookWire>(api("/notebook?kind=search&limit=1000"), {});
    const revision = entries.find((entry) => entry.id === id)?.revision ?? 0;
    await marks.writeEntry("search", { id, revision }, { q, match, sort });
    menu.current!.open = false;
    return words.searchSaved(id);
  };
  return (
    <details ref={menu} class="menu">
      <summary class="tool" aria-label={words.saveSearch} title={words.saveSearch}>
        <Icon name="notebook" />
      </summary>
      <form
        class="save-search"
        onSubmit={(event) => {
          event.preventDefault();
          showStatus(save(name.value.trim() || q));
        }}
      >
        <label for="search-name">{words.searchName}</label>
        <input
          id="search-name"
          type="text"
          maxLength={200}
          placeholder={q}
          value={name.value}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value;
          }}
        />
        <button type="submit" class="button">
          {words.saveSearch}
        </button>
      </form>
    </details>
  );
}

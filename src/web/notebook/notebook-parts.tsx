import type { ListedEntryWire, SavedSearchWire, TagWire } from "../../http/explore-api/wire/wire-notebook.ts";
import { REVIEW_STATES } from "../../mail/notebook.ts";
import { useAddress, useApi, useApplication } from "../application.ts";
import { useHitCounts } from "../hits/use-hit-counts.ts";
import { DataTable } from "../parts/data-table.tsx";
import { counted } from "../parts/formats.ts";
import { IconButton } from "../parts/icon.tsx";
import { useChanged } from "../parts/pager.tsx";
import { SearchLink } from "../parts/search-link.tsx";
import { operatorClause } from "../shell/query-text.ts";
import { NOTEBOOK_VIEW_WORDS } from "../words/notebook-view-words.ts";
import { WORDS } from "../words/words.ts";
import type { Marks, Tag } from "./marks.ts";
import { TagSpot } from "./tags.tsx";
import { useSaveStatus } from "./use-marks.ts";

const { notebook: words } = WORDS;

interface MarksProps {
  readonly marks: Marks;
}

const everyWord = (queries: readonly string[]) => queries.map((q) => ({ q, match: "all" as const }));

/** Number of reviewed messages, by state. */
export function ReviewProgress({ marks }: MarksProps) {
  const address = useAddress();
  const queries = REVIEW_STATES.map((state) => `review:${state}`);
  const counts = useHitCounts(everyWord(queries), marks.writes.value);
  return (
    <section class="panel" aria-label={NOTEBOOK_VIEW_WORDS.progress}>
      <h2>{NOTEBOOK_VIEW_WORDS.progress}</h2>
      <div class="progress" role="presentation">
        {REVIEW_STATES.map((state, at) => (
          <span key={state} class={`part ${state}`} style={{ flexGrow: String(counts?.[at] ?? 0) }} />
        ))}
      </div>
      <ul class="progress-words">
        {REVIEW_STATES.map((state, at) => (
          <li key={state}>
            <span class={`part ${state}`} />
            {words.reviews[state]}{" "}
            <a href={address("search", {}, { q: queries[at] })}>{counts === null ? "…" : counted(counts[at]!)}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** The tags with their actions. */
export function TagTable({ marks, tags }: MarksProps & { readonly tags: readonly Tag[] }) {
  const showStatus = useSaveStatus();
  const changed = useChanged();
  const clauses = tags.map(({ name }) => operatorClause("tag", name));
  const counts = useHitCounts(everyWord(clauses), marks.writes.value);
  const write: TagWriter = (tag, value) =>
    showStatus(
      marks
        .writeEntry("tag", { id: tag.name, revision: tag.revision }, value)
        .then(() => (value === null ? NOTEBOOK_VIEW_WORDS.removed(tag.name) : words.saved)),
    );
  return (
    <section class="panel">
      <h2>{words.tags}</h2>
      <DataTable
        label={words.tags}
        rows={tags}
        keyOf={({ name }) => name}
        columns={[
          {
            name: "name",
            label: NOTEBOOK_VIEW_WORDS.tag,
            cell: ({ name, color }) => (
              <span class="tag">
                <TagSpot color={color} />
                <bdi>{name}</bdi>
              </span>
            ),
          },
          {
            name: "color",
            label: NOTEBOOK_VIEW_WORDS.color,
            cell: (tag) => <ColorChoice tag={tag} onChoose={write} />,
          },
          {
            name: "digit",
            label: NOTEBOOK_VIEW_WORDS.digit,
            cell: (tag) => <DigitChoice tag={tag} onChoose={write} />,
          },
          {
            name: "things",
            label: NOTEBOOK_VIEW_WORDS.things,
            isNumber: true,
            cell: ({ name, count }) => <a href={changed({ tag: name })}>{counted(count)}</a>,
          },
          {
            name: "messages",
            label: NOTEBOOK_VIEW_WORDS.messages,
            isNumber: true,
            cell: (tag) => {
              const at = tags.indexOf(tag);
              return counts === null ? "…" : <SearchLink clause={clauses[at]!} count={counts[at] ?? 0} />;
            },
          },
          {
            name: "remove",
            label: NOTEBOOK_VIEW_WORDS.remove,
            cell: (tag) =>
              tag.count > 0 || tag.revision === 0 ? null : (
                <RemoveButton text={NOTEBOOK_VIEW_WORDS.removeTag(tag.name)} onRemove={() => write(tag, null)} />
              ),
          },
        ]}
      />
    </section>
  );
}

/** Writes the appearance of a tag; null deletes it. */
type TagWriter = (tag: Tag, value: TagWire | null) => void;

interface TagChoiceProps {
  readonly tag: Tag;
  readonly onChoose: TagWriter;
}

function ColorChoice({ tag, onChoose }: TagChoiceProps) {
  return (
    <input
      type="color"
      aria-label={NOTEBOOK_VIEW_WORDS.colorOf(tag.name)}
      value={tag.color}
      onChange={({ currentTarget }) => onChoose(tag, { color: currentTarget.value, digit: tag.digit })}
    />
  );
}

function DigitChoice({ tag, onChoose }: TagChoiceProps) {
  return (
    <select
      class="choice"
      aria-label={NOTEBOOK_VIEW_WORDS.digitOf(tag.name)}
      value={String(tag.digit ?? "")}
      onChange={({ currentTarget: { value } }) =>
        onChoose(tag, { color: tag.color, digit: value === "" ? null : Number(value) })
      }
    >
      <option value="">{NOTEBOOK_VIEW_WORDS.noDigit}</option>
      {DIGITS.map((digit) => (
        <option key={digit} value={String(digit)}>
          {digit}
        </option>
      ))}
    </select>
  );
}

function RemoveButton({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) {
  return <IconButton icon="remove" name={text} onClick={onRemove} />;
}

/** Saved searches with their current counts. */
export function SavedSearches({ marks, searches }: MarksProps & { readonly searches: readonly ListedEntryWire[] }) {
  const address = useAddress();
  const showStatus = useSaveStatus();
  const savedOf = (value: object): SavedSearchWire => value as SavedSearchWire;
  const counts = useHitCounts(
    searches.map(({ value }) => savedOf(value)),
    marks.writes.value,
  );
  const remove = (id: string, revision: number): void =>
    showStatus(marks.writeEntry("search", { id, revision }, null).then(() => NOTEBOOK_VIEW_WORDS.removed(id)));
  return (
    <section class="panel">
      <h2>{NOTEBOOK_VIEW_WORDS.searches}</h2>
      <DataTable
        label={NOTEBOOK_VIEW_WORDS.searches}
        rows={searches}
        keyOf={({ id }) => id!}
        columns={[
          {
            name: "name",
            label: NOTEBOOK_VIEW_WORDS.search,
            cell: ({ id, value }) => (
              <a href={address("search", {}, { ...savedOf(value) })}>
                <bdi>{id}</bdi>
              </a>
            ),
          },
          {
            name: "query",
            label: NOTEBOOK_VIEW_WORDS.query,
            cell: ({ value }) => <bdi class="path">{savedOf(value).q}</bdi>,
          },
          {
            name: "messages",
            label: NOTEBOOK_VIEW_WORDS.messages,
            isNumber: true,
            cell: (entry) => {
              const count = counts?.[searches.indexOf(entry)];
              const { q, match } = savedOf(entry.value);
              return count === undefined ? "…" : <SearchLink clause={q} match={match} count={count} />;
            },
          },
          {
            name: "remove",
            label: NOTEBOOK_VIEW_WORDS.remove,
            cell: ({ id, revision }) => (
              <RemoveButton text={NOTEBOOK_VIEW_WORDS.removeSearch(id!)} onRemove={() => remove(id!, revision)} />
            ),
          },
        ]}
      />
    </section>
  );
}

/** Imports and exports the notebook. */
export function CarryTools({ marks }: MarksProps) {
  const api = useApi();
  const { answers } = useApplication();
  const showStatus = useSaveStatus();
  const take = async (file: File): Promise<string> => {
    const body = await file.text();
    const { taken, kept } = await answers.send<{ readonly taken: number; readonly kept: number }>(
      api("/notebook/import"),
      { method: "POST", headers: { "content-type": "application/json" }, body },
    );
    await marks.forget();
    return NOTEBOOK_VIEW_WORDS.imported(taken, kept);
  };
  return (
    <>
      <a class="button" href={api("/notebook/export")} download="">
        {NOTEBOOK_VIEW_WORDS.export}
      </a>
      <label class="button">
        {NOTEBOOK_VIEW_WORDS.import}
        <input
          class="visually-hidden"
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file !== undefined) showStatus(take(file));
            currentTarget.value = "";
          }}
        />
      </label>
    </>
  );
}
